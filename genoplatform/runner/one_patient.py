"""One patient against the store's knowledge base: findings in, ranked genes out, by the profile's native systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.provenance.formats import FORMATS
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import read_verified
from genoplatform.runner.patient_input import Findings

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.ontology import OntologyGraph
    from genoplatform.prioritisation.systems import Knowledge

SYSTEMS = ("resnik", "likelihood")
_SHOWN_DISEASES = 3
# What ranking reads of each table; the rest (synonyms, ancestors, publications) is most of the bytes.
_COLUMNS = {
    "core/ontology/hpo_terms": ["id", "name", "obsolete", "replaced_by", "consider", "alt_ids", "parents"],
    "core/ontology/gene_annotations": ["gene_symbol", "hpo_id", "disease_id"],
    "core/ontology/disease_annotations": None,
}


@dataclass(frozen=True)
class PatientRanking:
    """One patient's genes.

    Attributes:
        table: rank, gene, score (both of the first system), diseases, and `score_<system>`, `rank_<system>` of each.
            Scores of similarity are in nats or shares, of the likelihood ratio its log10. Sorted by rank, then symbol;
            genes of equal score share the worst of their ranks.
        report: profile, systems, terms, excluded, labels: what was asked and used.
        changes: what became of terms and genes that could not be used as given.
    """

    table: pd.DataFrame
    report: dict[str, Any]
    changes: list[str] = field(default_factory=list)


def rank_genes(
    home: Path,
    profile: str,
    asked: Findings,
    wanted: list[str] | None = None,
    top: int | None = None,
    systems: Sequence[str] = SYSTEMS,
) -> PatientRanking:
    """Rank all annotated genes, or the wanted ones.

    Args:
        home: the platform's home, with the ontology tables in its store.
        profile: whose knowledge base and parameters.
        asked: the patient's findings.
        wanted: rank only these symbols.
        top: rows of the result; None for all.
        systems: native systems; the first one orders the table.

    Raises:
        SettingsError: there is no such system.
        BadInputError: the store has not been made yet.
        EmptyResultError: no term can be used.
    """
    platform = PlatformResource(home=str(home), profile=profile)
    knowledge = _knowledge(platform)
    observed, excluded = (knowledge.graph.resolve(terms) for terms in (asked.observed, asked.excluded))
    if not observed.ids:
        reasons = "; ".join(f"{row.id} {row.reason}" for row in observed.dropped.itertuples())
        raise EmptyResultError("ranking genes", f"no usable HPO term: {reasons or 'none given'}", "check the ids")
    parameters = platform.settings().ranking.model_dump()
    table = _ranked(knowledge, parameters, systems, Findings(observed.ids, excluded.ids), wanted)
    changes = [f"{row.id} -> {row.to} ({row.how})" for row in observed.mapped.itertuples()]
    changes += [f"{row.id} left out: {row.reason}" for row in observed.dropped.itertuples()]
    changes += [f"{gene} left out: no annotation" for gene in wanted or () if gene not in set(table["gene"])]
    table = table.iloc[:top].reset_index(drop=True)
    table.insert(3, "diseases", _diseases(knowledge, table["gene"]))
    names = dict(zip(knowledge.graph.ids, knowledge.graph.names, strict=True))
    labels = [names[term] for term in observed.ids]
    report = {"profile": profile, "systems": list(systems), "terms": observed.ids, "labels": labels}
    return PatientRanking(table, report | {"excluded": excluded.ids}, changes)


def _knowledge(platform: PlatformResource) -> Knowledge:
    from genoplatform.ontology.annotation_table import kept_rows
    from genoplatform.ontology.term_table import graph_of
    from genoplatform.prioritisation.systems import Knowledge

    graph: OntologyGraph = graph_of(_table(platform, "core/ontology/hpo_terms"))
    rows = kept_rows(_table(platform, "core/ontology/disease_annotations"))
    # A ranking of today's patient takes no publication away.
    return Knowledge(graph, _table(platform, "core/ontology/gene_annotations"), rows.assign(pmids=""))


def _ranked(
    knowledge: Knowledge,
    parameters: dict[str, Any],
    systems: Sequence[str],
    used: Findings,
    wanted: list[str] | None,
) -> pd.DataFrame:
    import pandas as pd

    from genoplatform.prioritisation.systems import build_system

    case = {"hpo_terms": [used.observed], "excluded_terms": [used.excluded], "source_pmid": [""], "disease_ids": [[]]}
    cases = pd.DataFrame(case)
    scores = {}
    for name in systems:
        system = build_system(name, knowledge, parameters)
        chunks, _ = system.score(cases)
        ((_, row),) = ((part, block[0]) for part, block in chunks)
        scores[f"score_{name}"] = pd.Series(row, index=system.genes)
    table = pd.DataFrame(scores).rename_axis("gene").reset_index()
    if wanted is not None:
        table = table[table["gene"].isin(wanted)]
    for name in systems:
        ranks = table[f"score_{name}"].rank(method="max", ascending=False)
        table[f"rank_{name}"] = ranks.astype("Int64")
    first = f"score_{systems[0]}"
    table = table.dropna(subset=[first]).sort_values([first, "gene"], ascending=[False, True], ignore_index=True)
    table.insert(0, "rank", table[f"rank_{systems[0]}"].astype("int64"))
    table.insert(2, "score", table[first])
    return table


def _diseases(knowledge: Knowledge, genes: pd.Series) -> list[str]:
    pairs = knowledge.links[knowledge.links["gene_symbol"].isin(genes)]
    by_gene = pairs.groupby("gene_symbol")["disease_id"].agg(list)
    return [_some(by_gene[gene]) if gene in by_gene.index else "" for gene in genes]


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
