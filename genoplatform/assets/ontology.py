"""Core ontology tables: parsed once from the pinned bytes, typed, with everything left out counted by reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from genoplatform.assets.declare import Made, platform_asset

if TYPE_CHECKING:
    from genoplatform.resources.store_io import PinnedInput


def _report(version: str, report: dict[str, int]) -> dict[str, Any]:
    return {"release": version, "report": report}


@platform_asset(
    "core/ontology/hpo_terms", ins={"obo": "raw/ontology/hp_obo"}, io="parquet", version="1", kinds=["parquet", "table"]
)
def hpo_terms(obo: PinnedInput) -> Made:
    """HPO terms: alternative ids, obsolete terms and replacements, parents in file order, reflexive ancestors."""
    from genoplatform.ontology import read_obo
    from genoplatform.ontology.term_table import term_table

    release = read_obo(obo.path)
    return Made(term_table(release), {"release": release.version})


def _annotations(hpoa: PinnedInput) -> Made:
    from genoplatform.ontology import read_hpoa
    from genoplatform.ontology.annotation_table import annotation_table

    release = read_hpoa(hpoa.path)
    return Made(annotation_table(release), _report(release.version, release.report))


@platform_asset(
    "core/ontology/disease_annotations",
    ins={"hpoa": "raw/ontology/hpoa_knowledge"},
    io="parquet",
    version="2",
    kinds=["parquet", "table"],
)
def disease_annotations(hpoa: PinnedInput) -> Made:
    """The knowledge base: disease to phenotype annotations with frequency, negation and publications."""
    return _annotations(hpoa)


@platform_asset(
    "core/ontology/disease_annotations_current",
    ins={"hpoa": "raw/ontology/hpoa_current"},
    io="parquet",
    version="2",
    kinds=["parquet", "table"],
)
def disease_annotations_current(hpoa: PinnedInput) -> Made:
    """Disease annotations of the newer release: where the publication cases come from; no ranker reads it."""
    return _annotations(hpoa)


@platform_asset(
    "core/ontology/gene_annotations",
    ins={"genes": "raw/ontology/genes_to_phenotype"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
)
def gene_annotations(genes: PinnedInput) -> Made:
    """Gene to phenotype to disease annotations of HPO, with `present` telling 0/n rows apart."""
    from genoplatform.ontology import read_gene_annotations

    release = read_gene_annotations(genes.path)
    return Made(release.rows, {"report": release.report})


@platform_asset(
    "core/ontology/genes", ins={"hgnc": "raw/ontology/hgnc"}, io="parquet", version="1", kinds=["parquet", "table"]
)
def genes(hgnc: PinnedInput) -> Made:
    """Human gene symbols of HGNC with locus group, aliases and previous symbols."""
    from genoplatform.ontology import protein_coding, read_hgnc

    table = read_hgnc(hgnc.path)
    return Made(table, {"protein-coding symbols": len(protein_coding(table))})


@platform_asset(
    "core/ontology/mondo_terms",
    ins={"mondo": "raw/ontology/mondo_terms"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
)
def mondo_terms(mondo: PinnedInput) -> Made:
    """MONDO disease terms with their reflexive ancestors."""
    from genoplatform.ontology import read_mondo_terms
    from genoplatform.ontology.term_table import mondo_table

    release = read_mondo_terms(mondo.path)
    return Made(mondo_table(release), {"release": release.version})


@platform_asset(
    "core/ontology/disease_mondo",
    ins={"mondo": "raw/ontology/mondo_terms", "mappings": "raw/ontology/mondo_mappings"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
)
def disease_mondo(mondo: PinnedInput, mappings: PinnedInput | None) -> Any:
    """OMIM diseases and their MONDO terms: exact matches where the profile pins mappings, else MONDO's own xrefs."""
    from genoplatform.ontology import read_mondo_xrefs, read_sssom

    table = read_sssom(mappings.path) if mappings is not None else read_mondo_xrefs(mondo.path)
    return table[["disease_id", "mondo_id"]].sort_values(["disease_id", "mondo_id"], ignore_index=True)


ontology_assets = [
    hpo_terms,
    disease_annotations,
    disease_annotations_current,
    gene_annotations,
    genes,
    mondo_terms,
    disease_mondo,
]
