"""Which genes stand behind the diseases that LIRICAL lists (phenotype-only LIRICAL names no gene).

Here: OMIM through mim2gene_medgen and HGNC, ORPHA through Orphanet's own symbols. Not here: scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from genoplatform.errors import EmptyResultError
from genoplatform.ontology.hgnc import read_hgnc
from genoplatform.ontology.tsv import Layout, read_table
from genoplatform.prioritisation.baselines.orphanet import read_orphanet_genes

MIM2GENE, ORPHANET, HGNC = "mim2gene_medgen", "en_product6.xml", "hgnc_complete_set.txt"
_MIM2GENE = Layout(
    "mim2gene_medgen",
    {"mim": frozenset({"mimnumber", "mim"}), "entrez_id": frozenset({"geneid"})},
    ("mim", "entrez_id"),
)


@dataclass(frozen=True)
class DiseaseGenes:
    """Diseases and their genes.

    Attributes:
        links: disease_id, gene_symbol; distinct, sorted.
        report: counts of rows used and of rows that could not be.
    """

    links: pd.DataFrame
    report: dict[str, int]


@dataclass(frozen=True)
class MimGenes:
    """NCBI's mim2gene_medgen.

    Attributes:
        rows: mim, entrez_id ("-" = none), rows of any type, in file order.
        rejected: line, reason, detail of the lines that are no such row.
    """

    rows: pd.DataFrame
    rejected: pd.DataFrame


def read_mim2gene(path: Path) -> MimGenes:
    """Read mim2gene_medgen.

    Raises:
        BadInputError: no file, or no such table.
        EmptyResultError: no row.
    """
    table = read_table(path, _MIM2GENE)
    if table.frame.empty:
        raise EmptyResultError(f"reading {path.name}", "a header and no row", "use the file LIRICAL downloads")
    return MimGenes(table.frame[["mim", "entrez_id"]], table.bad)


def read_disease_genes(data_dir: Path, hgnc: pd.DataFrame) -> DiseaseGenes:
    """Link diseases to genes by the files of LIRICAL's own data directory.

    Args:
        data_dir: holds mim2gene_medgen, en_product6.xml and, as a rule, hgnc_complete_set.txt.
        hgnc: of `read_hgnc`, used where the directory has no hgnc_complete_set.txt.

    Raises:
        BadInputError: a file is missing or is not what its name says.
        EmptyResultError: a file without content, or no link.
    """
    own = data_dir / HGNC
    return lirical_disease_genes(
        read_mim2gene(data_dir / MIM2GENE),
        read_hgnc(own) if own.is_file() else hgnc,
        read_orphanet_genes(data_dir / ORPHANET),
    )


def lirical_disease_genes(mim2gene: MimGenes, hgnc: pd.DataFrame, orphanet: pd.DataFrame | None) -> DiseaseGenes:
    """Link diseases to genes as the published comparison does.

    Args:
        mim2gene: of `read_mim2gene`; rows of any type count.
        hgnc: of `read_hgnc`: symbol, entrez_id.
        orphanet: of `read_orphanet_genes`, symbols not normalised; None leaves ORPHA diseases without a gene.

    Raises:
        EmptyResultError: no OMIM disease could be linked.
    """
    rows = mim2gene.rows
    named = rows[(rows["entrez_id"] != "-") & (rows["entrez_id"] != "")]
    symbols = hgnc.loc[hgnc["entrez_id"] != "", ["entrez_id", "symbol"]]
    known = named.merge(symbols, on="entrez_id")
    if known.empty:
        raise EmptyResultError(
            "linking OMIM diseases to genes", "no gene id of the file is in HGNC", "check both files"
        )
    omim = pd.DataFrame({"disease_id": "OMIM:" + known["mim"], "gene_symbol": known["symbol"]})
    parts = [omim] if orphanet is None else [omim, orphanet[["disease_id", "gene_symbol"]]]
    links = pd.concat(parts).drop_duplicates().sort_values(["disease_id", "gene_symbol"], ignore_index=True)
    report = {
        "mim2gene_rows": len(rows),
        "mim2gene_rejected": len(mim2gene.rejected),
        "mim2gene_without_gene": len(rows) - len(named),
        "mim2gene_gene_not_in_hgnc": int((~named["entrez_id"].isin(symbols["entrez_id"])).sum()),
        "omim_links": len(omim.drop_duplicates()),
        "orpha_links": 0 if orphanet is None else len(orphanet.drop_duplicates()),
    }
    return DiseaseGenes(links, report)
