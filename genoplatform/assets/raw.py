"""Raw layer: the pinned bytes as obtained, one asset a slot. Nothing is parsed here."""

from __future__ import annotations

import dagster as dg

from genoplatform.assets.declare import Made, platform_asset
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import PIN

# slot -> (asset key, what it is)
SLOTS = {
    "hp_obo": ("raw/ontology/hp_obo", "Human Phenotype Ontology, OBO file."),
    "hpoa_knowledge": (
        "raw/ontology/hpoa_knowledge",
        "HPO disease annotations (phenotype.hpoa) that the rankers know: the knowledge base.",
    ),
    "hpoa_current": (
        "raw/ontology/hpoa_current",
        "HPO disease annotations of the newer release, from which publication cases are drawn.",
    ),
    "genes_to_phenotype": ("raw/ontology/genes_to_phenotype", "HPO gene annotations (genes_to_phenotype.txt)."),
    "hgnc": ("raw/ontology/hgnc", "HGNC complete set of human gene symbols."),
    "mondo_terms": ("raw/ontology/mondo_terms", "MONDO disease terms and hierarchy."),
    "mondo_mappings": ("raw/ontology/mondo_mappings", "MONDO to OMIM mappings (SSSOM)."),
    "phenopackets": ("raw/cohort/phenopackets", "Phenopacket release: archive or directory of published cases."),
    "pmid_dates": ("raw/cohort/pmid_dates", "Publication dates by PMID, where the profile pins such a table."),
    "gene_synonyms": (
        "raw/expression/gene_synonyms",
        "Alias to symbol file (gene_synonym.json) of the benchmark's own normaliser, where the profile pins one.",
    ),
    "expression_decisions": (
        "raw/expression/decisions",
        "Curation decisions made by people, a file a cohort, where the profile has such a directory.",
    ),
    "embedding_model": ("raw/retrieval/embedding_model", "Dense model of the embedder: a file, or a model directory."),
    "embedding_tokenizer": ("raw/retrieval/embedding_tokenizer", "Tokenizer of the dense model (tokenizer.json)."),
    "released": ("raw/cohort/released", "Released per-case rankings with their cohort, where the profile uses them."),
}


def obtained(platform: PlatformResource, slot: str, partition: str | None = None) -> Made:
    """The record of the bytes that fill a slot, obtained and verified; an empty record for an empty slot."""
    pin = platform.pin(slot, partition)
    if pin is None:
        return Made({"slot": slot, "source_id": None}, {"source": "not used by this profile"})
    shown = {"source": pin.source_id, "file": pin.file_name, "sha256": pin.sha256, "bytes": pin.bytes}
    return Made(pin.model_dump(mode="json"), shown, pin=pin)


def _raw_asset(slot: str) -> dg.AssetsDefinition:
    key, description = SLOTS[slot]

    def obtain(platform: PlatformResource) -> Made:
        return obtained(platform, slot)

    obtain.__doc__ = description
    return platform_asset(key, io=PIN, version="1", kinds=["file"], slot=slot)(obtain)


raw_assets = [_raw_asset(slot) for slot in SLOTS]
