"""The platform resource: where a run works, and where its pinned bytes lie."""

import hashlib

import pytest
import yaml

from genoplatform.errors import SettingsError
from genoplatform.provenance import PinRef, file_sha256
from genoplatform.resources.platform import HOME_VARIABLE, PROFILE_VARIABLE, PlatformResource
from genoplatform.settings.profiles import PROFILES_FILE

CONTENT = b"[Term]\nid: HP:0000001\n"


def catalogue_of(content, version="1"):
    return {
        "licences": {"free": {"id": "CC0-1.0", "url": "https://example.org/licence"}},
        "sources": [
            {
                "id": f"terms@{version}",
                "title": "Terms",
                "version": version,
                "file": "terms.obo",
                "licence": "free",
                "sha256": hashlib.sha256(content).hexdigest(),
                "bytes": len(content),
                "mirrors": [{"kind": "local", "name": "terms.obo"}],
            }
        ],
    }


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A platform on settings of its own: one source in a local mirror, slots that use it, a directory, or nothing."""
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror" / "terms.obo").write_bytes(CONTENT)
    monkeypatch.setenv("GENOPLATFORM_MIRROR", str(tmp_path / "mirror"))
    (tmp_path / "catalogue.yml").write_text(yaml.safe_dump(catalogue_of(CONTENT)))
    body = yaml.safe_load(PROFILES_FILE.read_text(encoding="utf-8"))["embedded"]
    body["slots"] = dict.fromkeys(body["slots"], "terms@1")
    body["slots"] |= {"phenopackets": "directory:MY_PACKETS", "pmid_dates": None}
    (tmp_path / "profiles.yml").write_text(yaml.safe_dump({"mine": body}))
    return PlatformResource(
        home=str(tmp_path / "home"),
        profile="mine",
        profiles_file=str(tmp_path / "profiles.yml"),
        catalogue=str(tmp_path / "catalogue.yml"),
        offline=True,
    )


def test_home_and_profile_come_from_the_field_then_the_environment_then_the_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    monkeypatch.delenv(PROFILE_VARIABLE, raising=False)
    platform = PlatformResource()
    assert platform.home_path == tmp_path / ".genoplatform"
    assert platform.settings().name == "embedded"
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "elsewhere"))
    monkeypatch.setenv(PROFILE_VARIABLE, "workstation")
    assert platform.home_path == tmp_path / "elsewhere"
    assert platform.store() == tmp_path / "elsewhere" / "store" / "workstation"
    given = PlatformResource(home="given", profile="embedded")
    assert given.home_path == tmp_path / "given"
    assert given.artefact("a/b/c", "hard", "parquet") == tmp_path / "given/store/embedded/a/b/c/hard.parquet"


def test_an_unknown_profile_is_an_error_when_it_is_used():
    platform = PlatformResource(profile="laptop")
    with pytest.raises(SettingsError, match="laptop"):
        platform.settings()


def test_a_pin_is_obtained_and_named(own):
    pin = own.pin("hp_obo")
    assert pin == PinRef(
        source_id="terms@1", file_name="terms.obo", sha256=hashlib.sha256(CONTENT).hexdigest(), bytes=len(CONTENT)
    )
    assert own.locate(pin).read_bytes() == CONTENT
    assert own.locate(pin).is_relative_to(own.home_path)


def test_a_slot_left_empty_has_no_pin(own):
    assert own.pin("pmid_dates") is None


def test_a_pin_that_is_not_here_is_not_located(own, tmp_path):
    pin = PinRef(source_id="terms@1", file_name="terms.obo", sha256=hashlib.sha256(CONTENT).hexdigest(), bytes=1)
    assert own.locate(pin) is None
    assert own.locate(pin.model_copy(update={"source_id": "other@1"})) is None


def test_recorded_bytes_are_located_after_the_catalogue_moved_on(own, tmp_path):
    """The audit has to say "the catalogue changed", not "the bytes are corrupt"."""
    pin = own.pin("hp_obo")
    (tmp_path / "catalogue.yml").write_text(yaml.safe_dump(catalogue_of(b"other")))
    assert own.locate(pin).read_bytes() == CONTENT


def test_a_changed_settings_file_is_read_again(own, tmp_path):
    assert own.settings().cohort.seed == 42
    body = yaml.safe_load((tmp_path / "profiles.yml").read_text())
    body["mine"]["cohort"]["seed"] = 43
    (tmp_path / "profiles.yml").write_text(yaml.safe_dump(body))
    assert own.settings().cohort.seed == 43


def test_a_directory_of_the_user_is_hashed(own, tmp_path, monkeypatch):
    folder = tmp_path / "packets"
    folder.mkdir()
    (folder / "one.json").write_text("{}")
    monkeypatch.setenv("MY_PACKETS", str(folder))
    pin = own.pin("phenopackets")
    expected = {"source_id": "directory:MY_PACKETS", "kind": "directory", "file_name": "packets", "bytes": 2}
    assert pin.model_dump() == expected | {"sha256": file_sha256(folder)}
    assert own.locate(pin) == folder
    (folder / "two.json").write_text("{}")
    assert own.pin("phenopackets").sha256 != pin.sha256


@pytest.mark.parametrize("value", [None, "", "/not/there"])
def test_a_directory_that_is_not_there_says_which_variable_to_set(own, monkeypatch, value):
    monkeypatch.delenv("MY_PACKETS", raising=False)
    if value is not None:
        monkeypatch.setenv("MY_PACKETS", value)
    with pytest.raises(SettingsError, match="MY_PACKETS"):
        own.pin("phenopackets")
    recorded = PinRef(source_id="directory:MY_PACKETS", kind="directory", file_name="p", sha256="0" * 64, bytes=1)
    assert own.locate(recorded) is None
