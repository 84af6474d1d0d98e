import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resnik_examples import A, B, C, D, E, diamond, hpoa_rows

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.annotations import from_hpoa
from genoplatform.prioritisation.best_match import Profiles
from genoplatform.prioritisation.counterfactual import Counterfactual
from genoplatform.prioritisation.evidence import EvidenceIndex
from genoplatform.prioritisation.resnik import FORMULAS, ResnikScorer, similarity

TERMS = [A, B, C, D, E]
LINKS = pd.DataFrame({"disease_id": ["d1", "d2", "d3", "d3"], "gene_symbol": ["g1", "g2", "g3", "g1"]})
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["d1", "d2", "d3"]),
        st.sampled_from(TERMS),
        st.lists(st.sampled_from(["PMID:1", "PMID:2"]), unique=True),
    ),
    min_size=1,
    max_size=14,
)
CASES = pd.DataFrame(
    {
        "case_id": ["one", "two", "none"],
        "causal_gene": ["g1", "g2", "g9"],
        "source_pmid": ["PMID:1", "PMID:2", ""],
        "disease_ids": [["d1"], ["d2", "d3"], ["d1"]],
        "hpo_terms": [[C, A], [D], [E, B]],
    }
)


def scores_of(counterfactual, cases=CASES, **options):
    queries = counterfactual.scorer.queries(cases["hpo_terms"].tolist())
    blocks = [block for _, block in counterfactual.iter_scores(cases, queries, **options)]
    return np.concatenate(blocks)


def rebuilt(rows, case, scope):
    """The knowledge base read again from a file without the case's rows; None if nothing is left."""
    own = rows["disease_id"].isin(case["disease_ids"]) if scope == "own_disease" else True
    cites = rows["pmids"].map(lambda pmids: case["source_pmid"] in pmids)
    left = rows[~(cites & own)]
    return None if left.empty else from_hpoa(left, LINKS, diamond())


@settings(max_examples=25, deadline=None)
@given(ROWS, st.sampled_from(FORMULAS), st.sampled_from(["all_diseases", "own_disease"]))
def test_equals_reading_the_file_again_without_the_rows(given_rows, formula, scope):
    rows = hpoa_rows(*given_rows)
    kb = from_hpoa(rows, LINKS, diamond())
    scorer = ResnikScorer.from_knowledge_base(kb, formula=formula)
    index = EvidenceIndex.from_knowledge_base(kb)
    fixed = scores_of(Counterfactual(scorer, index, scope))
    for at, case in CASES.iterrows():
        again = rebuilt(rows, case, scope)
        expected = dict.fromkeys(kb.genes, 0.0)
        queries = scorer.queries([case["hpo_terms"]]).matrix
        if again is not None:
            reduced = Profiles.from_direct(again.direct, scorer.best_match.ancestors)
            scores = similarity(scorer.best_match, queries, reduced, formula)[0]
            expected |= dict(zip(again.genes, scores, strict=True))
        assert fixed[at].tolist() == [expected[gene] for gene in kb.genes]
        if again is not None:
            fresh = ResnikScorer.from_knowledge_base(again, formula=formula)
            renewed = dict.fromkeys(kb.genes, 0.0)
            renewed |= dict(zip(again.genes, fresh.score(queries)[0], strict=True))
            alone = CASES.iloc[[at]].reset_index(drop=True)
            recomputed = scores_of(Counterfactual(scorer, index, scope, "recomputed"), alone)
            assert recomputed[0].tolist() == [renewed[gene] for gene in kb.genes]


@pytest.fixture
def example():
    rows = hpoa_rows(
        ("d1", C, ["PMID:1"]),
        ("d1", A, ["PMID:1"]),
        ("d1", B, []),
        ("d2", D, ["PMID:2"]),
        ("d3", E, ["PMID:1"]),
    )
    kb = from_hpoa(rows, LINKS, diamond())
    return ResnikScorer.from_knowledge_base(kb), EvidenceIndex.from_knowledge_base(kb)


def test_cases_without_a_publication_keep_their_scores(example):
    scorer, index = example
    plain = scorer.score_all(CASES["hpo_terms"].tolist())
    without = scores_of(Counterfactual(scorer, index))
    assert np.array_equal(without[2], plain[2])
    assert without[0, 0] < plain[0, 0]


def test_chunks_and_threads_change_nothing(example):
    many = pd.concat([CASES] * 5, ignore_index=True)
    counterfactual = Counterfactual(*example)
    whole = scores_of(counterfactual, many)
    assert np.array_equal(whole, scores_of(counterfactual, many, chunk=4, workers=2))


def test_summary_counts_what_goes(example):
    table = Counterfactual(*example).summary(CASES)
    assert table.columns.tolist() == [
        "case_id",
        "edges_removed",
        "genes_affected",
        "genes_emptied",
        "causal_terms",
        "causal_terms_removed",
    ]
    # PMID:1: g1 loses c, a and (through d3) e, g3 its only term e. PMID:2: g2 loses its only term d.
    assert table.to_numpy().tolist() == [
        ["one", 4, 2, 1, 4, 3],
        ["two", 1, 1, 1, 1, 1],
        ["none", 0, 0, 0, 0, 0],
    ]
    own = Counterfactual(*example, scope="own_disease").summary(CASES)
    assert own.loc[0, ["edges_removed", "genes_affected"]].tolist() == [2, 1]


def test_content_over_diseases_cannot_be_recomputed(example):
    scorer, index = example
    over_diseases = ResnikScorer(
        scorer.genes, scorer.graph, scorer.profiles, scorer.best_match, scorer.formula, "diseases"
    )
    with pytest.raises(SettingsError, match="counted over diseases"):
        Counterfactual(over_diseases, index, content="recomputed")
