"""One tool over a cohort: jobs out, scores of the candidate lists back, every failure kept and named.

Here: what both baselines share. Not here: what each tool is told and how its output reads (exomiser.py, lirical.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.baselines.tool import ToolJob, ToolOutcome, ToolRunner
from genoplatform.prioritisation.candidate_scores import SCORED_COLUMNS, CandidateScores

NOT_EVALUABLE = "no observed term"
_FAILURE_COLUMNS = ("case_id", "reason", "detail")
_TERM = re.compile(r"HP:[0-9]{7}")


@dataclass(frozen=True)
class BaselineScores(CandidateScores):
    """Scored candidate lists of one external tool.

    Attributes:
        failures: case_id, reason, detail of the cases without a result, sorted; their scores are NaN, which every
            metric counts as a miss.
        tool: what exactly ran: version, sha256 of program and data.
    """

    failures: pd.DataFrame = field(default_factory=pd.DataFrame)
    tool: dict[str, str] = field(default_factory=dict)


def score_baseline(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    runner: ToolRunner,
    *,
    system: str,
    make_job: Callable[[pd.Series], ToolJob],
    gene_scores: Callable[[Path], Mapping[str, float]],
) -> BaselineScores:
    """Run a tool on every case that has a candidate list.

    Args:
        cases: case_id, hpo_terms, and what `make_job` reads.
        candidates: case_id, candidate_genes; one row per case.
        runner: runs the tool.
        system: label of the result.
        make_job: row of `cases` -> job.
        gene_scores: output directory -> score per gene symbol.

    Returns:
        The scored table; 0 for a candidate the tool does not know, NaN for all candidates of a case it failed on or
        that has no observed term (the tool is not asked).

    Raises:
        BadInputError: several lists of one case, a list of an unknown case, a malformed term.
    """
    lists = _lists_with_cases(cases, candidates)
    wanted = dict(zip(lists["case_id"], lists["candidate_genes"], strict=True))
    evaluable = lists["hpo_terms"].map(len) > 0
    jobs = [make_job(row) for _, row in lists[evaluable].iterrows()]

    def read(job: ToolJob, folder: Path) -> dict[str, float]:
        known = gene_scores(folder)
        return {gene: known[gene] for gene in wanted[job.case_id] if gene in known}

    outcomes = {outcome.case_id: outcome for outcome in runner.run(jobs, read)}
    for case_id in lists.loc[~evaluable, "case_id"]:
        outcomes[case_id] = ToolOutcome(case_id, None, NOT_EVALUABLE, "the case has no observed term")
    return _assemble(lists, outcomes, system, dict(runner.identity()))


def observed(terms: list[str], case_id: str) -> list[str]:
    """Distinct terms in their order. Raises BadInputError for one that is not HP:ddddddd."""
    if bad := [term for term in terms if not _TERM.fullmatch(term)]:
        raise BadInputError(f"preparing case {case_id}", f"{bad[0]!r} is no HPO id", "use the platform's case table")
    return list(dict.fromkeys(terms))


def _lists_with_cases(cases: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    for what, frame in (("cases", cases), ("candidate lists", candidates)):
        if not frame["case_id"].is_unique:
            raise BadInputError("running a baseline", f"repeated case ids among the {what}", "pass one difficulty")
    missing = candidates.loc[~candidates["case_id"].isin(cases["case_id"]), "case_id"]
    if len(missing):
        found = f"{len(missing)} lists of cases that were not given, the first {missing.iloc[0]}"
        raise BadInputError("running a baseline", found, "pass the cases that the lists were made for")
    lists = candidates[["case_id", "candidate_genes"]].merge(cases, on="case_id")
    return lists.sort_values("case_id", ignore_index=True)


def _assemble(
    lists: pd.DataFrame, outcomes: Mapping[str, ToolOutcome[dict[str, float]]], system: str, tool: dict[str, str]
) -> BaselineScores:
    flat = lists[["case_id", "candidate_genes"]].explode("candidate_genes", ignore_index=True)
    flat = flat.dropna(ignore_index=True).rename(columns={"candidate_genes": "gene"})
    values = [outcomes[case].value for case in flat["case_id"]]
    found = [np.nan if known is None else known.get(gene) for known, gene in zip(values, flat["gene"], strict=True)]
    unknown = sum(score is None for score in found)
    scored = flat.assign(
        system=pd.array([system] * len(flat), dtype="str"),
        gene=flat["gene"].astype("str"),
        score=np.array([0.0 if score is None else score for score in found], dtype=np.float64),
        candidate_index=flat.groupby("case_id").cumcount(),
    )
    failed = [outcomes[case] for case in lists["case_id"] if outcomes[case].value is None]
    failures = pd.DataFrame(
        {name: pd.array([getattr(each, name) for each in failed], dtype="str") for name in _FAILURE_COLUMNS}
    )
    counts = failures["reason"].value_counts().sort_index()
    report = {
        "cases": len(lists),
        "candidates": len(flat),
        "candidates_unknown": unknown,
        "cases_not_scored": len(failures),
        **{f"failed: {reason}": int(count) for reason, count in counts.items()},
    }
    return BaselineScores(scored[list(SCORED_COLUMNS)], report, failures, tool)
