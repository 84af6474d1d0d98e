"""Readings in which the trait is not named: controls against cases, and proxies within a series about the trait.

A proxy (response, outcome, stage, genotype, a treatment of the trait's field, any grouping whose words say which end is
which) stands for the trait without being it; its reason says "proxy".
"""

from __future__ import annotations

from collections.abc import Iterator

from genoplatform.expression.curation.candidate import Candidate, Score, is_prose, make, mostly
from genoplatform.expression.curation.key_kinds import is_about, key_words, status_bonus
from genoplatform.expression.curation.rows import Group
from genoplatform.expression.curation.terms import TraitTerms
from genoplatform.expression.curation.text import first_held, fold
from genoplatform.expression.curation.trait_rules import is_absence, is_control, is_tumor

_MOST_GROUPS = 12  # more values than this are no grouping
_COVERED = 0.5
_PROXIES = (  # kind of key, coding rule, score, what it is
    ("response", "response", Score.RESPONSE, "response"),
    ("stage", "stage", Score.STAGE, "stage or grade"),
    ("outcome", "ordered", Score.OUTCOME, "outcome"),
    ("outcome", "response", Score.OUTCOME_RESPONSE, "outcome"),
    ("disease", "ordered", Score.STATE, "state of the disease"),
    ("severity", "ordered", Score.SEVERITY, "severity"),
    ("genotype", "ordered", Score.GENOTYPE_ORDERED, "genotype"),
    ("genotype", "contrast", Score.GENOTYPE_CONTRAST, "genotype"),
    ("treatment", "untreated", Score.TREATMENT, "treatment"),
)


def indirect(group: Group, terms: TraitTerms, key: str) -> list[Candidate]:
    """Contrasts and proxies of a group whose folded key is given, taking the series to be about the trait."""
    return [*_contrasts(group, terms, key), *next(_proxies(group, terms, key), [])]


def _contrasts(group: Group, terms: TraitTerms, key: str) -> list[Candidate]:
    """Controls against others."""
    if is_prose(group):
        return []
    controls = _controls(group, key)
    tumors = [v for v in group.known if is_tumor(v) and not is_control(v)]
    biopsies = is_about(key, "biopsy") and not is_about(key, "disease")
    if terms.is_cancer and tumors and (controls or biopsies):
        score = (Score.TUMOR_AND_CONTROL if controls else Score.TUMOR_AND_TISSUE) + status_bonus(key) / 2
        other = "control" if controls else "other tissue"
        return make(
            group, terms, "tumor" if controls else "tumor-tissue", score, f"{group.key!r} tells tumour from {other}"
        )
    if is_about(key, "bare_case") and mostly(group, terms, "yes-no"):
        return make(group, terms, "yes-no", Score.YES_NO, f"{group.key!r} is yes or no")
    if not controls or len(controls) == len(group.known):
        return []
    bonus = status_bonus(key)
    score = _contrast_score(group, key) + (bonus * 0.6 if bonus < 0 else bonus * 0.5)
    return make(group, terms, "contrast", score, f"{group.key!r} tells controls ({controls[0]!r}) from others")


def _controls(group: Group, key: str) -> list[str]:
    """Values that are controls; words like "none" only under keys that say status or disease, and not of an outcome."""
    plain = (is_about(key, "disease") or is_about(key, "group")) and not is_about(key, "outcome")
    return [v for v in group.known if is_control(v) or (plain and is_absence(v))]


def _contrast_score(group: Group, key: str) -> int:
    if is_about(key, "treatment"):
        return Score.TREATED_CONTROLS
    if is_about(key, "genotype"):
        return Score.GENOTYPES
    if any(first_held(fold(v), key_words("gene_states")) for v in group.known):
        return Score.GENE_STATES
    if is_about(key, "person") or is_about(key, "line"):
        return Score.PERSONS
    if is_about(key, "tissue") and not is_about(key, "disease"):
        return Score.TISSUES
    return Score.CASES_AND_CONTROLS


def _proxies(group: Group, terms: TraitTerms, key: str) -> Iterator[list[Candidate]]:
    """Proxies, best first."""
    if len(set(group.known)) > _MOST_GROUPS or (is_about(key, "person") and not is_about(key, "outcome")):
        return
    for kind, rule, score, what in _PROXIES:
        if not is_about(key, kind):
            continue
        if rule == "untreated" and not terms.in_field(f"{group.key} {' '.join(group.values)}"):
            continue  # a treatment says nothing of the trait unless it is one of its field (steroids, vitamin D)
        flags = rule == "ordered" and mostly(group, terms, "yes-no")
        why = f"proxy: {group.key!r} is a {what} within a series about the trait"
        found = make(group, terms, "yes-no" if flags else rule, score, why)
        if found and found[0].coverage > _COVERED:
            yield found
    if is_about(key, "classes") and not is_about(key, "treatment"):
        yield from _groupings(group, terms)


def _groupings(group: Group, terms: TraitTerms) -> Iterator[list[Candidate]]:
    """Any grouping whose words say which end is which."""
    why = f"proxy: {group.key!r} is a grouping within a series about the trait"
    for rule in ("yes-no", "signed", "ordered", "absence"):
        if rule == "absence" and not any(is_absence(v) or is_control(v) for v in group.known):
            continue
        found = make(group, terms, rule, Score.GROUPING, why)
        if found and found[0].coverage > _COVERED:
            yield found
