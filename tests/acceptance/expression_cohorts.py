"""Linked cohorts of the reference series by the second release's rules, and the known genes the reference run used."""

import json
import lzma
from pathlib import Path

from genoplatform.expression.aliases import Aliases, aliases_of, dictionary_table, read_synonyms
from genoplatform.expression.decisions import CohortDecisions, Variable
from genoplatform.expression.facts_table import CohortTables
from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.preprocess import clinical_table, gene_table, link
from genoplatform.expression.readers.cohort import CohortSource, read_expression
from genoplatform.expression.series_tables import read_chosen_annotation, read_series_tables
from genoplatform.settings.expression import ExpressionSettings

BLADDER, FLU = "Bladder_Cancer|GSE3167", "Influenza|GSE30550"
# The reference run scored influenza against the known genes of COVID-19: 273 of them are measured.
KNOWN_TRAIT = {BLADDER: "Bladder_Cancer", FLU: "COVID-19"}
COMPAT = ExpressionSettings(rules="compat_v2")


def _characteristic(row: int, key: str, kind: str = "binary", **codes: float | None) -> Variable:
    cells = {f"{key}: {value}": code for value, code in codes.items()}
    return Variable(source="characteristics", row=row, key=key, kind=kind, codes=cells)


_DECISIONS = {
    BLADDER: {
        "trait_variable": _characteristic(2, "disease state", Cancer=1, Normal=0, Biopsy=None),
        "needs_mapping": True,
        "id_column": "ID",
        "gene_column": "Gene Symbol",
    },
    FLU: {
        "trait_variable": _characteristic(2, "clinic_pheno", Symptomatic=1, Asymptomatic=0),
        "age_variable": _characteristic(4, "age", "continuous", **{str(age): age for age in range(100)}),
        "gender_variable": _characteristic(3, "gender", Female=0, Male=1),
        "needs_mapping": False,
    },
}


def synonyms(data: Path, folder: Path) -> Aliases:
    """The alias dictionary of rule A.2."""
    path = folder / "gene_synonym.json"
    path.write_bytes(lzma.decompress((data / "gene_synonym_orgHs.json.xz").read_bytes()))
    return aliases_of(dictionary_table(read_synonyms(path)))


def linked_cohort(data: Path, key: str, aliases: Aliases) -> LinkedCohort:
    """A linked cohort with the decisions of the reference run."""
    trait, name = key.split("|")
    source = CohortSource(key, data / "GEO" / trait / name, "first_file")
    decisions = CohortDecisions(
        trait=trait, cohort=name, is_gene_available=True, curator="reference", **_DECISIONS[key]
    )
    facts = CohortTables.from_tables(read_series_tables(source))
    measured = read_expression(source, facts.platform)
    mapping, _ = read_chosen_annotation(source, facts, decisions, COMPAT.rules)
    genes = gene_table(measured, mapping, decisions, aliases, COMPAT)
    return link(genes, clinical_table(facts, decisions, COMPAT), decisions, COMPAT).cohort


def known_genes(data: Path, key: str) -> list[str]:
    """Known genes of the trait, as the reference run had them."""
    info = json.loads((data / "task_info_v1.json").read_text())
    return list(info[KNOWN_TRAIT[key]]["related_genes"])
