"""The report adds up to the files of every package, and the list of errors names each with its reason."""

from corpora import read
from tiny_literature import file_list, jats, tar_gz, told_article

from genoplatform.literature.precedence import decide
from genoplatform.literature.report import ERROR_COLUMNS, REPORT_COLUMNS, parse_errors, parse_report
from genoplatform.literature.staging import Staging

NEW, OLD = "oa_comm_xml.incr.2026-02-01", "oa_comm_xml.PMC0.baseline.2026-01-23"


def lay(folder, files, rows):
    folder.mkdir()
    (folder / "a.tar.gz").write_bytes(tar_gz(files))
    (folder / "a.filelist.csv").write_bytes(file_list(rows))
    return folder


def test_counts_add_up_and_everything_is_named(tmp_path):
    old_files = {f"d/PMC{n}.xml": told_article(n) for n in range(1, 9)} | {"d/PMC20.xml": b"<article>", "d/x.xml": b""}
    old_files["d/PMC21.xml"] = jats(21, title="Knees", abstract=None, body="<p>Nothing.</p>")
    rows = [(name, name[2:-4], "yes" if name == "d/PMC8.xml" else "no") for name in old_files if name != "d/x.xml"]
    old = lay(tmp_path / "old", old_files, [*rows, ("d/PMC99.xml", "PMC99", "no")])
    new_files = {"d/PMC1.xml": told_article(1), "d/PMC30.xml": jats(30, ids={})}
    new = lay(tmp_path / "new", new_files, [(name, name[2:-4], "no") for name in new_files])
    packages = {OLD: read(old, tmp_path / "r1", OLD), NEW: read(new, tmp_path / "r2", NEW)}
    staging = Staging(tmp_path / "kept", {})
    decide(packages, staging)

    report = parse_report(packages, staging.folder)
    assert list(report.columns) == list(REPORT_COLUMNS)
    assert [tuple(row) for row in report[["package", "kind", "outcome", "files"]].itertuples(index=False)] == [
        (NEW, "fate", "kept", 1),
        (NEW, "fault", "no_id", 1),
        (OLD, "fate", "kept", 6),
        (OLD, "fate", "not_relevant", 1),
        (OLD, "fate", "retracted", 1),
        (OLD, "fate", "superseded", 1),
        (OLD, "fault", "empty_file", 1),
        (OLD, "fault", "xml_syntax", 1),
        (OLD, "notice", "listed_but_absent", 1),
        (OLD, "notice", "not_in_file_list", 1),
    ]
    files = report[report["kind"] != "notice"].groupby("package")["files"].sum()
    assert files.to_dict() == {NEW: len(new_files), OLD: len(old_files)}
    kept = report[(report["package"] == OLD) & (report["outcome"] == "kept")].iloc[0]
    assert kept["examples"] == ["PMC2", "PMC3", "PMC4", "PMC5", "PMC6"]
    assert kept["tier"] == "oa_comm"

    errors = parse_errors(packages)
    assert list(errors.columns) == list(ERROR_COLUMNS)
    assert list(zip(errors["package"], errors["member"], errors["pmcid"], errors["outcome"], strict=True)) == [
        (NEW, "d/PMC30.xml", "", "no_id"),
        (OLD, "d/PMC20.xml", "PMC20", "xml_syntax"),
        (OLD, "d/x.xml", "", "empty_file"),
        (OLD, "d/PMC99.xml", "PMC99", "listed_but_absent"),
    ]
    assert "Premature end of data" in errors["detail"][1] or "expected" in errors["detail"][1]


def test_of_no_packages(tmp_path):
    assert parse_report({}, tmp_path).empty
    assert parse_errors({}).empty
