"""Whether a series holds gene expression: not only microRNA, methylation, genotypes, copy numbers or binding.

Uses the form of the ids and of the annotation first, then the words of the background; also says when samples look
as if they were not human.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from genoplatform.expression.curation.facts import CohortFacts
from genoplatform.expression.curation.identifiers import commonest_kind

_NOT_EXPRESSION = {"mirna": "microRNA", "methylation": "methylation", "snp": "genotype"}
_ANNOTATION_OF = (
    ("methylation", re.compile(r"ilmnstrand|allelea_probeseq|mapinfo|cpg_island|relation_to_ucsc", re.IGNORECASE)),
    ("microRNA", re.compile(r"mirna_?id|mirna_list|mature_?mirna", re.IGNORECASE)),
    ("genotype", re.compile(r"snp_?id|dbsnp|allele_?[ab]$", re.IGNORECASE)),
)
_OTHER_ASSAY = (
    ("microRNA", r"\bmi(?:cro)?rnas?\b|\bsmall (?:non-?coding )?rnas?\b|\bsncrnas?\b"),
    ("methylation", r"\bmethylation (?:array|profil|beadchip|data|450|epic)|\bmethylomes?\b|\bdna methylation\b"),
    ("genotype", r"\bsnp arrays?\b|\bgenotyping\b|\bsnp genotyp|\bgenome-wide association"),
    (
        "copy number",
        r"\bcopy number (?:array|data|profil)|\barray cgh\b|\bacgh\b|\bcomparative genomic hybridi[sz]ation",
    ),
    ("binding", r"\bchip-?seq\b|\bchip-chip\b|\bcut&run\b|\bcut&tag\b|\batac-?seq\b|\bchromatin accessibility\b"),
    ("protein", r"\bproteom|\bprotein arrays?\b|\bolink\b|\bmass spectrometry\b"),
)
_EXPRESSION = re.compile(
    r"\bm-?rnas?\b|\bgene[- ]expression|\bgenes? (?:and|&|/) ?mi(?:cro)?rna|\bexpression of genes?\b"
    r"|\bexpression (?:profil|data|array|pattern|signature|microarray)|\btranscript(?:ome|omic|ional)|\btotal rna\b"
    r"|\brna[- ]?seq|\brna sequencing|\bmicroarrays?\b|\bgene array|\bgenechip|\bwhole[- ]genome (?:array|oligo)"
    r"|\blncrna|\bdifferentially expressed genes?",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\bgenes? (?:and|&|/) ?mi(?:cro)?rna|\bm-?rnas?\b|\bgene expression\b", re.IGNORECASE)
_SEQUENCING = re.compile(
    r"\bs[cn] ?rna-?seq|\bsingle[- ](?:cell|nucle(?:us|i)) (?:rna|transcriptom|sequenc)|\bsmart-?seq"
    r"|\brna-?seq(?:uencing)?\b|\brna sequencing\b|\bcells total were sequenced",
    re.IGNORECASE,
)
_ARRAY = re.compile(
    r"array|affymetrix|beadchip|illumina human|agilent|genechip|hybridi[sz]|nanostring|ncounter|u133|hugene|clariom"
    r"|codelink",
    re.IGNORECASE,
)
_STRAIN = re.compile(r"\bc57bl|\bbalb/?c\b|\bfvb\b|\bsprague|\bwistar\b|\b129s|\bmus musculus\b|\bB6\b", re.IGNORECASE)


@dataclass(frozen=True)
class Availability:
    """Whether gene expression is available, why, and a warning where the samples do not look human (else "")."""

    available: bool
    why: str
    species: str = ""


def gene_expression(facts: CohortFacts) -> Availability:
    """Judge a series: ids decide, then the annotation, then the background text."""
    species = _species(facts)
    kind = commonest_kind(facts.first_ids)
    if kind in _NOT_EXPRESSION:
        return Availability(
            False, f"the ids are {_NOT_EXPRESSION[kind]} ids ({', '.join(facts.first_ids[:3])})", species
        )
    mixed = _BOTH.search(_title(facts.background))  # the platform shown may be another than that of the genes
    for assay, columns in _ANNOTATION_OF if kind in (None, "number", "other") and not mixed else ():
        found = [c for c in facts.annotation if columns.search(c)]
        if found:
            return Availability(False, f"the platform table is one of {assay} ({found[0]})", species)
    if kind is not None and kind not in {"number", "other"}:
        return Availability(True, f"the ids are of kind {kind} ({', '.join(facts.first_ids[:3])})", species)
    return _from_text(facts.background, species, has_ids=bool(facts.first_ids))


def _from_text(background: str, species: str, *, has_ids: bool) -> Availability:
    title, text = _title(background), _body(background)
    for assay, pattern in _OTHER_ASSAY:
        in_title = re.search(pattern, title, re.IGNORECASE)
        if in_title and not _EXPRESSION.search(title):
            return Availability(
                False, f"the title speaks of {assay} ({in_title.group(0)}) and not of gene expression", species
            )
        anywhere = re.search(pattern, text, re.IGNORECASE)
        if anywhere and not _EXPRESSION.search(text + " " + title):
            return Availability(
                False, f"the text speaks of {assay} ({anywhere.group(0)}) and not of gene expression", species
            )
    sequencing = _SEQUENCING.search(title + " " + text)
    if sequencing and not has_ids and not _ARRAY.search(title + " " + text):
        return Availability(
            False, f"a sequencing series ({sequencing.group(0)}): its matrix file holds no values", species
        )
    found = _EXPRESSION.search(title + " " + text)
    return Availability(
        True, f"the background speaks of {found.group(0)!r}" if found else "nothing speaks against it", species
    )


def _title(background: str) -> str:
    return " ".join(re.findall(r"^!Series_title\s*(.*)$", background, re.MULTILINE))


def _body(background: str) -> str:
    lines = re.findall(r"^!Series_(?:summary|overall_design)\s*(.*)$", background, re.MULTILINE)
    return " ".join(lines) if lines else background


def _species(facts: CohortFacts) -> str:
    for row in facts.characteristics:
        if re.search(r"strain|organism|species", row.key, re.IGNORECASE):
            strain = next((v for v in row.values if _STRAIN.search(v)), None)
            if strain:
                return f"samples do not look human: {strain!r}"
    return ""
