"""Builders of small OBO and HPOA files, as text."""

OBO_HEADER = "format-version: 1.2\ndata-version: hp/releases/2025-01-16\nontology: hp\n\n"
HPOA_COLUMNS = [
    "database_id",
    "disease_name",
    "qualifier",
    "hpo_id",
    "reference",
    "evidence",
    "onset",
    "frequency",
    "sex",
    "modifier",
    "aspect",
    "biocuration",
]


def stanza(term_id: str, *clauses: str) -> str:
    return "\n".join(["[Term]", f"id: {term_id}", f"name: term {term_id[-1]}", *clauses]) + "\n\n"


def hpoa_line(**fields: str) -> str:
    defaults = {
        "database_id": "OMIM:100001",
        "disease_name": "Disease one",
        "hpo_id": "HP:0000001",
        "reference": "PMID:1",
        "evidence": "PCS",
        "aspect": "P",
        "biocuration": "HPO:x[2020-01-01]",
    }
    return "\t".join((defaults | fields).get(column, "") for column in HPOA_COLUMNS)


def hpoa_text(*lines: str, header: str = "\t".join(HPOA_COLUMNS), version: str = "#version: 2025-01-16") -> str:
    return "\n".join(["#description: test", version, header, *lines]) + "\n"
