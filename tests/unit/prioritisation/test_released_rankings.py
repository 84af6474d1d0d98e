import math

import pandas as pd
import pytest
from released_examples import CELL_M, CELL_S, SIZE, ranking, release, write_directory, write_tar, write_zip

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.inference.candidate_lists import candidate_lists
from genoplatform.inference.perfect_cells import perfect_cells
from genoplatform.inference.tie_audit import tie_audit
from genoplatform.prioritisation.ranking import RANK_COLUMNS
from genoplatform.prioritisation.released import read_leaks, read_rankings
from genoplatform.prioritisation.released.rankings import ReleasedRankings

FIRST, SECOND = "CAUSE:PMID_1_a", "CAUSE:PMID_2_b"
CANDIDATES = pd.DataFrame(
    {
        "case_id": [FIRST, SECOND],
        "difficulty": "standard",
        "candidate_genes": [["A", "B", "CAUSE"], ["CAUSE", "A", "B"]],
        "causal_index": [2, 0],
    }
)


def read(tmp_path, files, **options) -> ReleasedRankings:
    return read_rankings(write_directory(tmp_path / "release", files), list_size=SIZE, **options)


def ranks_of(found: ReleasedRankings) -> dict[tuple[str, str], float]:
    table = found.ranks("standard")
    return dict(zip(zip(table["system"], table["case_id"], strict=True), table["rank"], strict=True))


def test_ranks_are_the_final_ranks_and_a_missing_file_is_a_miss(tmp_path):
    found = read(tmp_path, release())
    table = found.ranks("standard")
    assert table.columns.tolist() == list(RANK_COLUMNS)
    assert table.drop(columns="rank").to_numpy().tolist() == [
        ["M", FIRST, 3, 1, "as_listed"],
        ["M", SECOND, 3, 0, "as_listed"],
        ["S", FIRST, 3, 1, "as_listed"],
        ["S", SECOND, 3, 2, "as_listed"],
    ]
    assert table["rank"].fillna(-1).tolist() == [3, -1, 1, 2]
    assert found.coverage.to_numpy().tolist() == [["standard", "M", 2, 1, 0, 1], ["standard", "S", 2, 2, 0, 0]]
    assert (found.report["valid"], found.report["missing"], found.report["rejected"]) == (3, 1, 0)


def test_scores_stand_in_the_systems_own_order_even_where_confidence_does_not_fall(tmp_path):
    scored = read(tmp_path, release()).scored("standard")
    part = scored[(scored["system"] == "S") & (scored["case_id"] == SECOND)]
    assert part[["gene", "score", "candidate_index"]].to_numpy().tolist() == [
        ["A", 0.2, 0],
        ["CAUSE", 0.7, 1],
        ["B", 0.7, 2],
    ]
    assert read(tmp_path, release()).scored("hard").empty
    assert read(tmp_path, release()).ranks("hard").empty


@pytest.mark.parametrize("name", ["deposit.zip", "deposit.tar.gz", "deposit.tar.xz"])
def test_an_archive_gives_what_the_directory_gives(tmp_path, name):
    write = write_zip if name.endswith("zip") else write_tar
    files = {f"geno-1.0/data/{path}": content for path, content in release().items()}
    found = read_rankings(write(tmp_path / name, files), list_size=SIZE)
    pd.testing.assert_frame_equal(found.lists, read(tmp_path, release()).lists)
    assert {path.name for path in tmp_path.iterdir()} == {name, "release"}, "nothing is extracted"


def test_several_containers_are_read_as_one(tmp_path):
    halves = [dict(list(release().items())[:2]), dict(list(release().items())[2:])]
    paths = [write_zip(tmp_path / f"{i}.zip", half) for i, half in enumerate(halves)]
    assert ranks_of(read_rankings(*paths, list_size=SIZE))["M", FIRST] == 3


def test_an_invalid_file_is_listed_and_its_case_is_a_miss(tmp_path):
    files = release() | {f"{CELL_S}/{SECOND}.json": ranking("A", "CAUSE"), f"{CELL_M}/{SECOND}.json": b"{"}
    found = read(tmp_path, files)
    assert found.rejected[["system", "case_id", "reason"]].to_numpy().tolist() == [
        ["M", SECOND, "not-json"],
        ["S", SECOND, "list-size"],
    ]
    assert found.coverage[["valid", "invalid", "missing"]].to_numpy().tolist() == [[1, 1, 0], [1, 1, 0]]
    assert (found.report["list-size"], found.report["not-json"]) == (1, 1)
    assert math.isnan(ranks_of(found)["S", SECOND])


def test_a_system_without_a_valid_file_misses_every_case(tmp_path):
    found = read(tmp_path, release() | {f"{CELL_M}/{FIRST}.json": b"[]"}, candidates=CANDIDATES)
    assert [math.isnan(ranks_of(found)["M", case]) for case in (FIRST, SECOND)] == [True, True]
    assert found.coverage.to_numpy().tolist()[0] == ["standard", "M", 2, 0, 1, 1]


def test_files_are_held_against_the_candidate_lists(tmp_path):
    files = release() | {
        f"{CELL_S}/{FIRST}.json": ranking("CAUSE", "B", "OTHER"),
        f"{CELL_S}/{SECOND}.json": ranking("A", "CAUSE", "B", causal="A"),
        f"{CELL_M}/CAUSE:PMID_3.json": ranking("A", "CAUSE", "B"),
    }
    found = read(tmp_path, files, candidates=CANDIDATES)
    assert found.rejected[["system", "reason", "detail"]].to_numpy().tolist() == [
        ["M", "unknown-case", "CAUSE:PMID_3 is not a case of the standard cohort"],
        ["S", "other-candidates", "2 symbols differ from the case's list: A, OTHER"],
        ["S", "other-causal", "A is marked causal, the case's gene is CAUSE"],
    ]


