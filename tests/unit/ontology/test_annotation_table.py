"""The stored annotation table and back: kept rows, citation rows, what was left out and why."""

import pandas as pd
import pytest
from ontology_texts import hpoa_line, hpoa_text

from genoplatform.errors import BadInputError
from genoplatform.ontology import read_hpoa, with_copies
from genoplatform.ontology.annotation_table import annotation_table, citation_rows, kept_rows
from genoplatform.ontology.hpoa import HpoaRelease

PLAIN = hpoa_line(reference="PMID:1;PMID:2", frequency="1/2")
LINES = (
    PLAIN,
    hpoa_line(hpo_id="HP:0000002", qualifier="NOT", reference="PMID:3"),
    hpoa_line(hpo_id="HP:0000003", frequency="5/3", reference="PMID:4"),  # impossible
    PLAIN,  # a repeat
    hpoa_line(hpo_id="unreadable", reference="PMID:5"),  # malformed
    PLAIN,  # and another
    hpoa_line(hpo_id="HP:0000004", reference="OMIM:100001"),
    "OMIM:100001\tcut off",  # lacks fields
)


@pytest.fixture
def release(write) -> HpoaRelease:
    return read_hpoa(write(hpoa_text(*LINES)))


@pytest.fixture
def stored(release, tmp_path) -> pd.DataFrame:
    """The table as it comes back from a store."""
    path = tmp_path / "table.parquet"
    annotation_table(release).to_parquet(path)
    return pd.read_parquet(path)


def test_every_row_with_all_its_fields_is_there_once_with_its_status(release):
    table = annotation_table(release)
    assert table["row"].tolist() == [4, 5, 6, 7, 8, 9, 10]
    assert table["status"].tolist() == [
        *("kept", "kept", "impossible frequency", "exact duplicate", "malformed id", "exact duplicate", "kept")
    ]
    assert list(table.columns[:2]) == ["row", "status"]
    left_out = table[table["status"] != "kept"]
    assert left_out["hpo_id"].tolist() == ["HP:0000003", "HP:0000001", "unreadable", "HP:0000001"]
    assert left_out[["present", "negated", "copies", "frequency"]].isna().all(axis=None)
    reasons = release.rejected.set_index("line")["reason"]
    assert left_out["status"].tolist() == reasons[left_out["row"]].tolist()


def test_kept_rows_are_the_release_s_rows_with_copies(release, stored):
    rows = kept_rows(stored)
    pd.testing.assert_frame_equal(_listed(rows), _listed(with_copies(release)), check_dtype=False)
    assert rows["copies"].tolist() == [3, 1, 1]
    assert (rows["negated"].dtype, rows["present"].dtype, rows["copies"].dtype) == (bool, bool, "int64")
    assert rows["negated"].tolist() == [False, True, False]


def test_citation_rows_are_the_release_s_raw_rows(release, stored):
    rows = citation_rows(stored)
    pd.testing.assert_frame_equal(_listed(rows), _listed(release.raw.reset_index(drop=True)), check_dtype=False)
    assert [pmid for pmids in rows["pmids"] for pmid in pmids].count("PMID:1") == 3, "every line counts"


def _listed(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(pmids=table["pmids"].map(list))


def test_copies_tell_repeats_apart_by_frequency_qualifier_and_publication(write):
    lines = [
        PLAIN,
        hpoa_line(reference="PMID:1;PMID:2", frequency="1/3"),
        hpoa_line(reference="PMID:7", frequency="1/2"),
        hpoa_line(reference="PMID:1;PMID:2", frequency="1/2", qualifier="NOT"),
        hpoa_line(reference="PMID:7", frequency="1/2"),
        hpoa_line(reference="PMID:1;PMID:2", frequency="1/2", qualifier="NOT"),
        hpoa_line(reference="PMID:7", frequency="1/2"),
        hpoa_line(reference="PMID:1;PMID:2", frequency="1/3"),
    ]
    assert with_copies(read_hpoa(write(hpoa_text(*lines))))["copies"].tolist() == [1, 2, 3, 2]


def test_a_repeat_of_no_row_is_an_error(release):
    broken = HpoaRelease(
        release.version, release.rows.iloc[1:].reset_index(drop=True), release.report, release.rejected, release.raw
    )
    with pytest.raises(BadInputError, match="2 repeats, of which 0 match a row"):
        with_copies(broken)
