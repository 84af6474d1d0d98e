import pytest
from released_examples import CELL_S, write_directory, write_tar, write_zip

from genoplatform.prioritisation.released.layout import Place, iter_members, place_of, stems_of


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("eval_1050/cell_D_multi_hybrid", ("standard", "D")),
        ("release/data/eval_hard/cell_N_rrf_m_s", ("hard", "N")),
        ("eval_hard/old/eval_1050/cell_R_resnik", ("standard", "R")),
        ("lopo/cell_S_lopo", ("standard", "S_lopo")),
        ("eval_1050/cell_Z_home_made", ("standard", "Z_home_made")),
        ("cell_K_exomiser_hpo_only", ("", "K")),
    ],
)
def test_difficulty_and_system_come_from_the_directories(path, expected):
    assert place_of(tuple(path.split("/")), "x") == Place(*expected, "x")


@pytest.mark.parametrize(
    "path", ["eval_1050", "eval_1050/cell_S_responses", "eval_1050/cell_S_ablation_qwen", "eval_1050/cell_S/deeper", ""]
)
def test_sidecars_and_other_files_are_no_rankings(path):
    assert place_of(tuple(path.split("/")), "x") is None


def test_a_container_rooted_anywhere_above_the_files_names_the_same_places(tmp_path):
    files = {f"{CELL_S}/G:PMID_1.json": b"[]"}
    whole = write_directory(tmp_path / "whole", files)
    inner = {name.removeprefix("eval_1050/"): content for name, content in files.items()}
    bare = {"G:PMID_1.json": b"[]"}
    containers = [
        whole,
        whole / "eval_1050",
        whole / CELL_S,
        write_zip(tmp_path / "deposit.zip", files),
        write_tar(tmp_path / "eval_1050.tar.xz", inner),
        write_tar(tmp_path / "deposit.tar.gz", {f"./{name}": content for name, content in files.items()}),
    ]
    for container in containers:
        (member,) = iter_members([container], [])
        assert place_of(member.directories, member.stem) == Place("standard", "S", "G:PMID_1"), container
    (member,) = iter_members([write_zip(tmp_path / "cell_S_rerank_inside_plus_lea.zip", bare)], [])
    assert place_of(member.directories, member.stem) == Place("", "S", "G:PMID_1")


def test_a_case_id_is_known_by_every_form_its_colon_may_have_taken():
    stems = stems_of(["G:PMID_1_a", "G_X:PMID_2"])
    for stem in ("G:PMID_1_a", "G_PMID_1_a", "G-PMID_1_a", "G%3APMID_1_a", "G\uf03aPMID_1_a"):
        assert stems[stem] == "G:PMID_1_a"
    assert stems["G_X_PMID_2"] == "G_X:PMID_2"


def test_a_stem_that_could_be_two_cases_is_neither():
    stems = stems_of(["A:B_C", "A_B:C"])
    assert "A_B_C" not in stems
    assert (stems["A:B_C"], stems["A_B:C"]) == ("A:B_C", "A_B:C")
