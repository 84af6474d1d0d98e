"""hp.obo of three releases against the facts of inputs.md (rows by number)."""

import pytest

from genoplatform.ontology import OboRelease, OntologyGraph, read_obo


@pytest.fixture(scope="module")
def releases(pinned) -> dict[str, OboRelease]:
    return {version: read_obo(pinned(f"hp.obo@{version}")) for version in ("2025-01-16", "2026-02-16")}


@pytest.fixture(scope="module")
def graphs(releases) -> dict[str, OntologyGraph]:
    return {version: OntologyGraph.from_tables(r.terms, r.edges) for version, r in releases.items()}


@pytest.mark.parametrize(
    ("version", "live", "obsolete", "edges"),
    [("2025-01-16", 19034, 450, 23392), ("2026-02-16", 19389, 555, 23677)],  # stanzas and is_a lines of the files
)
def test_every_term_and_edge_is_read(releases, version, live, obsolete, edges):
    release = releases[version]
    assert release.version == version
    assert int((~release.terms["obsolete"]).sum()) == live
    assert int(release.terms["obsolete"].sum()) == obsolete
    assert len(release.edges) == edges


@pytest.mark.parametrize("version", ["2025-01-16", "2026-02-16"])
def test_the_parser_loses_no_alternative_and_no_replacement(pinned, releases, version):
    text = pinned(f"hp.obo@{version}").read_text(encoding="utf-8")
    for column, clause in [("alt_ids", "alt_id"), ("replaced_by", "replaced_by"), ("consider", "consider")]:
        assert int(releases[version].terms[column].map(len).sum()) == text.count(f"\n{clause}: ")


def test_seizure_resolves_and_has_its_lineage(graphs):
    # rare_disease.md section 3
    for graph in graphs.values():
        assert graph.resolve(["HP:0001250"]).ids == ["HP:0001250"]
        assert graph.names[graph.index["HP:0001250"]] == "Seizure"
        assert graph.is_a("HP:0001250", "HP:0000707")  # Abnormality of the nervous system
        assert graph.is_a("HP:0001250", "HP:0000118")


def test_obsolete_terms_without_replaced_by(releases):
    # inputs.md 2: 94 in both releases
    for release in releases.values():
        gone = release.terms[release.terms["obsolete"]]
        assert int((gone["replaced_by"].map(len) == 0).sum()) == 94


def test_a_term_replaced_twice_that_later_only_suggests(releases, graphs):
    # inputs.md 2: HP:0000535
    old, new = (r.terms.set_index("id").loc["HP:0000535"] for r in releases.values())
    two = ["HP:0045074", "HP:0045075"]
    assert (old["replaced_by"], old["consider"]) == (two, [])
    assert (new["replaced_by"], new["consider"]) == ([], two)
    for graph in graphs.values():
        assert graph.resolve(["HP:0000535"]).dropped["reason"].tolist() == ["obsolete-ambiguous"]
        assert graph.resolve(["HP:0000535"], obsolete="all").ids == two


def test_terms_newer_than_the_ontology_are_unknown(graphs):
    # inputs.md 12: features of the 0.1.26 phenopackets against HPO 2025-01
    newer = ["HP:0025811", "HP:0025810"]
    assert graphs["2025-01-16"].resolve(newer).dropped["reason"].tolist() == ["unknown", "unknown"]
    assert graphs["2026-02-16"].resolve(newer).ids == newer


def test_an_obsolete_feature_of_older_packets_is_mapped(graphs):
    # inputs.md 12: HP:0031297 in 0.1.24 against HPO 2026-02
    result = graphs["2026-02-16"].resolve(["HP:0031297"])
    assert result.ids == ["HP:0011643"]
    assert result.mapped["how"].tolist() == ["replaced_by"]


def test_terms_that_are_no_phenotype_lie_outside_the_phenotype_branch(graphs):
    # inputs.md 21: Maternal diabetes, Congenital onset
    phenotypes = graphs["2025-01-16"].descendants("HP:0000118")
    assert {"HP:0009800", "HP:0003577"}.isdisjoint(phenotypes)
    assert {"HP:0009800", "HP:0003577"} <= set(graphs["2025-01-16"].ids)
