"""Releases staged beside the pin: real ones pass with a readable comparison, broken ones are flagged by name.

The feed is a server of the test's own on this machine; the files are the pinned real releases, whole or broken in one
way each (the ways are those of real releases: inputs.md 1, 3, 10 and the like).
"""

import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.candidates.accept import CandidateRefusedError, accept, revert
from genoplatform.runner.candidates.record import candidates
from genoplatform.runner.candidates.stage import stage
from genoplatform.runner.execute import prepare_home, run_assets
from genoplatform.runner.nodes import read_nodes, select
from genoplatform.settings.profiles import PROFILES_FILE

pytestmark = pytest.mark.network
GENES = "core/ontology/gene_annotations"
TERMS = "core/ontology/hpo_terms"
DISEASES = "core/ontology/disease_annotations_current"
OLD = "2025-01-16"


class Publisher:
    """A directory that is served, with a feed file for each name in it."""

    def __init__(self, folder: Path):
        self.folder = folder
        handler = partial(_Quiet, directory=str(folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def publish(self, feed: str, version: str, files: dict[str, bytes]) -> None:
        assets = []
        for name, content in files.items():
            path = self.folder / feed / version / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            assets.append(
                {"name": name, "browser_download_url": f"{self.url}/{feed}/{version}/{name}", "size": len(content)}
            )
        release = {"tag_name": f"v{version}", "draft": False, "prerelease": False, "assets": assets}
        listing = self.folder / f"{feed}.json"
        known = json.loads(listing.read_text()) if listing.exists() else []
        listing.write_text(json.dumps([release, *known]))

    def feeds(self) -> Path:
        """Three feeds: gene annotations, disease annotations, and both ontology files together."""
        files = {
            "genes": [("genes_to_phenotype.txt", "genes_to_phenotype", "genes_to_phenotype")],
            "diseases": [("phenotype.hpoa", "phenotype.hpoa", "hpoa_current")],
            "hpo": [("hp.obo", "hp.obo", "hp_obo"), ("phenotype.hpoa", "phenotype.hpoa", "hpoa_current")],
        }
        checked = {"genes": f'key:"{GENES}" or key:"{TERMS}"', "diseases": f'key:"{DISEASES}" or key:"{TERMS}"'}
        content = {
            name: {
                "title": name,
                "kind": "github_releases",
                "url": f"{self.url}/{name}.json",
                "licence": "hpo",
                "check": checked.get(name, checked["diseases"]),
                "files": [{"name": n, "source": s, "slots": {"embedded": slot}} for n, s, slot in named],
            }
            for name, named in files.items()
        }
        path = self.folder / "feeds.yml"
        path.write_text(yaml.safe_dump(content))
        return path


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def environment():
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DAGSTER_HOME", "GENOPLATFORM_HOME", "GENOPLATFORM_PROFILE"):
            patch.setenv(name, "")
        yield patch


@pytest.fixture(scope="module")
def platform(tmp_path_factory, pinned, environment) -> PlatformResource:
    """A home on the older release throughout, with the tables the candidates are compared with."""
    folder = tmp_path_factory.mktemp("candidates")
    profiles = yaml.safe_load(PROFILES_FILE.read_text())
    profiles["embedded"]["slots"] |= {"hpoa_current": f"phenotype.hpoa@{OLD}"}
    profiles["embedded"]["claims"] = None
    (folder / "profiles.yml").write_text(yaml.safe_dump(profiles))
    mirror = folder / "mirror"
    mirror.mkdir()
    for source, name in {
        f"hp.obo@{OLD}": f"hp-{OLD}.obo",
        f"phenotype.hpoa@{OLD}": f"phenotype-{OLD}.hpoa",
        f"genes_to_phenotype@{OLD}": f"genes_to_phenotype-{OLD}.txt",
    }.items():
        (mirror / name).symlink_to(pinned(source))
    environment.setenv("GENOPLATFORM_MIRROR", str(mirror))
    from genoplatform.definitions import build_defs

    found = PlatformResource(home=str(folder / "home"), profile="embedded", profiles_file=str(folder / "profiles.yml"))
    prepare_home(found.home_path, "embedded")
    defs = build_defs(platform=found)
    wanted = select(defs, f'+key:"{GENES}" or +key:"{DISEASES}" or +key:"{TERMS}"')
    run_assets(defs, read_nodes(defs, found), found, wanted)
    return found


@pytest.fixture(scope="module")
def publisher(tmp_path_factory):
    served = Publisher(tmp_path_factory.mktemp("publisher"))
    yield served
    served.server.shutdown()


def lines_of(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True)


def symbols_gone(content: bytes) -> bytes:
    header, *rows = lines_of(content)
    return header + b"".join(b"\t".join([row.split(b"\t")[0], b"-", *row.split(b"\t")[2:]]) for row in rows)


def ids_swapped(content: bytes) -> bytes:
    """Every row keeps its gene id and gets the symbol of a row far away: each column alone looks as before."""
    header, *rows = lines_of(content)
    cells = [row.split(b"\t") for row in rows]
    half = len(cells) // 2
    moved = [cells[(n + half) % len(cells)][1] for n in range(len(cells))]
    return header + b"".join(b"\t".join([row[0], symbol, *row[2:]]) for row, symbol in zip(cells, moved, strict=True))


def negations_gone(content: bytes) -> bytes:
    return b"".join(row.replace(b"\tNOT\t", b"\t\t") if not row.startswith(b"#") else row for row in lines_of(content))


# name -> (feed, how it is broken, what must be said)
BROKEN = {
    "empty gene file": ("genes", lambda content: lines_of(content)[0], "0 data lines"),
    "symbols all dashes": ("genes", symbols_gone, "no gene symbol"),
    "renamed columns": ("genes", lambda content: content.replace(b"hpo_id", b"term", 1), "expected"),
    "half the rows": ("genes", lambda content: b"".join(lines_of(content)[: content.count(b"\n") // 2]), "rows"),
    "swapped ids": ("genes", ids_swapped, "gene_id+gene_symbol"),
    "vanished negations": ("diseases", negations_gone, "vanished"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_release_is_flagged_by_name_and_cannot_become_the_pin(fault, platform, publisher, pinned):
    feed, broken, said = BROKEN[fault]
    name = {"genes": "genes_to_phenotype", "diseases": "phenotype.hpoa"}[feed]
    file = {"genes": "genes_to_phenotype.txt", "diseases": "phenotype.hpoa"}[feed]
    version = f"2026-06-{10 + list(BROKEN).index(fault)}"
    publisher.publish(feed, version, {file: broken(pinned(f"{name}@{OLD}").read_bytes())})
    before = platform.settings().slots

    found = stage(platform, feed, version, feeds_file=publisher.feeds())

    assert found.state == "refused"
    told = "; ".join(f"{finding.name}: {finding.text}" for finding in found.errors)
    assert said in told, told
    with pytest.raises(CandidateRefusedError, match="--force"):
        accept(platform, found.id)
    assert platform.settings().slots == before


def test_the_same_bytes_are_proposed_without_a_change(platform, publisher, pinned):
    content = pinned(f"genes_to_phenotype@{OLD}").read_bytes()
    publisher.publish("genes", "2026-07-01", {"genes_to_phenotype.txt": content})
    found = stage(platform, "genes", "2026-07-01", feeds_file=publisher.feeds())
    assert (found.state, found.findings, found.changes) == ("proposed", (), {})


def test_a_known_version_with_other_bytes_is_refused(platform, publisher, pinned):
    content = pinned(f"genes_to_phenotype@{OLD}").read_bytes() + b"\n"
    publisher.publish("genes", OLD, {"genes_to_phenotype.txt": content})
    found = stage(platform, "genes", OLD, feeds_file=publisher.feeds())
    assert [finding.name for finding in found.errors] == [f"genes_to_phenotype@{OLD} re-published"]


def test_the_real_next_release_passes_is_accepted_and_reverted(platform, publisher, pinned):
    """HPO 2025-01-16 against 2026-06-06: the figures are counted from the two files themselves."""
    files = {"hp.obo": pinned("hp.obo@2026-06-06"), "phenotype.hpoa": pinned("phenotype.hpoa@2026-06-06")}
    publisher.publish("hpo", "2026-06-06", {name: path.read_bytes() for name, path in files.items()})

    found = stage(platform, "hpo", feeds_file=publisher.feeds())

    assert (found.version, found.state) == ("2026-06-06", "proposed"), found.errors
    assert {change.slot: (change.now, change.then) for change in found.pins} == {
        "hp_obo": (f"hp.obo@{OLD}", "hp.obo@2026-06-06"),
        "hpoa_current": (f"phenotype.hpoa@{OLD}", "phenotype.hpoa@2026-06-06"),
    }
    rows = [
        sum(not line.startswith((b"#", b"database_id")) for line in pinned(f"phenotype.hpoa@{v}").open("rb"))
        for v in (OLD, "2026-06-06")
    ]
    assert any(f"{rows[0]:,}" in line and f"{rows[1]:,}" in line for line in found.changes[DISEASES]), found.changes
    assert "hpo@2026-06-06" in [item.id for item in candidates(platform.home_path)]

    accept(platform, found.id)
    assert platform.settings().slots.hp_obo == "hp.obo@2026-06-06"
    assert platform.sources().fetch("hp.obo@2026-06-06").source.sha256 == found.sources[0].sha256
    assert revert(platform, "hp_obo") == f"hp.obo@{OLD}"
    assert platform.settings().slots.hpoa_current == "phenotype.hpoa@2026-06-06"
