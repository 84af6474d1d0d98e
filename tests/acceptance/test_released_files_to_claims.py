"""From released files to the verdict on the paper's claims, without inference.

The rankings of the 88 cases of subset post2020_overlap_absent are made up around the released ranks of cells S and M;
everything that depends on ranks must then come out as published: point values, intervals, the paired contrast.
"""

import json
import math
import tarfile
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pandas as pd
import pytest
from released_panel import count_consistent_panel

from genoplatform.inference import density, did, recency, standardise, weights
from genoplatform.inference.case_items import case_items
from genoplatform.inference.claims import Claim, audit_claims, failing, named_tables, read_claims
from genoplatform.inference.evaluate import evaluate_items
from genoplatform.inference.panel import build_panel
from genoplatform.inference.zero_density import zero_density
from genoplatform.prioritisation.released import read_case_table, read_rankings
from genoplatform.settings import profiles

pytestmark = pytest.mark.shared

SUBSET = "post2020_overlap_absent"
CELLS = {"S": "cell_S_rerank_inside_plus_lea", "M": "cell_M_lirical_hpo_only"}
PAPER = Path(profiles.__file__).parent / "claims" / "paper.yml"
Files = dict[str, list[dict]]


@pytest.fixture(scope="module")
def paper() -> list[Claim]:
    return read_claims(PAPER)


@pytest.fixture(scope="module")
def claims(paper) -> list[Claim]:
    """Those that cells S and M on the 88 cases decide."""
    chosen = [c for c in paper if c.where.get("subset") == SUBSET and "evaluation[standard]" in c.artefact]
    chosen = [c for c in chosen if {c.where.get("system", "S"), c.where.get("system_b", "M")} <= {"S", "M"}]
    assert len(chosen) == 2 * (10 + 4) + 13
    return chosen


@pytest.fixture(scope="module")
def cases(shared) -> pd.DataFrame:
    released = shared / "released"
    return read_case_table(released / "case_table.csv", pmid_dates=released / "pmid_dates.json")


@pytest.fixture(scope="module")
def files(shared) -> Files:
    """Path -> ranking, 2 cells x 88 cases."""
    ranks = pd.read_csv(shared / "released" / "ranks_post2020_overlap_absent.csv")
    return {
        f"eval_1050/{directory}/{case_id}.json": ranking(case_id.split(":")[0], int(rank))
        for system, directory in CELLS.items()
        for case_id, rank in zip(ranks["case_id"], ranks[f"rank_{system}"], strict=True)
    }


def ranking(causal: str, rank: int) -> list[dict]:
    """Fifty candidates in the released layout, the causal gene at its rank."""
    others = iter(f"OTHER{i}" for i in range(50))
    genes = [causal if place == rank else next(others) for place in range(1, 51)]
    return [
        {
            "symbol": gene,
            "is_causal": gene == causal,
            "aggregate_confidence": round(1 - place / 50, 4),
            "supporting_chunks": [],
            "final_rank": place,
        }
        for place, gene in enumerate(genes, 1)
    ]


def write(root: Path, files: Files) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(json.dumps(content, indent=2))
    return root


