"""Benchmark cohorts: from phenopackets or publications to cases, candidate lists and covariates.

Here: loading packets, inclusion, categories, sampling, candidate genes, canonical records, covariates.
Not here: parsing ontology or annotation files (``genoplatform.ontology``), scoring and ranking
(``genoplatform.prioritisation``), statistics over ranks (``genoplatform.inference``).
"""
