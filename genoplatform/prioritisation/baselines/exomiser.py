"""Cell K: Exomiser's phenotype-only gene ranking, run by the original program.

Here: what the program is handed and told for each case. Not here: reading its output (exomiser_output.py), running it.

Exomiser reads every phenopacket by the version-1 schema and ignores fields it does not know, so that a version-2
`excluded: true` turns into an observed feature. A case is therefore always written afresh, with its observed terms
only; no phenopacket that was read is ever handed on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import pandas as pd
import yaml

from genoplatform.prioritisation.baselines.exomiser_output import exomiser_scores
from genoplatform.prioritisation.baselines.scoring import BaselineScores, observed, score_baseline
from genoplatform.prioritisation.baselines.tool import INPUT, OUTPUT, ToolJob, ToolRunner
from genoplatform.prioritisation.ties import TieRule

EXOMISER = "exomiser"
EXOMISER_TIE_RULE: TieRule = "alphabetical"
PREFIX = "result"
CREATED = "2026-01-01T00:00:00Z"  # the schema asks for a date; a fixed one keeps the inputs reproducible
HUMAN_ONLY_ANALYSIS = """\
analysisMode: PASS_ONLY
inheritanceModes: {}
frequencySources: []
pathogenicitySources: []
steps: [ hiPhivePrioritiser: { runParams: 'human' } ]
"""


@dataclass(frozen=True)
class ExomiserRecipe:
    """How a case is put to Exomiser.

    Attributes:
        sample: the form of the input file.
        steps: the phenotype-only preset (human, mouse, fish, interactions) or hiPhive over human data alone.
        hpo_release: release date named in a phenopacket's metadata.
        genome_assembly: named in a sample file; application.properties must configure it.
    """

    sample: Literal["phenopacket_v1", "sample_yml"] = "phenopacket_v1"
    steps: Literal["preset", "human_only"] = "preset"
    hpo_release: str = "2026-02-16"
    genome_assembly: Literal["hg19", "hg38"] = "hg38"


PUBLISHED = ExomiserRecipe()
HUMAN_ONLY = ExomiserRecipe("sample_yml", "human_only")


def run_exomiser(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    runner: ToolRunner,
    *,
    recipe: ExomiserRecipe = PUBLISHED,
    system: str = EXOMISER,
) -> BaselineScores:
    """Score every candidate list with Exomiser; rank them with EXOMISER_TIE_RULE, as published.

    Args:
        cases: case_id, hpo_terms.
        candidates: case_id, candidate_genes; one row per case.
        runner: runs Exomiser (genoplatform.resources.exomiser).
        recipe: the published set-up, or another.
        system: label of the result.
    """
    return score_baseline(
        cases,
        candidates,
        runner,
        system=system,
        make_job=lambda row: exomiser_job(row["case_id"], list(row["hpo_terms"]), recipe),
        gene_scores=partial(exomiser_scores, prefix=PREFIX),
    )


def exomiser_job(case_id: str, terms: list[str], recipe: ExomiserRecipe = PUBLISHED) -> ToolJob:
    """The input files and arguments of one case.

    Args:
        case_id: the case.
        terms: its observed terms; repeated ones count once.
        recipe: the set-up.

    Raises:
        BadInputError: a malformed term.
    """
    distinct = observed(terms, case_id)
    if recipe.sample == "phenopacket_v1":
        sample = phenopacket_v1(case_id, distinct, recipe.hpo_release)
    else:
        sample = sample_yml(case_id, distinct, recipe.genome_assembly)
    inputs = {"case.yml": sample}
    steps = ("--preset", "phenotype-only")
    if recipe.steps == "human_only":
        inputs["analysis.yml"] = HUMAN_ONLY_ANALYSIS
        steps = ("--analysis", f"{INPUT}/analysis.yml")
    arguments = (
        *("--sample", f"{INPUT}/case.yml"),
        *steps,
        *("--output-directory", OUTPUT, "--output-filename", PREFIX, "--output-format", "TSV_GENE,JSON"),
    )
    # The JSON repeats the table with every disease model: hundreds of megabytes a cohort that nothing reads.
    return ToolJob(case_id, inputs, arguments, keep=(f"{PREFIX}*.genes.tsv",))


def sample_yml(case_id: str, terms: list[str], genome_assembly: str) -> str:
    """Exomiser's own sample format."""
    return _yaml({"genomeAssembly": genome_assembly, "proband": case_id, "hpoIds": terms})


def phenopacket_v1(case_id: str, terms: list[str], hpo_release: str) -> str:
    """A phenopacket of schema 1.0 with observed features only, labels equal to ids."""
    release = f"hp/releases/{hpo_release}"
    hpo = {
        "id": "hp",
        "name": "Human Phenotype Ontology",
        "url": f"http://purl.obolibrary.org/obo/{release}/hp.obo",
        "version": release,
        "namespacePrefix": "HP",
        "iriPrefix": "http://purl.obolibrary.org/obo/HP_",
    }
    return _yaml(
        {
            "id": case_id,
            "subject": {"id": case_id},
            "phenotypicFeatures": [{"type": {"id": term, "label": term}} for term in terms],
            "metaData": {
                "created": CREATED,
                "createdBy": "genoplatform",
                "resources": [hpo],
                "phenopacketSchemaVersion": "1.0",
            },
        }
    )


def _yaml(content: dict[str, Any]) -> str:
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=10_000)
