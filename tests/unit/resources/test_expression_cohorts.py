"""Partition keys of expression cohorts: from a pin, from a directory, and from nothing."""

import pytest
import yaml

from genoplatform.errors import SettingsError
from genoplatform.resources.expression_cohorts import cohorts_root, expression_cohort_keys, obtain_if_listed
from genoplatform.resources.platform import PlatformResource
from genoplatform.settings.profiles import PROFILES_FILE, parse_profiles

DIRECTORY = "directory:GENOPLATFORM_EXPRESSION/{partition}"


def profile(slot, expression=None):
    body = yaml.safe_load(PROFILES_FILE.read_text())["embedded"]
    body["slots"]["expression_cohorts"] = slot
    body["expression"] = expression
    return parse_profiles({"embedded": body})["embedded"]


class Geo:
    """Remembers what it was asked for."""

    def __init__(self):
        self.asked = []

    def obtain(self, accession, folder):
        self.asked.append(accession)
        folder.mkdir(parents=True)


def test_a_pin_is_the_cohort_that_the_profile_says(monkeypatch):
    declared = {"rules": "sound", "cohort_of_pin": "T|GSE1"}
    assert expression_cohort_keys(profile("gse781-soft@2.66.0", declared)) == ["T|GSE1"]
    assert expression_cohort_keys(profile("gse781-soft@2.66.0", {"rules": "sound"})) == []
    assert expression_cohort_keys(profile("gse781-soft@2.66.0")) == []
    assert expression_cohort_keys(profile(None, declared)) == []


def test_a_directory_has_its_folders(monkeypatch, tmp_path):
    (tmp_path / "GEO" / "Asthma" / "GSE1").mkdir(parents=True)
    settings = profile(DIRECTORY, {"rules": "sound"})
    monkeypatch.delenv("GENOPLATFORM_EXPRESSION", raising=False)
    assert expression_cohort_keys(settings) == []
    monkeypatch.setenv("GENOPLATFORM_EXPRESSION", str(tmp_path))
    assert expression_cohort_keys(settings) == ["Asthma|GSE1"]
    monkeypatch.setenv("GENOPLATFORM_EXPRESSION", str(tmp_path / "absent"))
    with pytest.raises(SettingsError):
        cohorts_root(settings)


def test_only_listed_series_that_are_not_there_are_obtained(monkeypatch, tmp_path):
    (tmp_path / "accessions.tsv").write_text("Asthma\tGSE7\n")
    (tmp_path / "GEO" / "Asthma" / "GSE1").mkdir(parents=True)
    monkeypatch.setenv("GENOPLATFORM_EXPRESSION", str(tmp_path))
    geo, settings = Geo(), profile(DIRECTORY, {"rules": "sound"})
    for key in ("Asthma|GSE1", "Asthma|GSE7", "Asthma|GSE7"):
        obtain_if_listed(settings, key, geo)
    assert geo.asked == ["GSE7"]


def test_a_partition_is_one_folder_and_its_hash(monkeypatch, tmp_path):
    folder = tmp_path / "GEO" / "Asthma" / "GSE1"
    folder.mkdir(parents=True)
    (folder / "GSE1_series_matrix.txt").write_text("x")
    monkeypatch.setenv("GENOPLATFORM_EXPRESSION", str(tmp_path))
    profiles = tmp_path / "profiles.yml"
    body = yaml.safe_load(PROFILES_FILE.read_text())["embedded"]
    body["slots"]["expression_cohorts"] = DIRECTORY
    profiles.write_text(yaml.safe_dump({"embedded": body}))
    platform = PlatformResource(home=str(tmp_path / "home"), profile="embedded", profiles_file=str(profiles))
    pin = platform.pin("expression_cohorts", "Asthma|GSE1")
    assert (pin.source_id, pin.kind, pin.file_name) == (
        "directory:GENOPLATFORM_EXPRESSION/Asthma|GSE1",
        "directory",
        "GSE1",
    )
    assert platform.locate(pin) == folder
    (folder / "GSE1_series_matrix.txt").write_text("y")
    assert platform.pin("expression_cohorts", "Asthma|GSE1").sha256 != pin.sha256
    assert (
        platform.locate(pin.model_copy(update={"source_id": "directory:GENOPLATFORM_EXPRESSION/Asthma|GSE9"})) is None
    )
