"""Analysis of expression: the problem catalogue, one answer a problem, its evaluation, and pages of cohorts.

Which rules answer is the profile's (`expression_statistics.rules`); every answer says them. A problem without a cohort
has an answer too: none, with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from genoplatform.assets.declare import Made, platform_asset
from genoplatform.assets.partitions import COHORTS, PROBLEMS
from genoplatform.assets.upstream import Upstream, same_trait
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import PIN

if TYPE_CHECKING:
    from pathlib import Path

    import dagster as dg
    import pandas as pd

    from genoplatform.expression.pictures.picture import Picture
    from genoplatform.expression.statistics.problems import Catalogue
    from genoplatform.resources.store_io import PinnedInput
    from genoplatform.settings.expression import StatisticsSettings
    from genoplatform.settings.profiles import Profile

Tables = dict[str, "pd.DataFrame"]
_UNUSED = {"use": "not used by this profile"}


def _settings(profile: Profile) -> StatisticsSettings:
    from genoplatform.errors import SettingsError

    if profile.expression_statistics is None:
        raise SettingsError("answering a problem", f"profile {profile.name} has no section `expression_statistics`")
    return profile.expression_statistics


def _obtained_if_named(platform: PlatformResource, slot: str) -> Made:
    """As `raw.obtained`; a directory of the user's that is not named is an empty slot."""
    from genoplatform.assets.raw import obtained
    from genoplatform.errors import SettingsError

    try:
        return obtained(platform, slot)
    except SettingsError as error:
        return Made({"slot": slot, "source_id": None}, {"source": str(error)})


def _catalogue(source: PinnedInput | None) -> Catalogue | None:
    from genoplatform.expression.statistics.problems import read_catalogue

    return read_catalogue(source.path) if source is not None else None


def _image(picture: Picture) -> dg.MarkdownMetadataValue:
    from genoplatform.assets.shown import png
    from genoplatform.report.canvas import draw

    return png(draw(picture.paint, picture.height))


@platform_asset("raw/expression/problems", io=PIN, version="1", kinds=["file"], slot="expression_problems")
def raw_problems(platform: PlatformResource) -> Made:
    """Problem catalogue in the benchmark's task_info form: known genes and conditions of traits."""
    return _obtained_if_named(platform, "expression_problems")


@platform_asset("raw/expression/reference", io=PIN, version="1", kinds=["file"], slot="expression_reference")
def raw_reference(platform: PlatformResource) -> Made:
    """Reference analysis in the benchmark's layout, which results are held against."""
    return _obtained_if_named(platform, "expression_reference")


