"""The real embedded demo, once: what it promises on the command line, and that its home can be trusted afterwards.

Takes a few minutes. Its pins come from the cache that `pinned` keeps (one download through the package index), handed
to the demo as a local mirror, so that the run itself waits for no network.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from genoplatform.definitions import build_defs
from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.nodes import read_nodes
from genoplatform.settings.sources import load_catalogue

pytestmark = pytest.mark.network
ROOT = Path(__file__).parents[2]
STORE = Path("store", "embedded")
REPORT = STORE / "out" / "report" / "benchmark"
MARFAN = "OMIM:154700"  # its gene is FBN1


@dataclass(frozen=True)
class Finished:
    """A command that has ended; `peak` is the most memory it had resident, in bytes."""

    code: int
    out: str
    err: str
    peak: int


@dataclass(frozen=True)
class Demo:
    """A home on which the demo ran, with the directory its pins came from."""

    home: Path
    mirror: Path
    first: Finished

    def command(self, *arguments: str) -> Finished:
        """Run a command on the home."""
        return genoplatform(self.home, self.mirror, *arguments)


def genoplatform(home: Path, mirror: Path, *arguments: str) -> Finished:
    """Run the command line in a process of its own."""
    environment = os.environ | {"GENOPLATFORM_MIRROR": str(mirror), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "genoplatform.cli", *arguments, "--home", str(home)]
    home.mkdir(exist_ok=True)
    out, err = home / "stdout.txt", home / "stderr.txt"
    with out.open("w") as to_out, err.open("w") as to_err:
        process = subprocess.Popen(command, env=environment, stdout=to_out, stderr=to_err)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Finished(process.returncode, out.read_text(), err.read_text(), usage.ru_maxrss * 1024)


def pins_of_the_profile() -> list[str]:
    """Source ids of the embedded profile, with those of every partition."""
    platform = PlatformResource(profile="embedded")
    slots = platform.settings().slots
    nodes = read_nodes(build_defs(platform=platform, checks=[]), platform).values()
    pins = {slots.pin_of(node.slot, key) for node in nodes if node.slot for key in node.partitions}
    return sorted(pin for pin in pins if pin)


@pytest.fixture(scope="session")
def demo(pinned, tmp_path_factory) -> Demo:
    mirror, catalogue = tmp_path_factory.mktemp("mirror"), load_catalogue()
    for pin in pins_of_the_profile():
        (name,) = {place.name for place in catalogue.get(pin).mirrors if place.kind == "local"}
        (mirror / name).symlink_to(pinned(pin))
    home = tmp_path_factory.mktemp("demo")
    first = genoplatform(home, mirror, "demo", "--json")
    assert first.code == 0, first.err
    return Demo(home, mirror, first)


def test_it_prints_one_object_with_the_headline(demo):
    assert demo.first.err == ""
    printed = json.loads(demo.first.out)
    headline = printed["headline"]
    cases = pd.read_parquet(demo.home / STORE / "core" / "cohort" / "cases.parquet")
    assert headline["cases"] == len(cases)
    assert headline["publications"] == cases["cluster"].nunique()
    assert headline["exposed"] + headline["unexposed"] == headline["cases"]
    # Of 6,780 or so publication cases about 96 are unexposed, and all of those are taken.
    assert 6_600 < headline["eligible"] < 6_900
    assert 90 <= headline["unexposed"] <= 100
    assert headline["eligible_overlap_rate"] > headline["overlap_rate"] > 0.9
    assert Path(printed["report"]).is_file()
    assert printed["warnings"] == []


@pytest.mark.parametrize("difficulty", ["standard", "hard"])
def test_exposed_cases_score_better_and_the_counterfactual_takes_it_away(demo, difficulty):
    found = json.loads(demo.first.out)["headline"]["difficulties"][difficulty]["resnik"]
    for group in ("exposed", "decontaminated", "unexposed"):
        value, low, high = found[group]
        assert 0 <= low <= value <= high <= 1
    assert found["exposed"][0] > found["unexposed"][0]
    assert found["contamination"]["difference"] == pytest.approx(
        found["exposed"][0] - found["decontaminated"][0], abs=1e-6
    )
    assert found["contamination"]["lo"] > 0


def test_it_stays_under_two_gigabytes(demo):
    assert demo.first.peak < 2e9


def test_a_second_time_makes_nothing(demo):
    again = demo.command("demo", "--json")
    assert again.code == 0
    before, after = json.loads(demo.first.out), json.loads(again.out)
    assert (after["made"], after["unchanged"]) == (0, before["made"] + before["unchanged"])
    assert after["headline"] == before["headline"]


def test_the_audit_verifies_everything(demo):
    audit = demo.command("audit", "verify", "--strict", "--json")
    report = json.loads(audit.out)
    assert (audit.code, report["findings"]) == (0, [])
    assert report["artefacts"] == json.loads(demo.first.out)["made"]
    assert {root.split()[0] for roots in report["roots"].values() for root in roots} == set(pins_of_the_profile())


def test_the_claims_hold(demo):
    assert demo.command("audit", "claims").code == 0


def test_a_patient_with_every_feature_of_marfan_syndrome(demo):
    rows = pd.read_parquet(demo.home / STORE / "core" / "ontology" / "disease_annotations.parquet")
    rows = rows[(rows["status"] == "kept") & (rows["disease_id"] == MARFAN) & (rows["aspect"] == "P")]
    terms = sorted(set(rows.loc[rows["present"].astype(bool), "hpo_id"]))
    assert len(terms) > 30
    ranked = demo.command("prioritise", "--hpo", ",".join(terms), "--top", "1", "--json")
    assert ranked.code == 0, ranked.err
    (first,) = json.loads(ranked.out)["ranking"]
    assert (first["rank"], first["gene"]) == (1, "FBN1")


def test_one_flipped_byte_is_found_and_repaired(demo, tmp_path):
    home = tmp_path / "copy"
    for part in ("store", "dagster"):
        shutil.copytree(demo.home / part, home / part)
    (home / "cache").symlink_to(demo.home / "cache")
    page = home / REPORT / "index.html"
    sound = page.read_bytes()
    page.write_bytes(sound[:-20] + bytes([sound[-20] ^ 1]) + sound[-19:])
    audit = json.loads(genoplatform(home, demo.mirror, "audit", "verify", "--json").out)
    assert [(finding["node"], finding["problem"]) for finding in audit["findings"]] == [
        ("out/report/benchmark", "changed")
    ]
    repaired = genoplatform(home, demo.mirror, "demo", "--json")
    assert json.loads(repaired.out)["made"] == 1
    assert page.read_bytes() == sound, "the same page, to the byte"
    assert genoplatform(home, demo.mirror, "audit", "verify").code == 0
