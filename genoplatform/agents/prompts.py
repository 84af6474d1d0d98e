"""The prompts of the agents that ask a model, in our own words, and the JSON schemas of the answers.

Belongs here: wording and schemas. Does not belong here: what goes into them (lea, llm_only, llm_critic, llm_planner),
the judge's (judge_prompts).
Source of what they must ask for: rare-disease specification, sections 7, 8 and 12.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from genoplatform.agents.quoting import DATA_RULE

NO_THINK = "/no_think"
"""Asks models of the Qwen3 family to answer without a reasoning part; others read past it."""
NO_LABELS = "(none recorded)"
RATIONALE_ASKED = 180

LEA_SYSTEM = f"""{NO_THINK}
You are a clinical geneticist who ranks candidate genes for one patient with a suspected monogenic disease.
You get the patient's phenotype and, for each gene, excerpts of articles. Compare the genes with one another: what
counts is which gene's evidence fits this patient better than the other genes' evidence does.
{DATA_RULE}
Answer with a JSON array and nothing else, most likely gene first. Each element is an object with the keys
"gene" (the symbol exactly as given), "confidence" (a number from 0 to 1) and "rationale" (at most {RATIONALE_ASKED}
characters). Exactly one of the genes causes the disease, so the first should stand clear of the rest.
List every gene exactly once."""

LEA_PARAPHRASES: Mapping[str, str] = {
    "production": LEA_SYSTEM,
    "paraphrase_a": f"""{NO_THINK}
Task: order a list of genes by how probably each explains the patient described below. One of them, and only one, does.
For every gene you are shown passages found in the literature; weigh them against the passages of the other genes.
{DATA_RULE}
Output: only a JSON array, sorted from most to least probable. Every entry has "gene" (copied unchanged), "confidence"
(0 to 1) and "rationale" (no longer than {RATIONALE_ASKED} characters). Give the leading gene clearly more confidence.
Each gene appears one time.""",
    "paraphrase_b": f"""{NO_THINK}
Imagine a case conference in rare-disease genetics. The panel has the patient's findings and, gene by gene, what the
literature search returned. Decide which single gene is responsible and put the others behind it in falling order of
plausibility, judging them side by side and not one at a time.
{DATA_RULE}
Report your verdict as one JSON array without any other text. Its objects carry three keys: "gene" with the symbol as
written, "confidence" between 0 and 1, "rationale" in at most {RATIONALE_ASKED} characters. Let the winner be well
separated. No gene may be missing or repeated.""",
}

LEA_GROUNDED_SYSTEM = f"""{NO_THINK}
You are a clinical geneticist who ranks candidate genes for one patient with a suspected monogenic disease.
You get the patient's phenotype and, for each gene, numbered excerpts of articles. Compare the genes with one another.
{DATA_RULE}
Answer with a JSON array and nothing else, most likely gene first. Each element is an object with the keys
"gene" (the symbol exactly as given), "confidence" (a number from 0 to 1), "rationale" (at most {RATIONALE_ASKED}
characters), "chunks" (the numbers of the excerpts the rationale rests on, of this gene only) and "quote" (a few words
copied from one of them). Where no excerpt links the gene to the phenotype, write "no direct evidence" as rationale and
leave "chunks" empty and "quote" blank. Exactly one gene causes the disease. List every gene exactly once."""

LEA_CLOSING = "Rank all of these genes now."

LLM_ONLY_SYSTEM = f"""{NO_THINK}
You are a clinical geneticist. From what you know, order the candidate genes by how probably each causes the patient's
phenotype. Answer with a JSON array of gene symbols and nothing else, most likely first, each symbol once."""

CRITIC_SYSTEM = f"""{NO_THINK}
You grade excerpts of articles as evidence that one gene causes one patient's phenotype.
{DATA_RULE}
Answer with a JSON object and nothing else: one key for each excerpt, its number as given, whose value is an object with
"gene_mention_valid" (true if the excerpt speaks of this gene), "relevance" (1: unrelated, 2: phenotype only, 3: gene
only, 4: gene and phenotype, 5: gene shown with the phenotype in close connection), "evidence_type" (one of
case_report, functional, association, review, unknown) and "rationale" (at most 100 characters)."""

PLANNER_SYSTEM = f"""{NO_THINK}
You write search phrases for a literature index of case reports and gene studies. From the phenotype labels, choose
or reword up to five short phrases that best set this patient apart. Do not name genes. Answer with a JSON array of
strings and nothing else."""

_PROBABILITY = {"type": "number", "minimum": 0, "maximum": 1}


def lea_schema(genes: Sequence[str], *, grounded: bool = False, rationale: int = RATIONALE_ASKED) -> dict[str, Any]:
    """Schema of the aggregation's answer: the head genes and nothing else, rationales of so many characters."""
    properties: dict[str, Any] = {
        "gene": {"type": "string", "enum": list(genes)},
        "confidence": _PROBABILITY,
        "rationale": {"type": "string", "maxLength": rationale},
    }
    if grounded:
        properties["chunks"] = {"type": "array", "items": {"type": "integer", "minimum": 1}, "maxItems": 5}
        properties["quote"] = {"type": "string", "maxLength": rationale}
    entry = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return {"type": "array", "items": entry, "minItems": 1, "maxItems": len(genes)}


def gene_list_schema(genes: Sequence[str]) -> dict[str, Any]:
    """Schema of an array of candidate symbols."""
    return {"type": "array", "items": {"type": "string", "enum": list(genes)}, "minItems": 1, "maxItems": len(genes)}


def phrases_schema(most: int) -> dict[str, Any]:
    """Schema of the planner's phrases."""
    return {"type": "array", "items": {"type": "string", "maxLength": 80}, "minItems": 1, "maxItems": most}


def critic_schema(numbers: Sequence[str], kinds: Sequence[str]) -> dict[str, Any]:
    """Schema of the critic's grades, keyed by excerpt number."""
    grade = {
        "type": "object",
        "properties": {
            "gene_mention_valid": {"type": "boolean"},
            "relevance": {"type": "integer", "minimum": 1, "maximum": 5},
            "evidence_type": {"type": "string", "enum": list(kinds)},
            "rationale": {"type": "string", "maxLength": 100},
        },
        "required": ["gene_mention_valid", "relevance", "evidence_type"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": dict.fromkeys(numbers, grade),
        "required": list(numbers),
        "additionalProperties": False,
    }