@platform_asset(
    "core/expression/problems",
    ins={"source": "raw/expression/problems"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["expression_statistics"],
)
def problems(source: PinnedInput | None, settings: Profile) -> Made:
    """Problems of the catalogue, or the declared ones: trait, condition, known genes of both, and their overlap."""
    from genoplatform.expression.statistics.problems import catalogue_of_problems, catalogue_table

    declared = settings.expression_statistics
    catalogue = _catalogue(source) or catalogue_of_problems(declared.problems if declared else [])
    table = catalogue_table(catalogue)
    return Made(table, {"kinds": table["kind"].value_counts().to_dict()} if declared else _UNUSED)


@platform_asset(
    "core/expression/known_genes",
    ins={"source": "raw/expression/problems"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
)
def known_genes(source: PinnedInput | None) -> Made:
    """Known genes of every trait of the catalogue, best first."""
    from genoplatform.expression.statistics.problems import Catalogue, known_gene_table

    table = known_gene_table(_catalogue(source) or Catalogue({}, {}))
    return Made(table, {"traits": int(table["trait"].nunique())})


@platform_asset(
    "eval/expression/regression",
    ins={"linked": Upstream("core/expression/linked", same_trait), "known": "core/expression/known_genes"},
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["expression_statistics"],
    partitions=PROBLEMS,
)
def regression(linked: dict[str, Tables], known: pd.DataFrame, partition: str, settings: Profile) -> Made:
    """Genes of a problem: the cohort chosen, the model, its penalty by cross-validation, p-values, and facts."""
    from genoplatform.assets.shown import markdown_table
    from genoplatform.expression.pictures.of_cohort import answer_picture
    from genoplatform.expression.statistics.answer_tables import answer_of, facts_of
    from genoplatform.expression.statistics.problems import Problem
    from genoplatform.expression.statistics.solve import solve

    declared = _settings(settings)
    tables = solve(partition, linked, known, declared)
    facts, found = facts_of(tables), answer_of(Problem.of(partition), tables)
    shown: dict[str, Any] = {"why": facts["why"], "rules": facts["rules"]}
    if found is not None:
        first = found.genes[found.genes["chosen"]]
        shown |= {
            "model": facts["model"],
            "chosen": len(first),
            "genes": markdown_table(first, 20),
            "performance": markdown_table(tables["performance"]),
            "plot": _image(answer_picture(found, declared.fdr)),
        }
    return Made(tables, shown, recorded={"rules": facts["rules"], "model": facts.get("model")})


@platform_asset(
    "eval/expression/results",
    ins={"answers": Upstream("eval/expression/regression")},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
)
def results(answers: dict[str, Tables]) -> Made:
    """All problems, a row each: rules, cohort, model, genes chosen, how well it predicts, and what inflates it."""
    from genoplatform.assets.shown import markdown_table
    from genoplatform.expression.statistics.answer_tables import result_table

    table = result_table(answers)
    shown = table[["trait", "condition", "rules", "model", "trait_cohort", "chosen", "prediction", "why"]]
    return Made(table, {"answered": int(table["answered"].sum()), "problems": markdown_table(shown)})


@platform_asset(
    "eval/expression/evaluation",
    ins={
        "files": Upstream("out/expression/significant_genes"),
        "cohorts": "core/expression/cohort_info",
        "reference": "raw/expression/reference",
        "source": "raw/expression/problems",
    },
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["expression_statistics"],
)
def evaluation(
    files: dict[str, Path],
    cohorts: pd.DataFrame,
    reference: PinnedInput | None,
    source: PinnedInput | None,
    platform: PlatformResource,
) -> Made:
    """Filtering, selection, preprocessing, genes and prediction against the reference; failures count as 0."""
    from genoplatform.assets.shown import markdown_table
    from genoplatform.expression.evaluation.evaluate import nothing_evaluated
    from genoplatform.resources.expression_evaluation import evaluate_store

    if reference is None:
        return Made(nothing_evaluated(), _UNUSED)
    analysis = platform.work_dir("eval/expression/evaluation")
    found = evaluate_store(platform, analysis, files, reference.path, _catalogue(source))
    return Made(found.tables_by_name(), {"summary": markdown_table(found.summary), "cohorts": len(cohorts)})


@platform_asset(
    "out/expression/significant_genes",
    ins={"answer": "eval/expression/regression"},
    io="directory",
    version="1",
    kinds=["json"],
    partitions=PROBLEMS,
)
def significant_genes(answer: Tables, partition: str) -> Made:
    """The answer to a problem as the benchmark's regression file; a note in its place where there is none."""
    import json

    from genoplatform.expression.statistics.answer_tables import answer_of, facts_of
    from genoplatform.expression.statistics.problems import Problem
    from genoplatform.expression.statistics.result import file_name

    problem = Problem.of(partition)
    found = answer_of(problem, answer)
    if found is None:
        why = facts_of(answer)["why"]
        return Made({"no_answer.txt": f"{problem.key}: {why}\n".encode()}, {"why": why})
    text = json.dumps(found.benchmark(), indent=4, ensure_ascii=False, allow_nan=False)
    return Made({f"regress/{problem.trait}/{file_name(problem)}": text.encode()}, {"genes": len(found.chosen)})


@platform_asset(
    "out/expression/cohort_page",
    ins={
        "linked": "core/expression/linked",
        "gene_data": "core/expression/gene_data",
        "series": "core/expression/series",
    },
    io="directory",
    version="1",
    kinds=["html"],
    reads=["expression", "expression_statistics"],
    partitions=COHORTS,
)
def cohort_page(linked: Tables, gene_data: Tables, series: Tables, partition: str, settings: Profile) -> Made:
    """The page of a cohort: components, missing values, effects, p-values, inflation, and what to beware of."""
    from genoplatform.assets.shown import png
    from genoplatform.expression.pictures.of_cohort import page_of
    from genoplatform.report.canvas import draw
    from genoplatform.report.images import data_uri

    declared = settings.expression_statistics
    permutations, seed = (declared.permutations, declared.seed) if declared else (40, 42)
    page, pictures = page_of(
        partition, linked, gene_data, series, lambda one: data_uri(draw(one.paint, one.height, fmt="svg")),
        permutations=permutations, seed=seed,
    )  # fmt: skip
    shown = {one.name: png(draw(one.paint, one.height)) for one in pictures}
    return Made({"index.html": page}, shown or {"why empty": "the cohort is not usable"})


expression_analysis_assets = [
    raw_problems,
    raw_reference,
    problems,
    known_genes,
    regression,
    results,
    evaluation,
    significant_genes,
    cohort_page,
]
