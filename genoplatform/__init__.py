"""Rare-disease gene prioritisation and gene-expression analysis as verifiable Dagster assets."""

__version__ = "0.1.0"
