"""A release as tables: case ids, counts, and what was refused."""

import pytest

from genoplatform.cohort.phenopackets import case_id_of, read_phenopackets
from genoplatform.errors import EmptyResultError


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("0.1.26/AAGAB/PMID_1_x.json", "AAGAB:PMID_1_x"),
        ("notebooks/AAGAB/phenopackets/PMID_1_x.json", "AAGAB:PMID_1_x"),
        ("AAGAB/PMID_1_x.y.json", "AAGAB:PMID_1_x.y"),
    ],
)
def test_case_id_is_cohort_directory_and_file_stem(path, expected):
    assert case_id_of(path) == expected


def test_a_case_directory_handed_in_by_itself_still_names_its_cases(write_packets, packet):
    root = write_packets({"AAA/phenopackets/one.json": packet(), "BBB/two.json": packet()})
    for directory, expected in (("AAA", "AAA:one"), ("AAA/phenopackets", "AAA:one"), ("BBB", "BBB:two")):
        assert read_phenopackets(root / directory).records["case_id"].tolist() == [expected]


def test_records_hold_observed_and_excluded_terms_in_first_seen_order_once(write_packets, packet):
    document = packet(("HP:0000300", "HP:0000101", "HP:0000300", "MONDO:1"), ("HP:0000201",))
    release = read_phenopackets(write_packets({"AAA/one.json": document}))
    row = release.records.iloc[0]
    assert row["hpo_terms"] == ["HP:0000300", "HP:0000101"]
    assert row["excluded_terms"] == ["HP:0000201"]
    assert row["disease_ids"] == ["OMIM:100001"]
    assert row["source_path"] == "AAA/one.json"
    assert len(release.features) == 5
    counts = {k: release.report[k] for k in ("features_not_hpo", "features_repeated", "features_excluded")}
    assert counts == {"features_not_hpo": 1, "features_repeated": 1, "features_excluded": 1}


def test_the_id_inside_the_packet_names_nothing_and_is_counted(write_packets, packet):
    release = read_phenopackets(write_packets({"AAA/one.json": packet(id="two"), "AAA/two.json": packet(id="two")}))
    assert release.records["case_id"].tolist() == ["AAA:one", "AAA:two"]
    assert release.report["packet_id_differs_from_file"] == 1


def test_bad_files_are_listed_and_counted_and_the_rest_is_read(write_packets, packet):
    root = write_packets(
        {
            "AAA/good.json": packet(),
            "AAA/cut.json": '{"id": "x", "phenoty',
            "AAA/latin.json": b'{"id": "\xe9\xe8"}',
            "AAA/deep.json": "[" * 100_000,
            "AAA/meta.json": {"version": "0.1"},
            "AAA/mixed.json": packet(genes=()) | {"genes": [{"symbol": "A"}]},
            "other/AAA/good.json": packet(),
        }
    )
    release = read_phenopackets(root)
    assert release.records["source_path"].tolist() == ["AAA/good.json"]
    assert dict(zip(release.issues["source_path"], release.issues["reason"], strict=True)) == {
        "AAA/cut.json": "unreadable-json",
        "AAA/latin.json": "unreadable-json",
        "AAA/deep.json": "unreadable-json",
        "AAA/meta.json": "not-a-phenopacket",
        "AAA/mixed.json": "mixed-schema",
        "other/AAA/good.json": "duplicate-case-id",
    }
    assert release.report["files"] == 7
    assert release.report["refused_unreadable-json"] == 3


def test_v1_and_v2_packets_of_one_release_are_each_read_by_their_own_schema(write_packets, packet):
    old = {"subject": {"ageAtCollection": {}}, "phenotypicFeatures": [{"type": {"id": "HP:0000101"}, "negated": True}]}
    release = read_phenopackets(write_packets({"AAA/new.json": packet((), ("HP:0000101",)), "AAA/old.json": old}))
    assert release.records["excluded_terms"].tolist() == [["HP:0000101"], ["HP:0000101"]]
    assert (release.report["schema_v1"], release.report["schema_v2"]) == (1, 1)


def test_a_release_without_a_usable_packet_is_an_error_that_counts(write_packets):
    with pytest.raises(EmptyResultError, match="'not-a-phenopacket': 1"):
        read_phenopackets(write_packets({"AAA/meta.json": {"version": "0.1"}}))
    with pytest.raises(EmptyResultError, match=r"no \.json file"):
        read_phenopackets(write_packets({"empty/readme.txt": "x"}) / "empty")
