"""One patient against the store's knowledge base: observed terms in, ranked genes out."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.provenance.formats import FORMATS
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import read_verified

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.ontology import OntologyGraph
    from genoplatform.prioritisation.annotations import KnowledgeBase
    from genoplatform.prioritisation.resnik import ResnikScorer

_SHOWN_DISEASES = 3
# What ranking reads of each table; the rest (synonyms, ancestors, publications) is most of the bytes.
_COLUMNS = {
    "core/ontology/hpo_terms": ["id", "name", "obsolete", "replaced_by", "consider", "alt_ids", "parents"],
    "core/ontology/gene_annotations": ["gene_symbol", "hpo_id", "disease_id"],
    "core/ontology/disease_annotations": ["row", "status", "disease_id", "hpo_id", "negated", "present", "copies"],
}


@dataclass(frozen=True)
class PatientRanking:
    """rank, gene, score (nats), diseases; what was read; and what became of terms that could not be used as given."""

    table: pd.DataFrame
    report: dict[str, Any]
    changes: list[str]


def observed_terms(hpo: str | None, phenopacket: Path | None) -> list[str]:
    """Observed HPO ids from a comma-separated list or a phenopacket; excluded features are never among them.

    Raises:
        BadInputError: the file is no phenopacket.
    """
    if hpo is not None:
        return [term.strip() for term in hpo.split(",") if term.strip()]
    from genoplatform.cohort.packet import PacketRejectedError, parse_packet

    path = Path(str(phenopacket))
    try:
        packet = parse_packet(json.loads(path.read_bytes()))
    except (OSError, ValueError, PacketRejectedError) as error:
        raise BadInputError(f"reading {path.name}", str(error), "give a GA4GH phenopacket as JSON") from error
    return list(dict.fromkeys(feature.hpo_id for feature in packet.features if not feature.excluded))


def wanted_genes(path: Path) -> list[str]:
    """Gene symbols of a text file, separated by white space.

    Raises:
        BadInputError: it cannot be read, or names no gene.
    """
    try:
        symbols = list(dict.fromkeys(path.read_text(encoding="utf-8").split()))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"reading {path.name}", str(error), "give a text file of gene symbols") from error
    if not symbols:
        raise BadInputError(f"reading {path.name}", "it names no gene", "give a text file of gene symbols")
    return symbols


def rank_genes(
    home: Path, profile: str, terms: list[str], wanted: list[str] | None = None, top: int | None = None
) -> PatientRanking:
    """Rank all annotated genes, or the wanted ones, by similarity to the observed terms.

    Args:
        home: the platform's home, with the ontology tables in its store.
        profile: whose knowledge base and formula.
        terms: observed HPO ids.
        wanted: rank only these symbols.
        top: rows of the result; None for all.

    Returns:
        Sorted by score, then symbol; genes of equal score share the worst of their ranks.

    Raises:
        BadInputError: the store has not been made yet.
        EmptyResultError: no term can be used.
    """
    from genoplatform.ontology.term_table import graph_of

    platform = PlatformResource(home=str(home), profile=profile)
    graph = graph_of(_table(platform, "core/ontology/hpo_terms"))
    resolution = graph.resolve(terms)
    if not resolution.ids:
        reasons = "; ".join(f"{row.id} {row.reason}" for row in resolution.dropped.itertuples())
        raise EmptyResultError("ranking genes", f"no usable HPO term: {reasons or 'none given'}", "check the ids")
    base, scorer = _scorer(platform, graph)
    table = _ranked(scorer, resolution.ids, wanted).iloc[:top]
    table = table.assign(diseases=_diseases(base, table["gene"]))
    changes = [f"{row.id} -> {row.to} ({row.how})" for row in resolution.mapped.itertuples()]
    changes += [f"{row.id} left out: {row.reason}" for row in resolution.dropped.itertuples()]
    known = set(scorer.genes)
    changes += [f"{gene} left out: no annotation" for gene in wanted or () if gene not in known]
    return PatientRanking(table, {"profile": profile, "terms": resolution.ids}, changes)


def _scorer(platform: PlatformResource, graph: OntologyGraph) -> tuple[KnowledgeBase, ResnikScorer]:
    from genoplatform.ontology.annotation_table import kept_rows
    from genoplatform.prioritisation.systems import Knowledge, resnik_scorer

    rows = kept_rows(_table(platform, "core/ontology/disease_annotations"))
    # A ranking of today's patient takes no publication away.
    knowledge = Knowledge(graph, _table(platform, "core/ontology/gene_annotations"), rows.assign(pmids=""))
    return resnik_scorer(knowledge, platform.settings().ranking.model_dump())


def _ranked(scorer: ResnikScorer, terms: list[str], wanted: list[str] | None) -> pd.DataFrame:
    import pandas as pd

    table = pd.DataFrame({"gene": scorer.genes, "score": scorer.score_all([terms])[0]})
    if wanted is not None:
        table = table[table["gene"].isin(wanted)]
    table = table.sort_values(["score", "gene"], ascending=[False, True], ignore_index=True)
    table.insert(0, "rank", table["score"].rank(method="max", ascending=False).astype("int64"))
    return table


def _diseases(base: KnowledgeBase, genes: pd.Series) -> list[str]:
    pairs = base.gene_diseases[base.gene_diseases["gene_symbol"].isin(genes)]
    by_gene = pairs.groupby("gene_symbol")["disease_id"].agg(list)
    return [_some(by_gene[gene]) for gene in genes]


def _some(ids: list[str]) -> str:
    shown = ", ".join(ids[:_SHOWN_DISEASES])
    return shown + (f" and {len(ids) - _SHOWN_DISEASES} more" if len(ids) > _SHOWN_DISEASES else "")


def _table(platform: PlatformResource, asset: str) -> Any:
    import pandas as pd

    kind = replace(FORMATS["parquet"], read=lambda path: pd.read_parquet(path, columns=_COLUMNS[asset]))
    try:
        return read_verified(platform.artefact(asset, None, "parquet"), kind)
    except FileNotFoundError as error:
        raise BadInputError(
            f"opening {asset}", "it is not in the store", "run `genoplatform demo`, or `run --profile`, first"
        ) from error