def artefacts(root: Path, cases: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """What a run over the released files stores: the evaluation's tables under the names the claims use."""
    subset = cases[(cases["publication_year"] >= 2020) & (cases["exposed"] == 0)]
    ranks = read_rankings(root, case_ids=subset["case_id"]).ranks("standard")
    items = case_items(subset, ranks, recency_boundary=2020)
    result = evaluate_items(items, [("S", "M")])
    tables = {"metrics": result.metrics, "contrasts": result.contrasts}
    return named_tables("eval/inference/evaluation", "standard", tables)


def test_released_files_give_every_published_value(tmp_path, files, cases, claims):
    audit = audit_claims(claims, artefacts(write(tmp_path, files), cases))
    assert failing(audit).empty, failing(audit).to_string()
    assert (audit["status"] == "OK").sum() == 41


def test_an_archive_gives_the_same_verdict_and_is_not_extracted(tmp_path, files, cases, claims):
    path = tmp_path / "deposit.tar.xz"
    with tarfile.open(path, "w:xz") as archive:
        for name, content in files.items():
            data = json.dumps(content).encode()
            info = tarfile.TarInfo(f"deposit/{name}")
            info.size = len(data)
            archive.addfile(info, BytesIO(data))
    assert failing(audit_claims(claims, artefacts(path, cases))).empty
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_one_changed_digit_in_any_claim_is_a_mismatch_and_named(tmp_path, files, cases, claims):
    tables = artefacts(write(tmp_path, files), cases)
    for claim in claims:
        head, _, decimals = claim.value.partition(".")
        wrong = f"{head}.{(int(decimals[0]) + 5) % 10}{decimals[1:]}" if decimals else str(int(head) + 1)
        audit = failing(audit_claims([replace(c, value=wrong) if c is claim else c for c in claims], tables))
        assert audit[["name", "status"]].to_numpy().tolist() == [[claim.name, "MISMATCH"]]


def test_a_last_digit_off_by_one_stops_the_gate_too(tmp_path, files, cases, claims):
    tables = artefacts(write(tmp_path, files), cases)
    (claim,) = (c for c in claims if c.name == f"contrast, standard: {SUBSET} S M delta")
    assert claim.value == "0.079545"
    audit = failing(audit_claims([replace(claim, value="0.079546")], tables))
    assert audit[["name", "status"]].to_numpy().tolist() == [[claim.name, "ROUNDING"]]


def change(files: Files, system: str, case_id: str, edit: Callable[[list[dict]], list[dict]]) -> Files:
    name = f"eval_1050/{CELLS[system]}/{case_id}.json"
    return {**files, name: edit(json.loads(json.dumps(files[name])))}


def second_place(entries: list[dict]) -> list[dict]:
    """The first two candidates change places."""
    entries[0]["final_rank"], entries[1]["final_rank"] = 2, 1
    return entries


def test_one_changed_rank_in_one_file_is_a_mismatch_and_names_the_cell(tmp_path, files, cases, claims):
    changed = change(files, "S", "COL3A1:PMID_36189931_13", second_place)
    audit = failing(audit_claims(claims, artefacts(write(tmp_path, changed), cases)))
    mismatched = set(audit.loc[audit["status"] == "MISMATCH", "name"])
    assert {f"stratum table, standard: S {SUBSET} {name}" for name in ("top1", "top1 count", "mrr")} <= mismatched
    assert {f"contrast, standard: {SUBSET} S M {name}" for name in ("correct_a", "delta", "c")} <= mismatched
    assert not any(": M " in name for name in audit["name"])


@pytest.mark.parametrize("damage", ["missing", "invalid"])
def test_a_missing_or_invalid_file_is_a_miss_and_fails_the_claims(tmp_path, files, cases, claims, damage):
    case_id = "COL3A1:PMID_36189931_13"
    if damage == "missing":
        broken = {name: content for name, content in files.items() if not name.endswith(f"{CELLS['S']}/{case_id}.json")}
    else:
        broken = change(files, "S", case_id, lambda entries: entries[:49])
    root = write(tmp_path, broken)
    found = read_rankings(root, case_ids=[name.split("/")[2].removesuffix(".json") for name in files])
    row = found.coverage.set_index("system").loc["S"]
    assert (row["expected"], row["valid"], row[damage]) == (88, 87, 1)
    ranks = found.ranks("standard").set_index(["system", "case_id"])["rank"]
    assert math.isnan(ranks["S", case_id])
    audit = failing(audit_claims(claims, artefacts(root, cases)))
    assert f"stratum table, standard: S {SUBSET} top10 count" in set(audit["name"])
    metrics = artefacts(root, cases)["eval/inference/evaluation[standard].metrics"]
    assert metrics["n"].unique().tolist() == [88], "a miss, not a smaller cohort"


def test_the_released_case_table_is_the_published_cohort(cases):
    """Sections 4.3 and 5, and the weights of wp5."""
    assert len(cases) == 1047
    assert cases["cluster"].nunique() == 415
    assert cases["exposed"].sum() == 765
    assert (cases["publication_year"] >= 2020).sum() == 446
    assert (cases["year_source"] == "file").all()
    weight = (1 / cases["inclusion_probability"]).groupby(cases["category"]).first().round(6).to_dict()
    published = {"developmental": 1.856, "immunological": 1.3, "metabolic": 2.688, "neurological": 12.728745}
    assert weight == published


COUNTED = ("n", "n_publications", "hits", "rate", "present", "absent", "shift", "difference", "coef", "n_obs", "ht")
COUNTED += ("n_groups", "std_present", "std_absent", "shift_crude", "shift_std", "unweighted", "equal", "gradient")
COUNTED += ("versus_reference", "mean", "q25", "median", "q75", "zero", "mwu_u", "mwu_p", "density_min", "density_max")
COUNTED += ("n_present", "n_absent", "before", "after", "n_before", "n_after")
"""Columns that follow from counts; the others need the released outcome of each case."""


def test_claims_that_follow_from_counts_hold_on_a_cohort_that_meets_the_counts(shared, paper):
    """The six systems of the difference-in-differences: right tables, right rows, right columns, right values."""
    panel = build_panel(count_consistent_panel(shared))
    result, zero = did.difference_in_differences(panel, "M", draws=20), zero_density(panel, "M", draws=20)
    standard = standardise.standardise(panel)
    quintiles, pooled = density.quintile_shifts(panel)
    pairs = [("S", "K"), ("S", "M"), ("S", "O"), ("M", "K")]
    analyses = {
        "did_shifts": result.shifts,
        "did_differences": result.differences,
        "did_mixed": result.mixed,
        "standardised": standard.rates,
        "standardised_strata": standard.strata,
        "weighted": weights.weighted_rates(panel, draws=20),
        "weighted_deltas": weights.weighted_deltas(panel, pairs, draws=20),
        "density_by_overlap": density.density_by_overlap(panel.cases, ["rows_total", "density"]),
        "quintile_strata": quintiles,
        "quintiles": pooled,
        "zero_density": zero.strata,
        "zero_gradients": zero.gradients,
        "recency": recency.recency_shifts(panel, draws=20),
    }
    tables = named_tables("eval/inference/analyses", "standard", analyses)
    chosen = [c for c in paper if c.artefact in tables and c.column in COUNTED and c.where.get("system") != "N"]
    assert len(chosen) == 558
    wrong = failing(audit_claims(chosen, tables))
    assert wrong.empty, wrong[["name", "status", "claimed", "found", "detail"]].to_string()
