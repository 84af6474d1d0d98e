"""A broken upstream release in the graph: flagged by name, stopped, and nothing good is overwritten downstream."""

import hashlib

import pytest
import tiny
import yaml
from homes import open_home

from genoplatform.dbt_like_checks.compile import table_checks
from genoplatform.dbt_like_checks.declared import DeclaredTable
from genoplatform.provenance import read_sidecar
from genoplatform.runner.failure import RunFailedError

GENES = "core/ontology/genes"
UPSTREAM = f'+key:"{GENES}"'
COLUMNS = dict.fromkeys(("hgnc_id", "symbol", "locus_group", "status", "entrez_id", "ensembl_gene_id"), "string")
COLUMNS |= {"alias_symbols": "list<string>", "prev_symbols": "list<string>"}
DRIFT = {"drift": {"classes": ["locus_group"], "keys": ["symbol", "hgnc_id+symbol"], "min_class": 2}}


def checks():
    described = {name: {"type": kind, "description": name} for name, kind in COLUMNS.items()}
    table = {"asset": GENES, "key": ["hgnc_id"], "columns": described, "tests": [DRIFT]}
    return [table_checks(DeclaredTable.model_validate(table))]


def release(world, text):
    """Publish other bytes as the pin of the gene table."""
    (world.mirror / "hgnc.txt").write_text(text)
    catalogue = yaml.safe_load(world.catalogue.read_text())
    for entry in catalogue["sources"] if isinstance(catalogue, dict) else catalogue:
        if entry["id"] == "hgnc@tiny":
            entry |= {"sha256": hashlib.sha256(text.encode()).hexdigest(), "bytes": len(text.encode())}
    world.catalogue.write_text(yaml.safe_dump(catalogue))


def rows(text):
    header, *lines = text.splitlines()
    return header, lines


HEADER, LINES = rows(tiny.hgnc())
BROKEN = {
    "half the rows": ("\n".join([HEADER, *LINES[:36]]), "rows 73 -> 36"),
    "non-coding genes gone": (
        "\n".join([HEADER, *(line for line in LINES if "non-coding" not in line)]),
        "'non-coding RNA': 3 -> 0 (-100.0%): the class has vanished",
    ),
    "swapped ids": (
        "\n".join([HEADER, *(f"HGNC:{n}\t{line.split(chr(9), 1)[1]}" for n, line in enumerate(LINES, start=500))]),
        "hgnc_id+symbol: 100.0% of the keys are gone",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_release_is_stopped_and_named(own_world, tmp_path, name):
    text, message = BROKEN[name]
    home = open_home(tmp_path / "home", own_world, checks=checks())
    home.run(UPSTREAM)
    release(own_world, text + "\n")
    broken = open_home(tmp_path / "home", own_world, checks=checks())
    for _ in range(2):  # again: a state that failed is not what the next one is compared with
        with pytest.raises(RunFailedError, match="drift_") as caught:
            broken.run(UPSTREAM)
        assert message in str(caught.value)
    release(own_world, tiny.hgnc())
    mended = open_home(tmp_path / "home", own_world, checks=checks())
    mended.run(UPSTREAM)
    assert mended.stale(UPSTREAM) == {}


def test_a_broken_release_leaves_what_is_downstream_as_it_was(own_world, tmp_path):
    home = open_home(tmp_path / "home", own_world, checks=checks())
    below = '+key:"core/cohort/cases"'
    home.run(below)
    good = read_sidecar(home.path("core/cohort/cases"))
    release(own_world, BROKEN["half the rows"][0] + "\n")
    broken = open_home(tmp_path / "home", own_world, checks=checks())
    with pytest.raises(RunFailedError, match="rows 73 -> 36"):
        broken.run(below)
    assert read_sidecar(home.path("core/cohort/cases")) == good
