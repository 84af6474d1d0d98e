"""Likelihood-ratio and PhenoDigm speed: all evaluable packets of the Phenopacket Store against all genes.

Times both variants of the likelihood ranker and the PhenoDigm ranker, cold (every term's column made on the way) and
warm, with the rank of every causal gene, and both counterfactuals; checks top-1 against the reference figures in the
same run. The original Java classes take about 8 s a case on one thread (specification, measured).

    python benchmarks/likelihood.py PHENOPACKETS.tar.xz [--home .genoplatform]
"""

import argparse
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from genoplatform.cohort.phenopackets import read_phenopackets
from genoplatform.ontology import OntologyGraph, disease_genes, read_gene_annotations, read_hpoa, read_obo, with_copies
from genoplatform.prioritisation.likelihood import LikelihoodCounterfactual, LikelihoodRanker
from genoplatform.prioritisation.phenodigm import PhenodigmCounterfactual, PhenodigmRanker
from genoplatform.prioritisation.ranking import rank_all_genes
from genoplatform.resources.sources.fetch import SourceStore, mirror_from_environment

REFERENCE = {"observed": 0.402, "observed_and_excluded": 0.360, "phenodigm": 0.351}


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def evaluable(path: Path) -> pd.DataFrame:
    records = read_phenopackets(path).records
    causal = records["gene_symbols"].map(lambda symbols: next(iter(symbols), ""))
    source = records["case_id"].str.extract(r":PMID_(\d+)")[0]
    cases = records.assign(causal_gene=causal, source_pmid=("PMID:" + source).fillna(""))
    return cases[(causal != "") & (cases["hpo_terms"].map(len) > 0)].reset_index(drop=True)


def measure(name: str, ranker: Any, queries: Any, counterfactual: Any, cases: pd.DataFrame) -> dict[str, float]:
    def top1(chunks: Any) -> float:
        table = rank_all_genes(chunks, ranker.genes, cases, system=name)
        return float((table["rank"] <= 1).mean())

    found, cold = timed(lambda: top1(ranker.iter_scores(queries)))
    again, warm = timed(lambda: top1(ranker.iter_scores(queries)))
    without, removed = timed(lambda: top1(counterfactual.iter_scores(cases, queries)))
    assert found == again
    assert abs(found - REFERENCE[name]) < 0.01, (name, found)
    return {
        "top1": round(found, 4),
        "top1_without_own_publication": round(without, 4),
        "cold_s": round(cold, 2),
        "warm_s": round(warm, 2),
        "warm_ms_per_case": round(warm / len(cases) * 1e3, 3),
        "counterfactual_s": round(removed, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("phenopackets", type=Path)
    parser.add_argument("--home", type=Path, default=Path(".genoplatform"), help="cache of pinned sources")
    args = parser.parse_args()
    store = SourceStore(args.home, mirror_dir=mirror_from_environment())
    obo = read_obo(store.fetch("hp.obo@2025-01-16").path)
    graph = OntologyGraph.from_tables(obo.terms, obo.edges)
    rows = with_copies(read_hpoa(store.fetch("phenotype.hpoa@2025-01-16").path))
    links = disease_genes(read_gene_annotations(store.fetch("genes_to_phenotype@2025-01-16").path).rows)
    cases = evaluable(args.phenopackets)
    observed, excluded = cases["hpo_terms"].tolist(), cases["excluded_terms"].tolist()

    likelihood, built = timed(lambda: LikelihoodRanker.from_rows(rows, links, graph))
    results: dict[str, Any] = {"cases": len(cases), "likelihood_build_s": round(built, 2)}
    removal = LikelihoodCounterfactual.from_rows(likelihood, rows)
    for name, absent in (("observed", None), ("observed_and_excluded", excluded)):
        results[name] = measure(name, likelihood, likelihood.queries(observed, absent), removal, cases)
    results["likelihood_peak_gb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2)

    phenodigm, built = timed(lambda: PhenodigmRanker.from_rows(rows, links, graph))
    results["phenodigm_build_s"] = round(built, 2)
    model_removal = PhenodigmCounterfactual.from_rows(phenodigm, rows)
    results["phenodigm"] = measure("phenodigm", phenodigm, phenodigm.queries(observed), model_removal, cases)
    results["peak_gb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2)
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
