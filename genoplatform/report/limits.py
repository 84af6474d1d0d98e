"""What the results do not show: what is small, what is not like a patient, what was assumed.

Belongs here: the limits, with the numbers they depend on. Does not belong here: what the results do show (wording).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from genoplatform.report.formatting import counted, percent
from genoplatform.report.inputs import ReportInputs
from genoplatform.report.rank_change import emptied


@dataclass(frozen=True)
class Limit:
    """A limit: what it concerns, and the limit in a few sentences."""

    title: str
    text: str


def limits(inputs: ReportInputs, numbers: Mapping[str, Any]) -> list[Limit]:
    """Every limit that applies, the weightiest first."""
    found = [
        _unexposed(inputs, numbers),
        _not_patients(inputs),
        _removal(inputs),
        _sampling(inputs, numbers),
        _lists(inputs),
        Limit(
            "Exposure is a citation",
            "A case counts as unexposed when its publication is not cited. Another article about the same patients, or "
            "annotations without a publication, may still have told the knowledge base. The shift between exposed and "
            "unexposed compares different cases, which may differ in more than exposure.",
        ),
        _years(inputs),
        Limit(
            "Intervals and tests",
            "Intervals are percentiles of a bootstrap over whole publications, and p-values come from flipping the "
            "signs of whole publications; adjusted p-values are in the tables. Where every case is a hit, or none, "
            "drawing again changes nothing and the interval shrinks to a point: that is not certainty.",
        ),
    ]
    return [limit for limit in found if limit is not None]


def _unexposed(inputs: ReportInputs, numbers: Mapping[str, Any]) -> Limit:
    cases = inputs.cases[inputs.cases["exposed"] == 0]
    if cases.empty:
        return Limit("No unexposed cases", "Nothing can be said about cases that the knowledge base has not seen.")
    diseases = cases["disease_ids"].explode().dropna()
    publications = numbers["unexposed_publications"]
    text = (
        f"{counted(len(cases), 'case')} of {numbers['cases']:,}, from {counted(publications, 'publication')}, are "
        "unexposed: whatever is said about them is only as sure as that number allows."
    )
    sizes = diseases.value_counts().sort_index().sort_values(ascending=False, kind="stable")
    if 0 < len(sizes) < publications:
        text += (
            f" They are about only {counted(len(sizes), 'disease')}, and {counted(int(sizes.iloc[0]), 'case')} about "
            f"{sizes.index[0]} alone. Publications about one disease are not independent of each other, which the "
            f"intervals do not count: the truth is less certain than they look.{_elsewhere(inputs)}"
        )
    return Limit("The unexposed cases", text)


def _elsewhere(inputs: ReportInputs) -> str:
    given = any(inputs.analysis(name, "shifts_by_disease") is not None for name in inputs.difficulties)
    return " Intervals that do count it stand under a closer look." if given else ""


def _not_patients(inputs: ReportInputs) -> Limit:
    if set(inputs.cases["cohort"]) == {"publication_profiles"}:
        text = (
            "Nothing on this page is simulated. But a case is an annotation profile, not a patient: the terms curators "
            "drew from one article, often pooled over several people. The link from disease to gene is the older "
            "release's for every case, so an unexposed case is a publication not seen before about a disease that is "
            "known, not a new disease."
        )
        return Limit("Annotation profiles, not patients", text)
    text = "Nothing on this page is simulated. Cases are published patients; those who get published are not typical."
    return Limit("Published patients", text)


def _removal(inputs: ReportInputs) -> Limit | None:
    exposed = int((inputs.cases["exposed"] == 1).sum())
    if not exposed:
        return None
    none_left, others = emptied(inputs.removed, inputs.cases), inputs.cases[inputs.cases["exposed"] == 0]
    text = (
        f"Removing a publication can take everything that is known about a gene: it did for {none_left:,} of the "
        f"{counted(exposed, 'exposed case')}, whose gene then has nothing left to be found by."
    )
    if len(others):
        known = int((others["density"] > 0).sum())
        text += (
            f" Among the unexposed, {known:,} of {counted(len(others), 'case')} have annotations from other "
            "publications. So exposed cases without their own publication can score below unexposed ones: the drop is "
            "the weight of the own publication, which is not the same as the score on fresh cases."
        )
    return Limit("Removed is not the same as never seen", text)


def _sampling(inputs: ReportInputs, numbers: Mapping[str, Any]) -> Limit | None:
    if inputs.strata.empty or (inputs.strata["drawn"] == inputs.strata["eligible"]).all():
        return None
    given = any(inputs.weighted(name) is not None for name in inputs.difficulties)
    weighted = "Rates weighted by design have tables of their own." if given else "No rate here is weighted by design."
    text = (
        "Cases were drawn by stratum, with the inclusion probabilities shown; small strata are drawn more densely. "
        f"Rates without weights describe the sample, not all eligible cases. {weighted}"
    )
    if numbers["eligible"] is not None:
        shares = percent(numbers["overlap_rate"]), percent(numbers["eligible_overlap_rate"])
        text += f" In the sample {shares[0]} of cases are exposed; among all {numbers['eligible']:,} it is {shares[1]}."
    return Limit("A sample by strata", text)


def _lists(inputs: ReportInputs) -> Limit:
    sizes = sorted({int(n) for table in inputs.ranks.values() for n in table["n_candidates"].unique()})
    text = f"Scores are on short lists ({' or '.join(map(str, sizes))} genes) that always hold the causal gene; "
    text += "ranking all genes is harder."
    if "hard" in inputs.ranks:
        text += (
            " Hard lists hold the genes most similar to the case by Resnik on the whole knowledge base, so they are "
            "hardest for rankers of that kind."
        )
    return Limit("Short candidate lists", text)


def _years(inputs: ReportInputs) -> Limit | None:
    source = inputs.cases["year_source"]
    estimated, unknown = int((source == "interpolated").sum()), int(inputs.cases["publication_year"].isna().sum())
    if not estimated and not unknown:
        return None
    text = (
        f"The year of {counted(estimated, 'case')} was estimated from the running number of its PubMed id (within a "
        f"year of the truth where it could be checked); {unknown:,} have no year and are in neither group by year."
    )
    return Limit("Years are approximate", text)
