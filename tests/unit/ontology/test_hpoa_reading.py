import pytest
from ontology_texts import HPOA_COLUMNS, hpoa_line, hpoa_text

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.ontology import read_hpoa

CAMEL = "DatabaseID DiseaseName Qualifier HPO_ID Reference Evidence Onset Frequency Sex Modifier Aspect Biocuration"


@pytest.mark.parametrize(
    ("header", "version"),
    [
        ("\t".join(HPOA_COLUMNS), "#version: 2025-01-16"),  # since 2023
        (CAMEL.replace(" ", "\t"), "#date: 2025-01-16"),  # 2020-10
        ("#" + CAMEL.replace(" ", "\t"), "#date: 2025-01-16"),  # 2021
        ("\t".join(HPOA_COLUMNS).upper(), "# Version : release 2025-01-16"),
    ],
)
def test_every_historic_header_gives_the_same_rows(write, header, version):
    line = hpoa_line(reference="PMID:7;OMIM:1;PMID:8", frequency="2/3", qualifier="")
    release = read_hpoa(write(hpoa_text(line, header=header, version=version)))
    row = release.rows.iloc[0]
    assert release.version == "2025-01-16"
    assert row["row"] == 4
    assert (row["disease_id"], row["hpo_id"]) == ("OMIM:100001", "HP:0000001")
    assert row["pmids"] == ["PMID:7", "PMID:8"]
    assert (row["numerator"], row["denominator"]) == (2, 3)
    assert row["frequency_value"] == pytest.approx(2 / 3)
    assert row["present"]


def test_columns_are_found_by_name_in_any_order_and_extra_ones_are_ignored(write):
    fields = dict(zip(HPOA_COLUMNS, hpoa_line(frequency="1/2").split("\t"), strict=True)) | {"cardinality": "CARDINAL"}
    order = sorted(fields, reverse=True)
    text = hpoa_text("\t".join(fields[c] for c in order), header="\t".join(order))
    row = read_hpoa(write(text)).rows.iloc[0]
    assert (row["disease_id"], row["hpo_id"], row["frequency"]) == ("OMIM:100001", "HP:0000001", "1/2")


def test_an_unknown_layout_names_found_and_expected_columns(write):
    with pytest.raises(BadInputError, match=r"(?s)disease-db, identifier.*database_id.*hpo_id"):
        read_hpoa(write("#version: 2025-01-16\ndisease-db\tidentifier\nOMIM\t1\n"))


def test_a_release_without_a_date_is_refused(write):
    with pytest.raises(BadInputError, match="version"):
        read_hpoa(write(hpoa_text(hpoa_line(), version="#tracker: x")))


@pytest.mark.parametrize(
    ("fields", "present"),
    [
        ({}, True),
        ({"frequency": "1/7"}, True),
        ({"frequency": "HP:0040284"}, True),
        ({"frequency": "0/7"}, False),  # inputs.md #4: three spellings of absent
        ({"frequency": "HP:0040285"}, False),
        ({"qualifier": "NOT"}, False),
        ({"qualifier": "not"}, False),
        ({"frequency": "0%"}, False),
    ],
)
def test_absence_in_every_spelling_is_an_explicit_negative(write, fields, present):
    rows = read_hpoa(write(hpoa_text(hpoa_line(**fields)))).rows
    assert rows["present"].tolist() == [present]


def test_what_cannot_be_used_is_counted_by_reason_and_kept_with_its_line(write):
    text = hpoa_text(
        hpoa_line(),
        hpoa_line(frequency="9/7", hpo_id="HP:0000002"),
        hpoa_line(frequency="0/0", qualifier="NOT", hpo_id="HP:0000003"),
        hpoa_line(frequency="often", hpo_id="HP:0000004"),
        hpoa_line(hpo_id="HP:12"),
        hpoa_line(database_id=""),
        hpoa_line(qualifier="MAYBE", hpo_id="HP:0000005"),
        "OMIM:100001\tDisease one\t\tHP:0000006",
        hpoa_line(hpo_id="HP:0000007") + "\textra\tfields",
        "",
        "# a remark",
        hpoa_line(biocuration="HPO:y[2021-01-01]"),
        hpoa_line(hpo_id="HP:0000008"),
    )
    release = read_hpoa(write(text))
    assert release.rows["hpo_id"].tolist() == ["HP:0000001", "HP:0000008"]
    assert release.rows["row"].tolist() == [4, 16]
    assert release.report == {
        "lines": 11,
        "rows": 2,
        "short row": 1,
        "long row": 1,
        "malformed id": 2,
        "unknown qualifier": 1,
        "impossible frequency": 2,
        "unreadable frequency": 1,
        "exact duplicate": 1,
        "diseases with several names": 0,
    }
    assert release.rejected["line"].tolist() == [5, 6, 7, 8, 9, 10, 11, 12, 15]
    assert release.rejected["reason"].value_counts().sum() + len(release.rows) == release.report["lines"]
    assert "OMIM:100001 HP:0000002 9/7" in release.rejected["detail"].iloc[0]


def test_raw_rows_precede_rejection_and_de_duplication(write):
    text = hpoa_text(
        hpoa_line(),
        hpoa_line(),
        hpoa_line(frequency="9/7"),
        hpoa_line(hpo_id=""),
        "short\trow",
        hpoa_line(qualifier="NOT"),
    )
    raw = read_hpoa(write(text)).raw
    assert raw["row"].tolist() == [4, 5, 6, 7, 9]
    assert raw["pmids"].tolist() == [["PMID:1"]] * 5
    assert list(raw.columns) == ["row", "disease_id", "hpo_id", "pmids"]


def test_a_disease_has_one_name_the_most_frequent(write):
    release = read_hpoa(
        write(
            hpoa_text(
                hpoa_line(disease_name="Old name", hpo_id="HP:0000001"),
                hpoa_line(disease_name="Present name", hpo_id="HP:0000002"),
                hpoa_line(disease_name="Present name", hpo_id="HP:0000003"),
                hpoa_line(database_id="OMIM:615763", disease_name="#615763 CORTICAL DYSPLASIA 5;;CDCBM5"),
            )
        )
    )
    names = release.rows.drop_duplicates("disease_id").set_index("disease_id")["disease_name"]
    assert names.to_dict() == {"OMIM:100001": "Present name", "OMIM:615763": "CORTICAL DYSPLASIA 5"}
    assert release.report["diseases with several names"] == 1


def test_line_ends_byte_order_mark_and_missing_last_newline(write):
    text = hpoa_text(hpoa_line(), hpoa_line(hpo_id="HP:0000002")).rstrip("\n").replace("\n", "\r\n")
    release = read_hpoa(write(b"\xef\xbb\xbf" + text.encode()))
    assert release.rows["biocuration"].tolist() == ["HPO:x[2020-01-01]"] * 2


def test_quotes_and_separators_in_names_are_text(write):
    release = read_hpoa(write(hpoa_text(hpoa_line(disease_name='"Bloch, syndrome'), hpoa_line(hpo_id="HP:0000002"))))
    assert len(release.rows) == 2


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", BadInputError),
        (hpoa_text(), EmptyResultError),
        (hpoa_text(hpoa_line(hpo_id="x")), EmptyResultError),
        (hpoa_text(hpoa_line()).encode() + hpoa_line(disease_name="é").encode("latin-1") + b"\n", BadInputError),
    ],
)
def test_nothing_usable_is_an_error(write, text, error):
    with pytest.raises(error):
        read_hpoa(write(text))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadInputError, match="nowhere"):
        read_hpoa(tmp_path / "nowhere.hpoa")