def test_case_ids_alone_set_the_cohort(tmp_path):
    found = read(tmp_path, release(), case_ids=[FIRST, SECOND, "CAUSE:PMID_9"])
    assert found.coverage["missing"].tolist() == [2, 1]
    assert math.isnan(ranks_of(found)["S", "CAUSE:PMID_9"])


def test_file_names_whose_colon_was_replaced_are_recognised_where_the_cohort_is_known(tmp_path):
    files = {name.replace(":", "_"): content for name, content in release().items()}
    assert ranks_of(read(tmp_path, files, candidates=CANDIDATES)) == pytest.approx(
        {("M", FIRST): 3, ("M", SECOND): math.nan, ("S", FIRST): 1, ("S", SECOND): 2}, nan_ok=True
    )


def test_a_second_file_of_a_case_is_refused_not_chosen_silently(tmp_path):
    twice = {f"copy/{name}": content for name, content in release().items()}
    twice[f"copy/{CELL_S}/{FIRST}.json"] = ranking("A", "B", "CAUSE")
    found = read_rankings(
        write_directory(tmp_path / "a", release()), write_directory(tmp_path / "b", twice), list_size=SIZE
    )
    assert found.report["second-file"] == 3
    assert found.rejected["detail"].str.startswith("another").sum() == 1
    assert ranks_of(found)["S", FIRST] == 1


def test_systems_that_ranked_other_genes_for_one_case_are_counted(tmp_path):
    files = release() | {f"{CELL_M}/{FIRST}.json": ranking("B", "OTHER", "CAUSE")}
    assert read(tmp_path, files).report["candidate_sets_differ"] == 1
    assert read(tmp_path / "same", release()).report["candidate_sets_differ"] == 0


def test_unsafe_members_are_listed_and_sidecars_counted(tmp_path):
    files = release() | {
        f"../{CELL_S}/{FIRST}.json": b"[]",
        f"__MACOSX/{CELL_S}/._{FIRST}.json": b"x",
        f"eval_1050/cell_S_responses/{FIRST}.json": b"{}",
        "manifest.json": b"{}",
    }
    found = read_rankings(write_zip(tmp_path / "d.zip", files), list_size=SIZE)
    assert found.rejected["reason"].tolist() == ["unsafe-path", "hidden"]
    assert (found.report["files"], found.report["not_rankings"]) == (7, 2)
    assert found.case_ids == {"standard": [FIRST, SECOND]}


def test_a_cell_outside_any_cohort_directory_is_refused(tmp_path):
    files = release() | {f"cell_O_llm_only/{FIRST}.json": ranking("CAUSE", "A", "B")}
    assert read(tmp_path, files).rejected["reason"].tolist() == ["unknown-cohort"]


def test_nothing_to_read_and_damaged_archives_are_errors(tmp_path):
    with pytest.raises(EmptyResultError, match="2 files outside any cell"):
        read(tmp_path, {"a.json": b"[]", "b/c.json": b"[]"})
    with pytest.raises(BadInputError, match=r"nowhere.*does not exist"):
        read_rankings(tmp_path / "nowhere")
    path = write_tar(tmp_path / "cut.tar.xz", release())
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(BadInputError, match=r"reading released files from cut.tar.xz.*broken, truncated"):
        read_rankings(path, list_size=SIZE)


def test_two_lists_of_one_case_cannot_be_the_standard(tmp_path):
    with pytest.raises(BadInputError, match="several candidate lists"):
        read(tmp_path, release(), candidates=pd.concat([CANDIDATES, CANDIDATES]))


def test_the_lists_feed_the_tie_audits(tmp_path):
    found = read(tmp_path, release() | {f"{CELL_M}/{SECOND}.json": ranking("A", "CAUSE", "B", confidence=(1, 1, 0))})
    lists = candidate_lists(found.lists[found.lists["difficulty"] == "standard"], SIZE)
    audit = tie_audit(lists).systems.set_index("system")
    assert audit.loc["M", ["mean_tied", "causal_in_tie", "causal_lost"]].tolist() == [1.5, 1, 1]
    assert perfect_cells(lists, [1]).set_index("system")["tied_cases"].to_dict() == {"M": 1, "S": 1}
    ranks = found.ranks("standard").set_index(["system", "case_id"])["tied"]
    assert (ranks["M", SECOND], ranks["S", SECOND], ranks["S", FIRST]) == (2, 2, 1)


def test_leak_records(tmp_path):
    root = write_directory(
        tmp_path,
        {
            "lopo/leak_S/G:PMID_1.json": b'{"case_id": "G:PMID_1", "source_in_causal_pool": true}',
            "lopo/leak_S/A:PMID_2.json": b'{"case_id": "A:PMID_2", "source_in_causal_pool": false}',
            "lopo/cell_S_lopo/G:PMID_1.json": b"[]",
        },
    )
    assert read_leaks(root).to_numpy().tolist() == [["S", "A:PMID_2", False], ["S", "G:PMID_1", True]]
    for content, message in ((b"[]", "TypeError"), (b'{"case_id": "x", "source_in_causal_pool": 1}', "pool 1")):
        (root / "lopo/leak_S/G:PMID_1.json").write_bytes(content)
        with pytest.raises(BadInputError, match=message):
            read_leaks(root)
    (root / "lopo/leak_S/G:PMID_1.json").write_bytes(b'{"case_id": "A:PMID_2", "source_in_causal_pool": true}')
    with pytest.raises(BadInputError, match="two records"):
        read_leaks(root)
