"""The released ranks of cells S and M as files, through profile `released` to `genoplatform audit claims`.

The 1,047 released cases with candidate lists made up around their genes; the 88 post-2020 overlap-absent cases of both
cells get a file with the released rank, all other files are missing. What the paper claims of these 88 must come out,
and every other claim that needs a rank must fail: the gate sees what is not there.
"""

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml
from released_panel import reference
from typer.testing import CliRunner

from genoplatform.cli import app
from genoplatform.inference.rank_audit import family_wise
from genoplatform.settings.profiles import PROFILES_FILE, load_profile

pytestmark = pytest.mark.shared

SUBSET = "post2020_overlap_absent"
CELLS = {"S": "cell_S_rerank_inside_plus_lea", "M": "cell_M_lirical_hpo_only"}
OTHERS = [f"OTHER{n}" for n in range(49)]
VARIABLE = "GENOPLATFORM_RELEASED"


def ranking(causal: str, rank: int) -> list[dict]:
    genes = [*OTHERS[: rank - 1], causal, *OTHERS[rank - 1 :]]
    return [
        {"symbol": gene, "is_causal": gene == causal, "aggregate_confidence": 1 - place / 50, "final_rank": place}
        for place, gene in enumerate(genes, 1)
    ]


def write_release(root: Path, shared: Path) -> None:
    released = shared / "released"
    root.mkdir()
    for name in ("case_table.csv", "pmid_dates.json"):
        (root / name).write_bytes((released / name).read_bytes())
    table = pd.read_csv(released / "case_table.csv", dtype={"source_pmid": "str"})
    records, overlap = [], []
    for case in table.itertuples():
        gene = case.case_id.split(":")[0]
        records.append(
            {
                "case_id": case.case_id,
                "category": case.category,
                "hpo_terms": ["HP:0000118"],
                "diseases": [],
                "causal_gene": gene,
                "candidate_genes": [gene, *OTHERS],
                "causal_gene_index_in_candidates": 0,
            }
        )
        overlap.append(
            {
                "case_id": case.case_id,
                "source_pmid": f"PMID:{case.source_pmid}",
                "category": case.category,
                "overlap": case.overlap,
                "matching_rows": case.rows_own_pmid,
            }
        )
    (root / "test_cases.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (root / "annotation_overlap.json").write_text(json.dumps({"records": overlap}))
    ranks = pd.read_csv(released / "ranks_post2020_overlap_absent.csv")
    for system, cell in CELLS.items():
        (root / "eval_1050" / cell).mkdir(parents=True)
        for case_id, rank in zip(ranks["case_id"], ranks[f"rank_{system}"], strict=True):
            entries = ranking(case_id.split(":")[0], int(rank))
            (root / "eval_1050" / cell / f"{case_id}.json").write_text(json.dumps(entries))


def run_released(tmp_path: Path, home: Path) -> None:
    """The evaluation of profile `released`, its slots filled from a tiny world: the release brings all that counts."""
    import homes
    import tiny

    world = tiny.write_world(tmp_path / "world")
    profile = yaml.safe_load(PROFILES_FILE.read_text())["released"]
    slots = tiny.profiles()["embedded"]["slots"] | {"hpoa_history": None, "released": f"directory:{VARIABLE}"}
    world.profiles.write_text(yaml.safe_dump({"released": profile | {"slots": slots}}))
    opened = homes.open_home(home, world, "released")
    opened.run('+key:"eval/inference/evaluation"', partition="standard")


@pytest.fixture
def answer(shared, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "integration")
    write_release(tmp_path / "release", shared)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "release"))
    run_released(tmp_path, tmp_path / "home")
    arguments = ["audit", "claims", "--home", str(tmp_path / "home"), "--profile", "released", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    return json.loads(result.stdout)


def test_the_published_values_of_the_88_cases_are_ok_and_the_missing_files_fail(answer):
    failing = pd.DataFrame(answer["failing"])
    failing = failing[failing["artefact"].str.startswith("eval/inference/evaluation[standard]")]
    mine = failing["cell"].str.contains(f"subset={SUBSET}")
    pair = failing["cell"].str.contains("system=S|system=M|system_a=S, system_b=M", regex=True)
    assert failing[mine & pair].empty, failing[mine & pair].to_string()
    assert answer["counts"]["OK"] >= 41
    # A missing file is a miss, not a smaller cohort: 1,047 cases, too few hits.
    wrong = failing.set_index("name")["status"]
    assert wrong["stratum table, standard: S full top1 count"] == "MISMATCH"
    assert "stratum table, standard: S full n" not in wrong
    # Cells without a single file are not there at all, and neither are the hard lists.
    assert wrong["stratum table, standard: K full top1"] == "NO_ARTEFACT"
    assert not answer["ok"]


@pytest.mark.parametrize("difficulty", ["standard", "hard"])
def test_families_of_the_profile_adjust_the_published_p_values_as_published(shared, difficulty):
    """wp4: Holm and Benjamini-Hochberg on the cluster permutation p, inside each declared family."""
    published = reference(shared)
    contrasts = pd.DataFrame(
        [
            {"subset": subset, "system_a": pair[0], "system_b": pair[2], "p_cluster": row["p_cluster"]}
            for key, row in published["wp4_contrasts"].items()
            for lists, subset, pair in [key.split("/")]
            if lists == difficulty
        ]
    )
    families = load_profile("released").inference.families[difficulty]
    table = family_wise(contrasts, families)
    assert list(dict.fromkeys(table["family"])) == list(families)
    for family, part in table.groupby("family"):
        stored = published["wp4_multiplicity"][family]
        for column, key in (("p_cluster", "raw"), ("p_holm", "holm"), ("p_bh", "bh")):
            assert part[column].round(6).tolist() == list(stored[key].values())


def test_every_published_family_is_declared(shared):
    declared = load_profile("released").inference.families
    names = {name for families in declared.values() for name in families}
    assert names == set(reference(shared)["wp4_multiplicity"]) - {"basis"}
