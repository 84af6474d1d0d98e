"""A made-up release of three cases, and what every contradiction in it is told."""

import json
import math
from copy import deepcopy

import pandas as pd
import pytest

from genoplatform.cohort.candidates import per_case_seed
from genoplatform.cohort.schema import CANDIDATE_COLUMNS, CASE_COLUMNS
from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.prioritisation.released import read_case_table, read_released_cohort

GENES = [f"G{i:02d}" for i in range(49)]
IDS = ["AAA:PMID_11_x", "BBB:PMID_11_y", "CCC:PMID_22_z"]
ELIGIBLE = {"neurological": 8, "metabolic": 2}
HEADER = "case_id,category,source_pmid,overlap,rows_total,rows_own_pmid,annotation_density,log_density"


def record(case_id: str, category: str, at: int, **more) -> dict:
    gene = case_id.split(":", maxsplit=1)[0]
    return {
        "case_id": case_id,
        "category": category,
        "hpo_terms": ["HP:0000001", "HP:0000002", "HP:0000003"],
        "diseases": [{"id": "OMIM:1", "label": "Überdisease"}],
        "causal_gene": gene,
        "candidate_genes": [*GENES[:at], gene, *GENES[at:]],
        "causal_gene_index_in_candidates": at,
        "pmc_article_count": 24,
        "source_phenopacket": f"packets/{gene}.json",
        **more,
    }


def files() -> dict[str, object]:
    kinds = ["neurological", "neurological", "metabolic"]
    standard = [record(*pair, at) for at, pair in enumerate(zip(IDS, kinds, strict=True))]
    flags = [("PMID:11", 1, 4), ("PMID:11", 0, 0), ("PMID:22", 0, 0)]
    overlap = [
        {"case_id": case_id, "source_pmid": pmid, "category": kind, "overlap": flag, "matching_rows": rows}
        for case_id, kind, (pmid, flag, rows) in zip(IDS, kinds, flags, strict=True)
    ]
    rows = [
        f"{IDS[0]},neurological,11,1,10,4,6,{math.log(7)!r}",
        f"{IDS[1]},neurological,11,0,5,0,5,{math.log(6)!r}",
        f"{IDS[2]},metabolic,22,0,0,0,0,0.0",
    ]
    return {
        "test_cases.jsonl": standard,
        "test_cases_hard.jsonl": [{**item, "candidate_difficulty": "hard"} for item in standard],
        "annotation_overlap.json": {"meta": {"n": 3, "n_overlap": 1}, "records": overlap},
        "pmid_dates.json": {"meta": {}, "dates": {"11": "2019-12-31", "22": "2020-01-01"}},
        "case_table.csv": [HEADER, *rows],
    }


def write(root, content: dict[str, object]):
    root.mkdir(parents=True, exist_ok=True)
    for name, value in content.items():
        if name.endswith(".jsonl"):
            text = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in value)
        else:
            text = "\n".join(value) + "\n" if name.endswith(".csv") else json.dumps(value)
        (root / name).write_text(text, encoding="utf-8")
    return root


def read(root, content, **options):
    return read_released_cohort(write(root, content), eligible=ELIGIBLE, **options)


def test_the_tables_of_a_release(tmp_path):
    found = read(tmp_path, files())
    cases = found.cases
    assert cases.columns.tolist() == list(CASE_COLUMNS)
    assert cases["case_id"].tolist() == IDS
    assert cases["cluster"].tolist() == ["PMID:11", "PMID:11", "PMID:22"]
    assert cases["exposed"].tolist() == [1, 0, 0]
    assert cases[["rows_total", "rows_own_pmid", "density"]].to_numpy().tolist() == [[10, 4, 6], [5, 0, 5], [0, 0, 0]]
    assert cases["inclusion_probability"].tolist() == [2 / 8, 2 / 8, 1 / 2]
    assert cases["publication_year"].tolist() == [2019, 2019, 2020]
    assert cases["year_source"].unique().tolist() == ["file"]
    assert cases["disease_ids"].tolist() == [["OMIM:1"]] * 3
    assert cases["causal_gene"].tolist() == ["AAA", "BBB", "CCC"]
    assert set(cases["cohort"]) == {"phenopacket_store"}
    assert found.report == {
        "cases": 3, "standard": 3, "hard": 3, "exposed": 1, "publications": 2, "counts_from_table": 3,
        "counts_from_knowledge": 0,
    }  # fmt: skip


