"""Tool outputs written by hand in the formats the specification describes; no output of the real programs."""

GENE_COLUMNS = [
    "#RANK", "ID", "GENE_SYMBOL", "ENTREZ_GENE_ID", "MOI", "P-VALUE", "EXOMISER_GENE_COMBINED_SCORE",
    "EXOMISER_GENE_PHENO_SCORE", "EXOMISER_GENE_VARIANT_SCORE", "HUMAN_PHENO_SCORE", "MOUSE_PHENO_SCORE",
    "FISH_PHENO_SCORE", "WALKER_SCORE", "PHIVE_ALL_SPECIES_SCORE", "OMIM_SCORE", "MATCHES_CANDIDATE_GENE",
    "HUMAN_PHENO_EVIDENCE", "MOUSE_PHENO_EVIDENCE", "FISH_PHENO_EVIDENCE", "HUMAN_PPI_EVIDENCE",
    "MOUSE_PPI_EVIDENCE", "FISH_PPI_EVIDENCE",
]  # fmt: skip


def gene_row(rank, symbol, pheno, combined="0.0001", evidence="none"):
    """One row: 16 columns and one free text, which may hold tabs; the header names 22."""
    scores = [combined, pheno, "0.0000", pheno, "0.0000", "0.0000", "0.5000", pheno, "1.0000"]
    return "\t".join([str(rank), f"{symbol}_AD", symbol, "1", "AD", "1.0000", *scores, "0", evidence])


def gene_tsv(*rows):
    return "".join(line + "\n" for line in ["\t".join(GENE_COLUMNS), *rows])


LIRICAL_HEADER = "rank\tdiseaseName\tdiseaseCurie\tpretestprob\tposttestprob\tcompositeLR"
LIRICAL_TSV = f"""\
! LIRICAL TSV Output
! Sample: case
! Observed HPO terms
! Arachnodactyly <HP:0001166>
{LIRICAL_HEADER}
1\tMarfan syndrome\tOMIM:154700\t1/8406\t65.60%\t4.205
2\tA disease, with a comma\tORPHA:558\t1/8406\t5.01%\t2.647
1,000\tSomething else\tOMIM:100100\t1/8406\t0.00%\t-1,234.5
8,406\tImpossible\tOMIM:100200\t1/8406\t0.00%\t-∞
"""
