"""Core expression: one cohort a partition, from its files over facts and decisions to the linked table and its record.

Which rules make them is the profile's (`expression.rules`); the sidecars record it. Statistics start at `linked`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from genoplatform.assets.declare import Made, platform_asset
from genoplatform.assets.partitions import COHORTS
from genoplatform.assets.upstream import Upstream
from genoplatform.resources.geo import GeoResource
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.pools import IO_POOL
from genoplatform.resources.store_io import PIN

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.expression.readers.platform_choice import CohortSource
    from genoplatform.resources.store_io import PinnedInput
    from genoplatform.settings.expression import ExpressionSettings
    from genoplatform.settings.profiles import Profile

Tables = dict[str, "pd.DataFrame"]


def _settings(profile: Profile) -> ExpressionSettings:
    from genoplatform.errors import SettingsError

    if profile.expression is None:
        raise SettingsError("preprocessing a cohort", f"profile {profile.name} has no section `expression`")
    return profile.expression


def _source(
    key: str, cohort: PinnedInput | None, settings: ExpressionSettings, platform: str | None = None
) -> CohortSource:
    from genoplatform.errors import SettingsError
    from genoplatform.expression.readers.platform_choice import CohortSource

    if cohort is None:
        raise SettingsError(f"reading cohort {key}", "the profile's slot `expression_cohorts` is empty")
    rule = "most_samples" if settings.rules == "sound" else "first_file"
    return CohortSource(key, cohort.path, rule, platform or settings.platforms.get(key))  # type: ignore[arg-type]


def _shown(report: dict[str, int]) -> Any:
    import pandas as pd

    from genoplatform.assets.shown import markdown_table

    return markdown_table(pd.DataFrame(list(report.items()), columns=["what", "count"]))


@platform_asset(
    "raw/expression/cohort",
    io=PIN,
    version="1",
    kinds=["file"],
    slot="expression_cohorts",
    partitions=COHORTS,
    needs=["geo"],
    pool=IO_POOL,
)
def cohort(platform: PlatformResource, partition: str, geo: GeoResource) -> Made:
    """Files of one cohort: a GEO series or a TCGA cohort, obtained from GEO if the directory lists its accession."""
    from genoplatform.assets.raw import obtained
    from genoplatform.resources.expression_cohorts import obtain_if_listed

    obtain_if_listed(platform.settings(), partition, geo)
    return obtained(platform, "expression_cohorts", partition)


@platform_asset(
    "core/expression/gene_aliases",
    ins={"genes": "core/ontology/genes", "synonyms": "raw/expression/gene_synonyms"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["expression"],
)
def gene_aliases(genes: pd.DataFrame, synonyms: PinnedInput | None, settings: Profile) -> Made:
    """Names of genes and the official symbols they mean: aliases, former symbols, Ensembl and Entrez ids."""
    from genoplatform.expression.aliases import alias_table, dictionary_table, no_names, read_synonyms, rule_a2_of

    if settings.expression is None:
        return Made(no_names(), {"use": "not used by this profile"})
    if settings.expression.rules == "sound":
        return Made(alias_table(genes))
    return Made(dictionary_table(read_synonyms(synonyms.path) if synonyms else rule_a2_of(genes)))


@platform_asset(
    "core/expression/series",
    ins={"cohort": "raw/expression/cohort", "by_people": "raw/expression/decisions"},
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["expression"],
    partitions=COHORTS,
)
def series(cohort: PinnedInput | None, by_people: PinnedInput | None, partition: str, settings: Profile) -> Made:
    """Facts of a cohort: background, sample texts, characteristics by key and row, first ids, annotation preview."""
    from genoplatform.expression.decide import platform_by_people
    from genoplatform.expression.series_tables import read_series_tables

    platform = platform_by_people(partition, by_people.path if by_people else None)
    tables = read_series_tables(_source(partition, cohort, _settings(settings), platform))
    about = dict(zip(tables["about"]["field"], tables["about"]["value"], strict=True))
    shown = {"platform": about["platform"] or "not named", "samples": len(tables["samples"])}
    report = dict(zip(tables["report"]["reason"], tables["report"]["count"].tolist(), strict=True))
    return Made(tables, {**shown, "report": _shown(report)})


@platform_asset(
    "core/expression/decisions",
    ins={"series": "core/expression/series", "by_people": "raw/expression/decisions"},
    io="json",
    version="1",
    kinds=["json"],
    reads=["expression"],
    partitions=COHORTS,
)
def decisions(series: Tables, by_people: PinnedInput | None, settings: Profile) -> Made:
    """Curation of a cohort: which facts are the trait, age and gender, how they are coded, and how ids become genes."""
    from genoplatform.expression.decide import decide

    found = decide(series, _settings(settings).rules, by_people.path if by_people else None)
    return Made(found.model_dump(mode="json"), {"curator": found.curator, "why": dict(found.why)})


@platform_asset(
    "core/expression/annotation",
    ins={
        "cohort": "raw/expression/cohort",
        "series": "core/expression/series",
        "decisions": "core/expression/decisions",
    },
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["expression"],
    partitions=COHORTS,
)
def annotation(
    cohort: PinnedInput | None, series: Tables, decisions: dict[str, Any], partition: str, settings: Profile
) -> Made:
    """What each probe of the cohort's platform measures: the two annotation columns that curation chose."""
    from genoplatform.expression.decisions import CohortDecisions
    from genoplatform.expression.facts_table import CohortTables
    from genoplatform.expression.series_tables import read_chosen_annotation

    declared = _settings(settings)
    decided = CohortDecisions.model_validate(decisions)
    source = _source(partition, cohort, declared)
    table, report = read_chosen_annotation(source, CohortTables.from_tables(series).platform, decided, declared.rules)
    return Made(table, {"report": _shown(report)}, recorded=report)


