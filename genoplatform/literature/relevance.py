"""Whether an article is about genetics (rare_disease.md section 1.3): the corpus' only content filter.

It is broad on purpose ("protein" alone passes): it keeps 2,254,388 of the snapshot's articles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

VOCABULARY = (
    "genetic", "genetics", "genomic", "genomics", "genome", "mutation", "mutations", "variant", "variants",
    "rare disease", "rare diseases", "orphan disease", "mendelian", "monogenic", "hereditary", "phenotype", "genotype",
    "exome", "next-generation sequencing", "whole genome", "whole-genome", "whole exome", "whole-exome",
    "cystic fibrosis", "huntington", "marfan", "noonan", "digeorge", "rett syndrome", "phenylketonuria", "duchenne",
    "fragile x", "mitochondrial", "chromosome", "chromosomal", "aneuploidy", "deletion", "duplication", "copy number",
    "cnv", "snp", "single nucleotide polymorphism", "gwas", "genome-wide association", "polymorphism", "allele",
    "alleles", "heterozygous", "homozygous", "compound heterozygous", "autosomal", "x-linked", "y-linked",
    "dominant inheritance", "recessive inheritance", "de novo", "germline", "somatic", "founder mutation", "splice",
    "missense", "nonsense", "frameshift", "indel", "trinucleotide repeat", "expansion", "imprinting", "epigenetic",
    "epigenome", "epigenomic", "rna-seq", "rnaseq", "transcriptome", "transcriptomic", "methylation", "histone",
    "chromatin",
)  # fmt: skip
"""Terms of which one, anywhere in the text, makes it relevant."""

_WORDS = re.compile(
    r"""\b(?:
        genes? | allele | locus | loci | exon | intron | codon | protein | amino\ acid
      | sequencing | sanger | illumina | nanopore
      | crispr | cas9 | tales? | talen | zfn
      | (?:omim|hgnc|orphanet|mondo|hpo):?\d+
      | chr\d+(?:[pq][\d.]*)?
      | \d+\s*(?:kb|mb|bp)
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)


def is_relevant(title: str, abstract: str, categories: Iterable[str]) -> bool:
    """Whether title, abstract and categories speak of genetics; False if all three are empty."""
    text = " ".join((title, abstract, *categories)).lower()
    return any(term in text for term in VOCABULARY) or _WORDS.search(text) is not None