def test_candidate_lists_keep_their_order_and_get_their_seed(tmp_path):
    found = read(tmp_path, files())
    for table, difficulty in ((found.standard, "standard"), (found.hard, "hard")):
        assert table.columns.tolist() == list(CANDIDATE_COLUMNS)
        assert table["causal_index"].tolist() == [0, 1, 2]
        assert table["candidate_genes"].tolist()[1] == [GENES[0], "BBB", *GENES[1:]]
        assert table["seed"].tolist() == [str(per_case_seed(case_id)) for case_id in IDS]
        assert set(table["difficulty"]) == {difficulty}
    assert len(found.candidates) == 6


def test_tables_survive_parquet(tmp_path):
    found = read(tmp_path, files())
    lists = {"cases": ["hpo_terms", "excluded_terms", "disease_ids"], "candidates": ["candidate_genes"]}
    for name, columns in lists.items():
        table = getattr(found, name)
        table.to_parquet(tmp_path / f"{name}.parquet", index=False)
        back = pd.read_parquet(tmp_path / f"{name}.parquet")
        pd.testing.assert_frame_equal(back.drop(columns=columns), table.drop(columns=columns))
        for column in columns:
            assert back[column].map(list).tolist() == table[column].tolist()


def test_files_are_found_below_the_directory_but_not_guessed_among_two(tmp_path):
    write(tmp_path / "data" / "cohort", files())
    assert len(read_released_cohort(tmp_path, eligible=ELIGIBLE).cases) == 3
    write(tmp_path / "release" / "cohort", files())
    with pytest.raises(BadInputError, match=r"test_cases.jsonl is there 2 times: data/cohort"):
        read_released_cohort(tmp_path, eligible=ELIGIBLE)


def test_hard_lists_and_dates_are_optional(tmp_path):
    content = files()
    del content["test_cases_hard.jsonl"], content["pmid_dates.json"]
    found = read(tmp_path, content)
    assert found.hard.empty
    assert found.hard.columns.tolist() == list(CANDIDATE_COLUMNS)
    assert found.cases["year_source"].isin(["", "interpolated"]).all()


def test_without_the_case_table_annotations_are_counted_in_the_knowledge_base(tmp_path):
    """Disease OMIM:1 has 3 rows, one of which cites PMID:11."""
    content = files()
    del content["case_table.csv"]
    for entry, flag in zip(content["annotation_overlap.json"]["records"], (1, 1, 0), strict=True):
        entry |= {"overlap": flag, "matching_rows": flag}
    content["annotation_overlap.json"]["meta"] = {"n": 3, "n_overlap": 2}
    rows = pd.DataFrame(
        {"disease_id": "OMIM:1", "hpo_id": ["HP:1", "HP:2", "HP:3"], "pmids": [["PMID:11"], ["PMID:5"], []]}
    )
    with pytest.raises(BadInputError, match=r"neither case_table\.csv nor annotation rows"):
        read(tmp_path, content)
    found = read(tmp_path, content, knowledge=rows)
    assert found.cases[["rows_total", "rows_own_pmid"]].to_numpy().tolist() == [[3, 1], [3, 1], [3, 0]]
    assert found.report["counts_from_knowledge"] == 3
    with pytest.raises(BadInputError, match=r"2 cases are not with one overlap flag in .* phenotype\.hpoa"):
        read(tmp_path, content, knowledge=rows.iloc[1:])


def swap(content, file: str, at: int, **fields):
    entry = content[file]["records"][at] if file.endswith("overlap.json") else content[file][at]
    entry |= fields
    return content


