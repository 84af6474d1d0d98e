"""What a figure shows, in words, for readers who cannot see it.

Belongs here: alternative texts with the figure's numbers. Does not belong here: captions (benchmark.html).
"""

from __future__ import annotations

import pandas as pd

from genoplatform.report.estimates import rate
from genoplatform.report.formatting import count, percent, percent_interval
from genoplatform.report.inputs import ReportInputs
from genoplatform.report.plot_cohort import reason_label
from genoplatform.report.rank_change import rank_change
from genoplatform.report.releases import releases
from genoplatform.report.systems import GROUP_LABELS, METRIC_LABELS, list_label, pairs, printable, system_label

_DEPTHS = ("top1", "top5", "top10")


def overlap_alt(inputs: ReportInputs, difficulty: str) -> str:
    """Top-1 of every system and group with intervals."""
    return _rates(inputs, difficulty, _DEPTHS[:1], "Points with intervals")


def recall_alt(inputs: ReportInputs, difficulty: str) -> str:
    """Recall of every system and group at 1, 5 and 10."""
    return _rates(inputs, difficulty, _DEPTHS, "Curves of the share of cases found among the first k genes")


def rank_change_alt(inputs: ReportInputs, difficulty: str) -> str:
    """How many exposed cases fell, stayed or rose, and the share that is first by evidence removed."""
    sentences = [f"Bars of the causal gene's rank, {list_label(difficulty).lower()}."]
    ranks = inputs.ranks[difficulty]
    for pair in pairs(ranks["system"]):
        change = rank_change(ranks, inputs.cases, inputs.removed, pair)
        if change is None:
            continue
        first = (change.by_share["1st"] / change.by_share.sum(axis=1)).items()
        by_share = ", ".join(f"{share} {percent(float(value), 0)}" for share, value in first)
        sentences.append(
            f"{pair.label}: without the own publication {count(change.lower)} cases rank lower, {count(change.same)} "
            f"the same, {count(change.higher)} higher. First by share of the gene's annotations removed: {by_share}."
        )
    return " ".join(sentences)


def releases_alt(inputs: ReportInputs) -> str:
    """Share of exposed cases and top-1 of every system, release by release."""
    sentences = ["Lines over annotation releases, oldest first; the same cases in each."]
    for release in releases(inputs.releases):
        scores = [f"{system_label(name)} {percent(found['top1'][0])}" for name, found in release["systems"].items()]
        exposed = percent(release["overlap_rate"])
        sentences.append(f"{printable(release['release'])}: exposed {exposed}; top-1: {', '.join(scores)}.")
    return " ".join(sentences)


def cohort_alt(inputs: ReportInputs, panel: str) -> str:
    """One panel about the cohort."""
    return {"funnel": _funnel, "categories": _categories, "density": _density, "years": _years}[panel](inputs)


def _rates(inputs: ReportInputs, difficulty: str, metrics: tuple[str, ...], what: str) -> str:
    table = inputs.evaluations[difficulty]["metrics"]
    sentences = [f"{what}, {list_label(difficulty).lower()}."]
    for pair in pairs(table["system"]):
        parts = []
        for group, system, subset in pair.groups():
            found = [(metric, rate(table, system, subset, metric)) for metric in metrics]
            texts = [
                f"{METRIC_LABELS[metric]} {percent(value.value)} {percent_interval(value.lo, value.hi)}".rstrip()
                for metric, value in found
                if value is not None
            ]
            parts.append(f"{GROUP_LABELS[group]}: {', '.join(texts) or 'no such cases'}")
        sentences.append(f"{pair.label}. {'; '.join(parts)}.")
    return " ".join(sentences)


def _funnel(inputs: ReportInputs) -> str:
    funnel = inputs.funnel
    start = f"{count(int(funnel['n'].iloc[0]))} {printable(str(funnel['stage'].iloc[0]))}"
    lost = zip(funnel["dropped"].tolist(), funnel["reason"].tolist(), strict=True)
    dropped = ", ".join(f"{count(n)} {reason_label(reason)}" for n, reason in lost if n) or "none"
    return f"Bars of the filters. Of {start} were left out: {dropped}. Left: {count(int(funnel['n'].iloc[-1]))}."


def _categories(inputs: ReportInputs) -> str:
    table = pd.crosstab(inputs.cases["category"], inputs.cases["exposed"]).reindex(columns=[1, 0], fill_value=0)
    parts = [f"{printable(str(name))} {count(row[1])} and {count(row[0])}" for name, row in table.iterrows()]
    return f"Bars of exposed and unexposed cases by category: {'; '.join(parts)}."


def _density(inputs: ReportInputs) -> str:
    medians = inputs.cases.groupby("exposed")["density"].median()
    parts = [f"{_group(flag)} {value:g}" for flag, value in medians.iloc[::-1].items()]
    return f"Cumulative curves of the disease's annotations from other publications. Median: {', '.join(parts)}."


def _years(inputs: ReportInputs) -> str:
    known = inputs.cases.dropna(subset=["publication_year"])
    medians = known.groupby("exposed")["publication_year"].median()
    parts = [f"{_group(flag)} {float(value):.0f}" for flag, value in medians.iloc[::-1].items()]
    return f"Cumulative curves of publication years. Median: {', '.join(parts) or 'none known'}."


def _group(flag: object) -> str:
    return "exposed" if flag == 1 else "unexposed"
