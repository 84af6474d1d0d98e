from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likelihood_examples import A, B, C, D, E, F, G, links, rows, small_graph

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.phenodigm import PhenodigmCounterfactual, PhenodigmRanker
from genoplatform.prioritisation.phenodigm.scores import ModelScores

GRAPH = small_graph()
GENES = links(g1="OMIM:1", g2="OMIM:2", g3="OMIM:3 OMIM:1")
DISEASES = ["OMIM:1", "OMIM:2", "OMIM:3", "OMIM:4"]  # the last has no gene: it counts for content only
TERMS = [A, B, C, D, E, F, G]
CASES = pd.DataFrame(
    {
        "case_id": ["one", "two", "none"],
        "causal_gene": ["g1", "g2", "g9"],
        "source_pmid": ["PMID:1", "PMID:2", ""],
        "disease_ids": [["OMIM:1"], ["OMIM:3"], ["OMIM:1"]],
    }
)
OBSERVED = [[B, F], [A, G], [D]]


def ranker_of(table):
    # With a handful of diseases no term is rare: every common ancestor counts.
    return PhenodigmRanker.from_rows(table, GENES, GRAPH, min_content=0.1)


def rebuilt(table, scope, content):
    """Each case against a ranker made of what is left, its genes in the order of the full one."""
    full = ranker_of(table)
    out = []
    for at, case in CASES.iterrows():
        gone = table["pmids"].map(lambda pmids, pmid=case["source_pmid"]: pmid in pmids)
        if scope == "own_disease":
            gone &= table["disease_id"].isin(case["disease_ids"])
        ranker = ranker_of(table[~gone].reset_index(drop=True))
        if content == "fixed":
            profiles = ranker.rows.matrix(len(GRAPH.ids))[: ranker.rows.n_linked]
            models = ModelScores.from_models(full.models.similarity, profiles)
            ranker = replace(ranker, models=models)
        scores = ranker.score(ranker.queries([OBSERVED[at]]).matrix)[0]
        out.append(pd.Series(scores, ranker.genes).reindex(full.genes, fill_value=0.0))
    return np.array(out)


@pytest.mark.parametrize("scope", ["all_diseases", "own_disease"])
@pytest.mark.parametrize("content", ["fixed", "recomputed"])
@settings(max_examples=5, deadline=None)
@given(st.data())
def test_equals_a_ranker_made_without_the_publication(scope, content, data):
    row = st.tuples(
        st.sampled_from(DISEASES),
        st.sampled_from(TERMS),
        st.just(""),
        st.lists(st.sampled_from(["PMID:1", "PMID:2"]), unique=True),
    )
    # One row of a linked disease that nothing removes: there is always a gene left to rank.
    table = rows(*data.draw(st.lists(row, min_size=1, max_size=14)), ("OMIM:2", A, ""))
    ranker = ranker_of(table)
    made = PhenodigmCounterfactual.from_rows(ranker, table, scope=scope, content=content)
    blocks = [block for _, block in made.iter_scores(CASES, ranker.queries(OBSERVED), chunk=2)]
    np.testing.assert_allclose(np.concatenate(blocks), rebuilt(table, scope, content), atol=1e-9)


def test_a_model_that_loses_everything_scores_zero():
    table = rows(("OMIM:1", B, "", ["PMID:1"]), ("OMIM:2", G, ""), ("OMIM:4", B, "", ["PMID:1"]))
    ranker = ranker_of(table)
    before = ranker.score(ranker.queries([[B]]).matrix)
    made = PhenodigmCounterfactual.from_rows(ranker, table)
    (_, after), *_ = made.iter_scores(CASES[:1], ranker.queries([[B]]))
    assert ranker.genes == ["g1", "g2", "g3"]
    assert before.tolist() == [[1.0, 0.0, 1.0]]
    assert after.tolist() == [[0.0, 0.0, 0.0]]
    summary = made.summary(CASES)
    assert summary[["rows_removed", "diseases_affected", "diseases_emptied"]].values.tolist()[0] == [2, 2, 2]


def test_recomputed_content_needs_content_over_diseases():
    table = rows(("OMIM:1", B, "", ["PMID:1"]))
    ranker = PhenodigmRanker.from_rows(table, GENES, GRAPH, corpus="genes")
    with pytest.raises(SettingsError, match="content counted over genes"):
        PhenodigmCounterfactual.from_rows(ranker, table, content="recomputed")
