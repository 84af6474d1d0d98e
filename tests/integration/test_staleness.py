"""What a change makes stale: exactly what is downstream of it, each with its reason, and nothing else.

The expected sets come from Dagster's own graph, not from the planner.
"""

from dataclasses import replace

import pytest
import yaml
from homes import SPINE, open_home

from genoplatform.provenance.sidecar import sidecar_path
from genoplatform.runner.nodes import select

RANKS = '+key:"eval/prioritisation/ranks"'


def asset_of(label):
    return label.partition("[")[0]


@pytest.fixture
def changed(own_world, embedded):
    """The made home under profiles changed in one place: `changed(section, name, value)`."""

    def change(section, name, value):
        content = yaml.safe_load(own_world.profiles.read_text())
        content["embedded"][section][name] = value
        own_world.profiles.write_text(yaml.safe_dump(content))
        return open_home(embedded.platform.home_path, own_world)

    return change


@pytest.mark.parametrize("section", ["cohort", "ranking", "inference"])
def test_a_parameter_makes_stale_what_reads_it_and_what_follows(section, changed, embedded):
    values = {"cohort": ("seed", 7), "ranking": ("tie_rule", "mean"), "inference": ("seed", 7)}
    stale = changed(section, *values[section]).stale()
    readers = {node.asset for node in embedded.nodes.values() if section in node.reads} & select(embedded.defs, SPINE)
    assert set(stale) == embedded.downstream(*readers)
    first = {label: reason for label, reason in stale.items() if not reason.endswith(" changes")}
    assert set(first.values()) == {"parameters changed"}
    assert {asset_of(label) for label in first} <= readers
    assert not any(label.startswith(("raw/", "core/ontology/")) for label in stale)


def test_a_code_version_makes_stale_what_is_downstream(embedded):
    asset = "core/ontology/genes"
    nodes = embedded.nodes | {asset: replace(embedded.nodes[asset], code_version="1.1")}
    stale = embedded.stale(nodes=nodes)
    assert set(stale) == embedded.downstream(asset)
    assert stale[asset] == f"code version {embedded.nodes[asset].code_version} -> 1.1"
    assert stale["core/cohort/selection"] == "core/ontology/genes changes"
    assert "core/ontology/hpo_terms" not in stale


def test_another_pin_makes_stale_what_is_downstream(changed, embedded):
    stale = changed("slots", "hpoa_current", "phenotype.hpoa@tiny-old").stale()
    assert set(stale) == embedded.downstream("raw/ontology/hpoa_current")
    assert stale["raw/ontology/hpoa_current"] == "pin changed to phenotype.hpoa@tiny-old"


def test_the_same_pin_with_other_bytes_is_another_pin(own_world, embedded):
    catalogue = yaml.safe_load(own_world.catalogue.read_text())
    (entry,) = (item for item in catalogue["sources"] if item["id"] == "hgnc@tiny")
    entry["sha256"] = "0" * 64
    own_world.catalogue.write_text(yaml.safe_dump(catalogue))
    stale = open_home(embedded.platform.home_path, own_world).stale()
    assert set(stale) == embedded.downstream("raw/ontology/hgnc")
    assert stale["raw/ontology/hgnc"] == "hgnc@tiny is pinned to other bytes"


def test_a_changed_user_directory_makes_stale_what_reads_it(own_world, tmp_path, monkeypatch):
    content = yaml.safe_load(own_world.profiles.read_text())
    content["workstation"]["slots"]["phenopackets"] = "directory:TINY_PACKETS"
    own_world.profiles.write_text(yaml.safe_dump(content))
    packets = tmp_path / "packets"
    packets.mkdir()
    (packets / "one.json").write_text("{}")
    monkeypatch.setenv("TINY_PACKETS", str(packets))
    home = open_home(tmp_path / "home", own_world, "workstation")
    raw = 'key:"raw/cohort/phenopackets"'
    home.run(raw)
    assert home.stale(raw) == {}
    (packets / "two.json").write_text("{}")
    assert home.stale(raw) == {"raw/cohort/phenopackets": "the directory changed"}
    home.run(raw)
    assert home.stale(raw) == {}


def test_what_a_change_made_stale_is_fresh_once_it_ran(own_world, embedded, copy_of):
    content = yaml.safe_load(own_world.profiles.read_text())
    content["embedded"]["ranking"]["tie_rule"] = "mean"
    own_world.profiles.write_text(yaml.safe_dump(content))
    home = copy_of(embedded, own_world)
    stale = home.stale(RANKS)
    assert set(home.run(RANKS).made) == set(stale)
    assert home.stale(RANKS) == {}
    readers = {label for label in home.labels() if "eval/prioritisation/ranks" in home.nodes[asset_of(label)].inputs}
    assert {finding.node for finding in home.audit().findings} == readers, "made from the earlier ranks"


def cut_off(path):
    path.write_bytes(path.read_bytes()[:100])


def drop_sidecar(path):
    sidecar_path(path).unlink()


def spoil_sidecar(path):
    sidecar_path(path).write_text('{"format": "genoplatform-provenance/1"}')


def remove(path):
    path.unlink()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (cut_off, "its bytes were changed"),
        (drop_sidecar, "no provenance (no sidecar beside it)"),
        (spoil_sidecar, "no provenance (not a provenance sidecar"),
        (remove, "not made yet"),
    ],
)
def test_a_damaged_artefact_is_seen_and_made_again(damage, reason, embedded, copy_of, world):
    home = copy_of(embedded, world)
    before = home.files()
    damage(home.path("eval/prioritisation/ranks", "hard"))
    stale = home.stale()
    hard = {label for label in home.downstream("eval/prioritisation/ranks") if not label.endswith("[standard]")}
    assert set(stale) == hard, "the other candidate lists are not touched"
    assert stale["eval/prioritisation/ranks[hard]"].startswith(reason)
    assert "ranks[hard]" in str(home.run('key:"eval/prioritisation/ranks"').made)
    assert home.files() == before, "made again, byte for byte, so that nothing downstream has to be"
    assert home.stale() == {}


def test_a_flipped_byte_is_found_by_the_audit_and_repaired_by_the_next_run(embedded, copy_of, world):
    home = copy_of(embedded, world)
    before = home.files()
    page = home.path("out/report/benchmark", kind="directory") / "index.html"
    content = bytearray(page.read_bytes())
    content[len(content) // 2] ^= 1
    page.write_bytes(content)
    assert [(finding.node, finding.problem) for finding in home.audit().findings] == [
        ("out/report/benchmark", "changed")
    ]
    assert home.run().made == ["out/report/benchmark"]
    assert home.files() == before
    assert home.audit().findings == []


def test_a_store_without_its_cache_says_so(embedded, copy_of, world):
    home = copy_of(embedded, world)
    located = home.platform.sources().cache.location(home.platform.sources().catalogue.get("hgnc@tiny"))
    located.unlink()
    assert home.stale()["raw/ontology/hgnc"] == "pinned bytes are not in the cache"
