"""Inputs of the disease-based rankers' acceptance tests: HPO 2025-01-16 and the Phenopacket Store."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from genoplatform.cohort.phenopackets import read_phenopackets
from genoplatform.ontology import (
    HpoaRelease,
    OntologyGraph,
    disease_genes,
    read_gene_annotations,
    read_hpoa,
    read_obo,
)


@dataclass(frozen=True)
class Release:
    graph: OntologyGraph
    hpoa: HpoaRelease
    links: pd.DataFrame


def read_release(pinned: Callable[[str], Path]) -> Release:
    obo = read_obo(pinned("hp.obo@2025-01-16"))
    genes = read_gene_annotations(pinned("genes_to_phenotype@2025-01-16"))
    hpoa = read_hpoa(pinned("phenotype.hpoa@2025-01-16"))
    return Release(OntologyGraph.from_tables(obo.terms, obo.edges), hpoa, disease_genes(genes.rows))


def evaluable_cases(shared: Path) -> pd.DataFrame:
    """The 9,517 of 9,588 packets with an observed HPO term and a named causal gene; see cohort for the columns."""
    records = read_phenopackets(shared / "phenopackets" / "phenopacket-store-0.1.26.tar.xz").records
    causal = records["gene_symbols"].map(lambda symbols: next(iter(symbols), ""))
    source = records["case_id"].str.extract(r":PMID_(\d+)")[0]
    cases = records.assign(causal_gene=causal, source_pmid=("PMID:" + source).fillna(""))
    kept = cases[(causal != "") & (cases["hpo_terms"].map(len) > 0)].reset_index(drop=True)
    assert len(kept) == 9517
    return kept
