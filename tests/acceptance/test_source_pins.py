"""The catalogue against the hashes that the paper publishes for its pinned inputs."""

import hashlib
import json

import pytest

from genoplatform.settings.sources import load_catalogue

PAPER_PINS = {
    "hp.obo": "hp.obo@2026-02-16",
    "mondo.obo": "mondo.obo@2026-03-03",
    "go.obo": "go.obo@2026-03-25",
    "hgnc_complete_set_2026-04-07.txt": "hgnc@2026-04-07",
    "genes_to_phenotype.txt": "genes_to_phenotype@2026-02-16",
    "phenotype_to_genes.txt": "phenotype_to_genes@2026-02-16",
    "phenotype.hpoa": "phenotype.hpoa@2026-02-16",
    "goa_human.gaf.gz": "goa-human@2026-03-25",
    "all_phenopackets.zip": "phenopacket-store@0.1.26",
}


@pytest.mark.shared
@pytest.mark.parametrize(("name", "source_id"), PAPER_PINS.items())
def test_workstation_pins_are_the_papers(shared, name, source_id):
    published = json.loads((shared / "released" / "reference_values.json").read_text())["pins_sha256"]
    assert load_catalogue().get(source_id).sha256 == published[name]


@pytest.mark.shared
def test_omim_mapping_is_the_pinned_file(shared):
    content = (shared / "ontology" / "mondo_exactmatch_omim.sssom.tsv").read_bytes()
    source = load_catalogue().get("mondo-omim@2026-08-04")
    assert (hashlib.sha256(content).hexdigest(), len(content)) == (source.sha256, source.bytes)


@pytest.mark.network
@pytest.mark.parametrize(
    ("source_id", "line"),
    [
        ("hp.obo@2025-01-16", b"data-version: hp/releases/2025-01-16"),
        ("hp.obo@2026-02-16", b"data-version: hp/releases/2026-02-16"),
        ("hp.obo@2026-06-06", b"data-version: hp/releases/2026-06-06"),
        ("phenotype.hpoa@2025-01-16", b"#version: 2025-01-16"),
        ("phenotype.hpoa@2026-06-06", b"#version: 2026-06-06"),
    ],
)
def test_a_pin_holds_the_release_it_names(pinned, source_id, line):
    with pinned(source_id).open("rb") as handle:
        assert line in handle.read(4096).splitlines()