@platform_asset(
    "core/expression/gene_data",
    ins={
        "cohort": "raw/expression/cohort",
        "series": "core/expression/series",
        "decisions": "core/expression/decisions",
        "annotation": "core/expression/annotation",
        "aliases": "core/expression/gene_aliases",
    },
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["expression"],
    partitions=COHORTS,
)
def gene_data(
    cohort: PinnedInput | None,
    series: Tables,
    decisions: dict[str, Any],
    annotation: pd.DataFrame,
    aliases: pd.DataFrame,
    partition: str,
    settings: Profile,
) -> Made:
    """Expression of official gene symbols in every sample of the cohort."""
    from genoplatform.expression.aliases import aliases_of
    from genoplatform.expression.decisions import CohortDecisions
    from genoplatform.expression.facts_table import CohortTables
    from genoplatform.expression.preprocess import gene_table
    from genoplatform.expression.readers.cohort import read_expression

    declared = _settings(settings)
    decided = CohortDecisions.model_validate(decisions)
    platform = CohortTables.from_tables(series).platform
    measured = read_expression(_source(partition, cohort, declared), platform)
    found = gene_table(measured, annotation, decided, aliases_of(aliases), declared)
    shown = {"genes": len(found.genes), "samples": len(found.samples), "why empty": found.why_empty or "it is not"}
    return Made(found.to_tables(), {**shown, "report": _shown(found.report)})


@platform_asset(
    "core/expression/clinical_data",
    ins={"series": "core/expression/series", "decisions": "core/expression/decisions"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["expression"],
    partitions=COHORTS,
)
def clinical_data(series: Tables, decisions: dict[str, Any], settings: Profile) -> Made:
    """Trait, age and gender of every sample as numbers, beside the cells they were read from, and repeated persons."""
    from genoplatform.expression.decisions import CohortDecisions
    from genoplatform.expression.facts_table import CohortTables
    from genoplatform.expression.preprocess import clinical_table

    decided = CohortDecisions.model_validate(decisions)
    found = clinical_table(CohortTables.from_tables(series), decided, _settings(settings))
    return Made(found.table, {"available": ", ".join(found.available) or "nothing", "report": _shown(found.report)})


@platform_asset(
    "core/expression/linked",
    ins={
        "gene_data": "core/expression/gene_data",
        "clinical_data": "core/expression/clinical_data",
        "decisions": "core/expression/decisions",
    },
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["expression"],
    partitions=COHORTS,
)
def linked(gene_data: Tables, clinical_data: pd.DataFrame, decisions: dict[str, Any], settings: Profile) -> Made:
    """Samples with trait, covariates and genes, missing values handled, and the record of how that ended."""
    from genoplatform.expression.decisions import CohortDecisions
    from genoplatform.expression.linked_tables import linked_tables
    from genoplatform.expression.preprocess import ClinicalTable, GeneTable, link, record_table

    decided = CohortDecisions.model_validate(decisions)
    clinical = ClinicalTable.of(clinical_data, decided)
    found = link(GeneTable.from_tables(gene_data), clinical, decided, _settings(settings))
    tables = linked_tables(found.cohort) | {"record": record_table([found.record])}
    shown = {
        "usable": found.record.is_usable,
        "why not": found.record.reason or "it is",
        "samples": found.record.sample_size or 0,
        "genes": found.record.genes,
    }
    return Made(tables, {**shown, "report": _shown(found.report)})


@platform_asset(
    "core/expression/record",
    ins={"linked": "core/expression/linked"},
    io="json",
    version="1",
    kinds=["json"],
    partitions=COHORTS,
)
def record(linked: Tables) -> Made:
    """How preprocessing of the cohort ended, one record in its own file: cohorts made at once never share one."""
    from genoplatform.expression.preprocess import record_of

    found = record_of(linked["record"])
    return Made(found.model_dump(mode="json"), {"usable": found.is_usable, "reason": found.reason or "it is"})


@platform_asset(
    "core/expression/cohort_info",
    ins={"records": Upstream("core/expression/record")},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
)
def cohort_info(records: dict[str, dict[str, Any]]) -> Made:
    """Every cohort with its availability, bias, size and, where it is not usable, the reason."""
    from genoplatform.assets.shown import markdown_table
    from genoplatform.expression.preprocess import CohortRecord, record_table

    table = record_table(CohortRecord.model_validate(item) for item in records.values())
    shown = table[["trait", "cohort", "is_usable", "sample_size", "genes", "reason"]]
    return Made(table, {"usable": int(table["is_usable"].sum()), "cohorts": markdown_table(shown)})


expression_assets = [
    cohort,
    gene_aliases,
    series,
    decisions,
    annotation,
    gene_data,
    clinical_data,
    linked,
    record,
    cohort_info,
]