CHANGES = {
    "a gene that is not where the record says": (
        lambda c: swap(c, "test_cases.jsonl", 0, causal_gene_index_in_candidates=1), "AAA is not candidate 1"),
    "an index outside the list": (
        lambda c: swap(c, "test_cases.jsonl", 0, causal_gene_index_in_candidates=-50), "AAA is not candidate -50"),
    "49 candidates": (
        lambda c: swap(c, "test_cases.jsonl", 0, candidate_genes=["AAA", *GENES[:48]]), "49 candidates"),
    "a repeated candidate": (
        lambda c: swap(c, "test_cases_hard.jsonl", 0, candidate_genes=["AAA", *GENES[:48], "AAA"]), "49 different"),
    "a record without terms": (lambda c: swap(c, "test_cases.jsonl", 1, hpo_terms=None), "hpo_terms"),
    "a case twice": (lambda c: swap(c, "test_cases.jsonl", 1, case_id=IDS[0]), "1 cases are there twice"),
    "another gene in the hard file": (
        lambda c: swap(c, "test_cases_hard.jsonl", 2, causal_gene="G48", causal_gene_index_in_candidates=49), "alike"),
    "another category in the overlap file": (
        lambda c: swap(c, "annotation_overlap.json", 2, category="neurological"), "of one category"),
    "a case the overlap file lacks": (
        lambda c: swap(c, "annotation_overlap.json", 2, case_id="DDD:PMID_22_z"), "2 cases are not in both"),
    "a flag without matching rows": (
        lambda c: swap(c, "annotation_overlap.json", 1, overlap=1), "overlap 1 with 0 matching rows"),
    "a flag the case table contradicts": (
        lambda c: swap(swap(c, "annotation_overlap.json", 1, overlap=1, matching_rows=2),
                       "annotation_overlap.json", 0, overlap=0, matching_rows=0), "one exposed"),
    "a publication the case table contradicts": (
        lambda c: swap(c, "annotation_overlap.json", 2, source_pmid="PMID:23"), "one source_pmid"),
    "a category without a pool": (
        lambda c: {**c, **{n: json.loads(json.dumps(c[n]).replace("metabolic", "dental")) for n in c}},
        r"\['dental'\] have no pool"),
    "totals that do not add up": (
        lambda c: {**c, "annotation_overlap.json": {**c["annotation_overlap.json"], "meta": {"n": 4}}}, "meta says n"),
    "no records": (lambda c: {**c, "annotation_overlap.json": {"meta": {}}}, "KeyError"),
    "a case the table lacks": (lambda c: {**c, "case_table.csv": c["case_table.csv"][:-1]}, "not in case_table.csv"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_release_that_contradicts_itself_is_refused(tmp_path, name):
    change, message = CHANGES[name]
    with pytest.raises(BadInputError, match=message):
        read(tmp_path, change(deepcopy(files())))


@pytest.mark.parametrize("name", ["test_cases.jsonl", "annotation_overlap.json"])
def test_a_missing_file_is_named(tmp_path, name):
    content = files()
    del content[name]
    with pytest.raises(BadInputError, match=f"no {name}"):
        read(tmp_path, content)


def test_an_empty_file_is_no_cohort(tmp_path):
    with pytest.raises(EmptyResultError, match="no records"):
        read(tmp_path, {**files(), "test_cases.jsonl": []})


def table_file(tmp_path, rows: list[str]):
    write(tmp_path, {"case_table.csv": rows})
    return tmp_path / "case_table.csv"


def test_the_case_table_alone_gives_the_covariates(tmp_path):
    path = table_file(tmp_path, files()["case_table.csv"])
    cases = read_case_table(path, eligible=ELIGIBLE)
    assert cases.columns.tolist() == list(CASE_COLUMNS)
    assert cases["exposed"].tolist() == [1, 0, 0]
    assert cases["hpo_terms"].tolist() == [[], [], []]
    assert cases["causal_gene"].tolist() == ["", "", ""]
    dates = write(tmp_path, {"pmid_dates.json": files()["pmid_dates.json"]}) / "pmid_dates.json"
    dated = read_case_table(path, pmid_dates=dates, eligible=ELIGIBLE)
    assert dated["publication_year"].tolist() == [2019, 2019, 2020]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("D:PMID_3,metabolic,3,2,1,1,0,0.0", "overlap flag that is not 0 or 1"),
        ("D:PMID_3,metabolic,3,0,1,-1,2,1.0986122886681098", "negative count"),
        ("D:PMID_3,metabolic,3,1,4,2,1,0.6931471805599453", "not rows_total - rows_own_pmid"),
        ("D:PMID_3,metabolic,3,0,4,2,2,1.0986122886681098", "not rows_own_pmid > 0"),
        ("D:PMID_3,metabolic,3,1,4,2,2,2.0", "not ln"),
        ("D:PMID_3,metabolic,x,1,4,2,2,1.0986122886681098", "without digits"),
        ("D:PMID_3,metabolic,4,1,4,2,2,1.0986122886681098", "its case id contradicts"),
        ("D:PMID_3,metabolic,3,1,four,2,2,1.09", "no number"),
        ("D:PMID_3,metabolic,3,1,,2,2,1.09", "no number"),
        (f"{IDS[0]},metabolic,11,0,0,0,0,0.0", "repeated key"),
    ],
)
def test_rows_of_the_case_table_that_cannot_be(tmp_path, row, message):
    path = table_file(tmp_path, [*files()["case_table.csv"], row])
    with pytest.raises(BadInputError, match=message):
        read_case_table(path, eligible=ELIGIBLE)


def test_a_case_table_without_its_columns_or_file(tmp_path):
    with pytest.raises(BadInputError, match=r"no column \['overlap'"):
        read_case_table(table_file(tmp_path, ["case_id,category,source_pmid"]))
    with pytest.raises(BadInputError, match="No such file"):
        read_case_table(tmp_path / "nowhere.csv")
