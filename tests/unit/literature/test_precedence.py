"""Which version of an article counts over several packages: the newest, unless it is retracted or not relevant."""

import pytest
from corpora import read
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_literature import file_list, jats, tar_gz, told_article

from genoplatform.literature import precedence
from genoplatform.literature.precedence import decide, kept_positions
from genoplatform.literature.staging import Staging

BASE, OLD, NEW = "oa_comm_xml.PMC0.baseline.2026-01-23", "oa_comm_xml.incr.2026-02-01", "oa_noncomm_xml.incr.2026-03-01"
IRRELEVANT = {"title": "Knees of horses", "abstract": None, "body": "<p>Nothing of interest.</p>"}


def corpus(folder, packages, retracted=()):
    """Read packages of {name: [article numbers, negative for one that is not relevant]}."""
    found = {}
    for name, numbers in packages.items():
        source = folder / name
        source.mkdir()
        files = {}
        for place, number in enumerate(numbers):
            content = told_article(number) if number > 0 else jats(-number, **IRRELEVANT)
            files[f"{place}/PMC{abs(number)}.xml"] = content
        (source / "a.tar.gz").write_bytes(tar_gz(files))
        rows = [(file, f"PMC{abs(n)}", "yes" if (name, abs(n)) in retracted else "no")
                for file, n in zip(files, numbers, strict=True)]  # fmt: skip
        (source / "a.filelist.csv").write_bytes(file_list(rows))
        found[name] = read(source, folder / f"read-{name}", name)
    return found


def kept(folder, packages):
    return {name: kept_positions(folder, name).tolist() for name in packages}


def test_the_newest_occurrence_wins_and_baselines_come_last(tmp_path):
    read_packages = corpus(tmp_path, {BASE: [1, 2, 3], OLD: [2, 4], NEW: [3, 2]})
    counted = decide(read_packages, Staging(tmp_path / "kept", {}))
    assert kept(tmp_path / "kept", read_packages) == {BASE: [0], OLD: [1], NEW: [0, 1]}
    assert counted == {"kept": 4, "superseded": 3}


def test_the_newest_version_decides_whether_the_article_is_relevant(tmp_path):
    read_packages = corpus(tmp_path, {BASE: [1, -2], OLD: [-1, 2]})
    counted = decide(read_packages, Staging(tmp_path / "kept", {}))
    assert kept(tmp_path / "kept", read_packages) == {BASE: [], OLD: [1]}
    assert counted == {"kept": 1, "not_relevant": 1, "superseded": 2}
    counted = decide(read_packages, Staging(tmp_path / "all", {}), only_relevant=False)
    assert kept(tmp_path / "all", read_packages) == {BASE: [], OLD: [0, 1]}


@pytest.mark.parametrize("where", [BASE, NEW])
def test_a_retraction_anywhere_retracts_everywhere(tmp_path, where):
    read_packages = corpus(tmp_path, {BASE: [1, 2], OLD: [1], NEW: [1, 3]}, {(where, 1)})
    counted = decide(read_packages, Staging(tmp_path / "kept", {}))
    assert kept(tmp_path / "kept", read_packages) == {BASE: [1], OLD: [], NEW: [1]}
    assert counted["retracted"] == 2, "the third was never parsed"


def test_as_in_the_papers_run_a_retraction_can_hold_for_its_own_package(tmp_path):
    read_packages = corpus(tmp_path, {BASE: [1], NEW: [1]}, {(NEW, 1)})
    decide(read_packages, Staging(tmp_path / "kept", {}), retracted_everywhere=False)
    assert kept(tmp_path / "kept", read_packages) == {BASE: [0], NEW: []}


def test_twice_in_one_package_the_first_counts(tmp_path):
    read_packages = corpus(tmp_path, {"own": [2, 1, 1]})
    decide(read_packages, Staging(tmp_path / "kept", {}))
    assert kept(tmp_path / "kept", read_packages) == {"own": [0, 1]}


def test_ids_that_begin_alike_are_different_articles(tmp_path):
    read_packages = corpus(tmp_path, {"own": [1, 11, 111, 10]})
    assert decide(read_packages, Staging(tmp_path / "kept", {})) == {"kept": 4}


def test_no_packages_at_all(tmp_path):
    assert decide({}, Staging(tmp_path / "kept", {})) == {}


@settings(max_examples=15, deadline=None)
@given(
    packages=st.dictionaries(
        st.sampled_from([BASE, OLD, NEW, "own"]), st.lists(st.integers(1, 6), max_size=6), min_size=1
    )
)
def test_against_a_dictionary(tmp_path_factory, packages):
    """Newest first, the first occurrence wins: what a dictionary in memory would say."""
    folder = tmp_path_factory.mktemp("corpus")
    expected = {name: [] for name in packages}
    seen = set()
    for name in [name for name in (NEW, OLD, BASE, "own") if name in packages]:
        for place, number in enumerate(packages[name]):
            if number not in seen:
                expected[name].append(place)
            seen.add(number)
    read_packages = corpus(folder, packages)
    decide(read_packages, Staging(folder / "kept", {}))
    assert kept(folder / "kept", packages) == expected


def test_rows_are_written_as_they_come(tmp_path, monkeypatch):
    monkeypatch.setattr(precedence, "_WAITING", 2)
    read_packages = corpus(tmp_path, {BASE: [1, 2, 3, 4, 5], NEW: [2, 4]})
    decide(read_packages, Staging(tmp_path / "kept", {}))
    assert kept(tmp_path / "kept", read_packages) == {BASE: [0, 2, 4], NEW: [0, 1]}
