from ontology_texts import hpoa_line, hpoa_text

from genoplatform.ontology import compare_releases, read_hpoa, release_qualifier_counts


def release(write, *lines):
    return read_hpoa(write(hpoa_text(*lines)))


def test_a_class_of_statements_that_vanished_is_flagged(write):
    # inputs.md #10: a release in which the import of Orphanet's NOT was lost
    orpha = {"database_id": "ORPHA:1", "reference": "ORPHA:1", "evidence": "TAS"}
    old = release(
        write,
        hpoa_line(frequency="0/3"),
        hpoa_line(**orpha, qualifier="NOT", hpo_id="HP:0000002"),
        hpoa_line(**orpha, frequency="HP:0040285", hpo_id="HP:0000003"),
        hpoa_line(**orpha, frequency="HP:0040281", hpo_id="HP:0000004"),
    )
    new = release(
        write,
        hpoa_line(frequency="0/3"),
        hpoa_line(frequency="2/3", hpo_id="HP:0000002"),
        hpoa_line(**orpha, frequency="HP:0040281", hpo_id="HP:0000004"),
    )
    table = compare_releases(old, new).set_index(["dimension", "value"])
    assert table.loc[("NOT", "ORPHA")].to_dict() == {"old": 1, "new": 0, "change": -1, "vanished": True}
    assert table.loc[("HP:0040285", "ORPHA"), "vanished"]
    assert table.loc[("frequency", "none"), "vanished"]
    assert table.loc[("rows", "OMIM")].to_dict() == {"old": 1, "new": 2, "change": 1, "vanished": False}
    assert table.loc[("rows", "ORPHA"), "change"] == -2
    assert table.loc[("diseases", "ORPHA")].to_dict() == {"old": 1, "new": 1, "change": 0, "vanished": False}
    assert table["vanished"].sum() == 3


def test_counts_of_one_release(write):
    counts = release_qualifier_counts(
        release(write, hpoa_line(), hpoa_line(frequency="0/2", hpo_id="HP:0000002", aspect="H")).rows
    )
    assert counts.values.tolist() == [
        ["0/n", "OMIM", 1],
        ["aspect", "H", 1],
        ["aspect", "P", 1],
        ["diseases", "OMIM", 1],
        ["evidence", "PCS", 2],
        ["frequency", "fraction", 1],
        ["frequency", "none", 1],
        ["rows", "OMIM", 2],
    ]
