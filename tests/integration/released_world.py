"""A release of our own making in the published layout: 24 cases of 12 publications, three systems, and its claims.

M hits 9 of 12 exposed and 3 of 12 other cases, S all but two, K every third case. On the standard lists one file of K
is missing and one holds 49 candidates.
"""

import json
from dataclasses import dataclass
from math import log1p
from pathlib import Path

import yaml
from tiny import profiles

from genoplatform.prioritisation.released.layout import CELLS, DIFFICULTIES
from genoplatform.settings.profiles import PROFILES_FILE

DIRECTORIES = {system: cell for cell, system in CELLS.items()}
EVALS = {difficulty: name for name, difficulty in DIFFICULTIES.items() if name.startswith("eval_")}
SYSTEMS = {"standard": ("K", "M", "S"), "hard": ("K", "M")}
CATEGORIES = ("developmental", "immunological", "metabolic", "neurological")


@dataclass(frozen=True)
class Case:
    """Two cases a publication; publications take turns in being exposed; the first half is older than 2020."""

    number: int

    @property
    def gene(self) -> str:
        return f"TG{self.number + 1:02d}"

    @property
    def pmid(self) -> str:
        return str(30000000 + self.number // 2)

    @property
    def case_id(self) -> str:
        return f"{self.gene}:PMID_{self.pmid}_patient_{self.number}"

    @property
    def category(self) -> str:
        return CATEGORIES[self.number % 4]

    @property
    def exposed(self) -> int:
        return 1 - self.number // 2 % 2

    @property
    def rows(self) -> tuple[int, int]:
        """Annotation rows of the disease, and those that cite the publication."""
        return 4 + self.number + 3 * self.exposed, 3 * self.exposed

    @property
    def date(self) -> str:
        return f"{2010 + self.number}-03-04"

    def candidates(self, difficulty: str) -> list[str]:
        genes = [f"{difficulty.upper()}{n:02d}" for n in range(49)]
        return [*genes[: self.number], self.gene, *genes[self.number :]]


CASES = sorted((Case(number) for number in range(24)), key=lambda case: case.case_id)
MISSING = ("K", "standard", Case(3).case_id)
REFUSED = ("K", "standard", Case(5).case_id)


def place_of(system: str, case: Case, difficulty: str) -> int:
    """Rank of the causal gene; on hard lists every other case stands one place lower."""
    n = case.number
    hit = {"K": n % 3 == 0, "M": n % 2 == 0 if n < 12 else case.exposed == 1, "S": n not in (1, 2)}[system]
    return (1 if hit else 2 + n) + (difficulty == "hard" and n % 2)


def rank_file(case: Case, place: int, difficulty: str) -> list[dict]:
    """The causal gene at its place among the case's candidates, confidences falling."""
    others = [symbol for symbol in case.candidates(difficulty) if symbol != case.gene]
    genes = [*others[: place - 1], case.gene, *others[place - 1 :]]
    return [
        {
            "symbol": symbol,
            "is_causal": symbol == case.gene,
            "aggregate_confidence": round(1 - rank / 50, 2),
            "supporting_chunks": [],
            "final_rank": rank,
        }
        for rank, symbol in enumerate(genes, 1)
    ]


def ranking_path(root: Path, system: str, case: Case, difficulty: str) -> Path:
    return root / EVALS[difficulty] / DIRECTORIES[system] / f"{case.case_id}.json"


def write_release(root: Path) -> None:
    """Cohort files, and a ranking a system, case and difficulty."""
    for difficulty, systems in SYSTEMS.items():
        for system in systems:
            for case in CASES:
                key, path = (system, difficulty, case.case_id), ranking_path(root, system, case, difficulty)
                path.parent.mkdir(parents=True, exist_ok=True)
                entries = rank_file(case, place_of(system, case, difficulty), difficulty)
                if key != MISSING:
                    path.write_text(json.dumps(entries[:49] if key == REFUSED else entries))
    for name, difficulty in (("test_cases.jsonl", "standard"), ("test_cases_hard.jsonl", "hard")):
        (root / name).write_text("".join(json.dumps(_record(case, difficulty)) + "\n" for case in CASES))
    records = [_overlap(case) for case in CASES]
    (root / "annotation_overlap.json").write_text(json.dumps({"meta": {"n": 24, "n_overlap": 12}, "records": records}))
    (root / "pmid_dates.json").write_text(json.dumps({"dates": {case.pmid: case.date for case in CASES}}))
    (root / "case_table.csv").write_text("\n".join([_COUNTS, *map(_counts, CASES)]) + "\n")


_COUNTS = "case_id,category,source_pmid,overlap,rows_total,rows_own_pmid,annotation_density,log_density"


def _counts(case: Case) -> str:
    total, own = case.rows
    cells = [case.case_id, case.category, case.pmid, case.exposed, total, own, total - own, log1p(total - own)]
    return ",".join(map(str, cells))


def _record(case: Case, difficulty: str) -> dict:
    return {
        "case_id": case.case_id,
        "category": case.category,
        "hpo_terms": ["HP:9000101", "HP:9000201", "HP:9000301"],
        "diseases": [{"id": f"OMIM:9000{case.number + 1:02d}", "label": "made up"}],
        "causal_gene": case.gene,
        "candidate_genes": case.candidates(difficulty),
        "causal_gene_index_in_candidates": case.number,
    }


def _overlap(case: Case) -> dict:
    return {
        "case_id": case.case_id,
        "source_pmid": f"PMID:{case.pmid}",
        "omim_ids": [f"OMIM:9000{case.number + 1:02d}"],
        "category": case.category,
        "overlap": case.exposed,
        "matching_rows": case.rows[1],
        "matching_hpo_ids": ["HP:9000101"] * case.exposed,
    }


def released_profile(file: Path, variable: str, claims: Path) -> None:
    """Add the package's profile `released` to a profiles file, on the inputs of the tiny world."""
    tiny = profiles()["embedded"]
    profile = yaml.safe_load(PROFILES_FILE.read_text())["released"]
    slots = tiny["slots"] | {"hpoa_history": None, "released": f"directory:{variable}"}
    inference = profile["inference"] | {"bootstrap_draws": 50, "permutation_draws": 50}
    content = yaml.safe_load(file.read_text())
    content["released"] = profile | {"slots": slots, "inference": inference, "claims": str(claims)}
    file.write_text(yaml.safe_dump(content))


def own_claims() -> str:
    """Seven numbers that follow from what the systems were made to do; counted by hand."""
    return """\
tables:
- title: top-1
  source: counted by hand
  artefact: eval/inference/evaluation[standard].metrics
  where: {metric: top1}
  keys: [system, subset]
  columns: [value]
  rows:
  - [M, full, "0.500000"]      # 12 of 24
  - [S, full, "0.916667"]      # 22 of 24
  - [K, full, "0.291667"]      # every third of 24, less the missing file
  - [M, overlap_absent, "0.250000"]
- title: paired
  artefact: eval/inference/evaluation[standard].contrasts
  keys: [subset, system_a, system_b]
  columns: [delta]
  rows:
  - [full, S, M, "0.416667"]
- title: interaction
  artefact: eval/inference/analyses[standard].did_mixed
  keys: [system, reference]
  columns: [coef]
  rows:
  - [S, M, "0.5000"]           # shifts: S 11/12 - 11/12, M 3/12 - 9/12
- title: perfect
  artefact: eval/inference/analyses[hard].perfect_cells
  keys: [system, top_k]
  columns: [hits]
  rows:
  - [M, 1, 3]                  # the hits on cases 2, 6 and 10
"""
