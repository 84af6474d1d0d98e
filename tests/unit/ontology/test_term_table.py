"""Ontology releases as one stored table each, and back: the same graph, the same ancestor pairs."""

import numpy as np
import pandas as pd
import pytest
from ontology_texts import OBO_HEADER, stanza

from genoplatform.ontology import OntologyGraph, read_mondo_terms, read_obo
from genoplatform.ontology.term_table import ancestor_pairs, graph_of, mondo_table, term_table

# 5 is below 3 and 2, in this order, which is not that of their ids; 4 is obsolete.
HPO = (
    OBO_HEADER
    + stanza("HP:0000001")
    + stanza("HP:0000002", "is_a: HP:0000001")
    + stanza("HP:0000003", "alt_id: HP:0000013", "is_a: HP:0000001")
    + stanza("HP:0000004", "is_obsolete: true", "replaced_by: HP:0000003")
    + stanza("HP:0000005", "is_a: HP:0000003", "is_a: HP:0000002")
)
MONDO = HPO.replace("HP:", "MONDO:").replace("hp/releases", "mondo/releases").replace("ontology: hp", "ontology: mondo")


@pytest.fixture
def release(write):
    return read_obo(write(HPO, "hp.obo"))


def back(table: pd.DataFrame, tmp_path) -> pd.DataFrame:
    """The table as it comes back from a store."""
    table.to_parquet(tmp_path / "table.parquet")
    return pd.read_parquet(tmp_path / "table.parquet")


def test_parents_are_in_file_order_and_ancestors_reflexive(release):
    table = term_table(release).set_index("id")
    assert table.loc["HP:0000005", "parents"] == ["HP:0000003", "HP:0000002"]
    assert table.loc["HP:0000005", "ancestors"] == [f"HP:000000{n}" for n in (1, 2, 3, 5)]
    assert table.loc["HP:0000001", ["parents", "ancestors"]].tolist() == [[], ["HP:0000001"]]
    assert table.loc["HP:0000004", ["parents", "ancestors"]].tolist() == [[], []]
    assert list(table.columns[:6]) == [name for name in release.terms.columns if name != "id"]


def test_the_graph_of_a_stored_table_is_the_graph_of_the_release(release, tmp_path):
    direct = OntologyGraph.from_tables(release.terms, release.edges)
    stored = graph_of(back(term_table(release), tmp_path))
    assert stored.ids == direct.ids
    assert list(stored.names) == list(direct.names)
    np.testing.assert_array_equal(stored.parents.toarray(), direct.parents.toarray())
    np.testing.assert_array_equal(stored.ancestors.toarray(), direct.ancestors.toarray())
    for index in range(len(direct.ids)):
        assert list(stored.parents_in_order(index)) == list(direct.parents_in_order(index))
    asked = ["HP:0000013", "HP:0000004", "HP:0000099"]
    assert stored.resolve(asked).ids == direct.resolve(asked).ids == ["HP:0000003"]
    pd.testing.assert_frame_equal(stored.resolve(asked).dropped, direct.resolve(asked).dropped)


def test_mondo_ancestors_survive_the_round_trip(write, tmp_path):
    mondo = read_mondo_terms(write(MONDO, "mondo.obo"))
    table = mondo_table(mondo)
    assert list(table.columns) == [*mondo.terms.columns, "ancestors"]
    assert table.set_index("id").loc["MONDO:0000004", "ancestors"] == ["MONDO:0000004"], "an obsolete term has itself"
    pairs = ancestor_pairs(back(table, tmp_path))
    expected = mondo.ancestors[["id", "ancestor"]].sort_values(["id", "ancestor"], ignore_index=True)
    pd.testing.assert_frame_equal(pairs.sort_values(["id", "ancestor"], ignore_index=True), expected, check_dtype=False)
    assert len(pairs) == 1 + 2 + 2 + 1 + 4
