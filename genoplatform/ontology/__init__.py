"""Ontologies and annotation files as typed tables: HPO, MONDO, phenotype.hpoa, gene annotations, HGNC.

Reading, checking and graph questions belong here. Cases, similarity and likelihoods do not.
"""

from genoplatform.ontology.copies import with_copies
from genoplatform.ontology.frequency import FREQUENCY_TERMS, parse_frequency
from genoplatform.ontology.genes import GeneAnnotations, disease_genes, read_gene_annotations
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.ontology.hgnc import alias_map, protein_coding, read_hgnc
from genoplatform.ontology.hpoa import HpoaRelease, read_hpoa
from genoplatform.ontology.mondo import MondoRelease, read_mondo_terms, read_mondo_xrefs
from genoplatform.ontology.obo import OboRelease, read_obo
from genoplatform.ontology.pooling import pool_annotations
from genoplatform.ontology.releases import compare_releases, release_qualifier_counts
from genoplatform.ontology.resolve import ObsoletePolicy, Resolution
from genoplatform.ontology.sssom import disease_to_mondo, read_sssom

__all__ = [
    "FREQUENCY_TERMS",
    "GeneAnnotations",
    "HpoaRelease",
    "MondoRelease",
    "OboRelease",
    "ObsoletePolicy",
    "OntologyGraph",
    "Resolution",
    "alias_map",
    "compare_releases",
    "disease_genes",
    "disease_to_mondo",
    "parse_frequency",
    "pool_annotations",
    "protein_coding",
    "read_gene_annotations",
    "read_hgnc",
    "read_hpoa",
    "read_mondo_terms",
    "read_mondo_xrefs",
    "read_obo",
    "read_sssom",
    "release_qualifier_counts",
    "with_copies",
]
