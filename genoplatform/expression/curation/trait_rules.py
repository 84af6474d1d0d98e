"""The general rules that code one value of a trait characteristic as 0, 1 or a number. No rule knows a single cohort.

A rule is a name (recorded with the decision) and a function of the trait's terms, the key and the value. Which rule is
used for which row: `trait_rows`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from genoplatform.expression.curation.terms import TraitTerms
from genoplatform.expression.curation.text import as_number, first_held, fold, holds, is_missing, numbers, words

Rule = Callable[[TraitTerms, str, str], float | None]

_STAGE = re.compile(r"\b(iv|iii|ii|i|[0-4])(?:[abc]\d?|[abc])?\b")
_T_STAGE = re.compile(r"\b[cp]?t(is|a|[0-4])")
_NO_DENIAL = (
    "respon|availab|applicab|data|known|determin|follow|improv|measur|test|done|report|further|recur|relap|metasta"
)
_DENIED = re.compile(rf"^(?:no|non|without|not|free of|absence of) (?!{_NO_DENIAL})[a-z]")
_LATE = 3
_WORD_STAGES = {"first": 1, "second": 2, "third": 3, fold("fourth"): 4, "i": 1, "ii": 2, "iii": 3, "iv": 4}


def is_absence(value: str) -> bool:
    """Whether the value denies a disease ("No PTSD", "without SUD") or is a short form of control ("H", "none")."""
    folded = fold(value)
    return folded in words("control_alone") or _DENIED.match(folded) is not None


def is_control(value: str) -> bool:
    """Whether the value holds a control word outside phrases such as "normal karyotype"."""
    folded = fold(value)
    for phrase in words("not_control"):
        folded = f" {folded} ".replace(f" {phrase} ", " ").strip()
    return first_held(folded, words("control")) is not None


def is_tumor(value: str) -> bool:
    """Whether the value holds a tumour word."""
    return first_held(fold(value), words("tumor")) is not None


def named(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 where the value names the trait, 0 where it names a control or something else."""
    said = terms.said(value)
    if said == "named":
        return 0.0 if _control_first(terms, value) else 1.0
    return 0.0


def _control_first(terms: TraitTerms, value: str) -> bool:
    """A value that names the trait is still a control where it says so ("normal tissue from a melanoma patient")."""
    if not is_control(value):
        return False
    held = first_held(fold(value), words("control"))
    return held not in {
        "donor",
        "reference",
        "benign",
        "low risk",
        "lean",
        "wt",
        "wild type",
        "wildtype",
        "neg",
        "nc",
        "nl",
    }


def yes_no(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 for yes, positive, present, ...; 0 for no, negative, absent, ..."""
    folded = fold(value) or value.strip()
    if folded in ("0", "1"):
        return float(folded)
    if first_held(folded, words("no")) or value.strip() == "-":
        return 0.0
    return 1.0 if first_held(folded, words("yes")) or value.strip() == "+" else None


def contrast(terms: TraitTerms, key: str, value: str) -> float | None:
    """0 for a control word, 1 for everything else: for rows that tell controls from one kind of case."""
    if terms.said(value) == "denied":
        return 0.0
    if is_absence(value):
        return 0.0
    return 0.0 if is_control(value) and not (terms.names_it(value) and not _control_first(terms, value)) else 1.0


def tumor(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 for tumour words or the trait's name, 0 for controls, unknown for others ("biopsy")."""
    if is_control(value) and not (terms.names_it(value) and not _control_first(terms, value)):
        return 0.0
    return 1.0 if terms.names_it(value) or is_tumor(value) else None


def tumor_tissue(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 for tumour words or the trait's name, 0 for other tissue."""
    return tumor(terms, key, value) or 0.0


def ordered(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 for words of the high end (severe, relapse, dead, mutant), 0 for the low end (mild, stable, alive)."""
    folded = fold(value)
    low, high = first_held(folded, words("low")), first_held(folded, words("high"))
    if low and high:  # the longer phrase says more ("non survivor" holds "survivor")
        return 0.0 if len(low) >= len(high) else 1.0
    if low or is_control(value):
        return 0.0
    return 1.0 if high else None


def response(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 for a response or sensitivity, 0 for none; yes and no are understood."""
    folded = fold(value)
    good, poor = first_held(folded, words("good")), first_held(folded, words("poor"))
    if good or poor:
        return 0.0 if poor and len(poor) >= len(good or "") else 1.0
    return yes_no(terms, key, value)


def resistance(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 for resistant, 0 for sensitive: for characteristics called resistance, and for sensitivity traits."""
    folded = fold(value)
    if first_held(
        folded, ("partially resistant", "permissive", "sensitive", "sensitivity", "sen", "susceptible", "responsive")
    ):
        return 0.0
    return 1.0 if first_held(folded, ("resistant", "resistance", "res", "refractory")) else None


def signed(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 for a value that ends or begins with a plus or "positive", 0 with a minus or "negative" ("HPV+")."""
    text = value.strip().lower()
    if re.search(r"^\+|\+\)?$|\bpos(itive)?\)?$", text):
        return 1.0
    return 0.0 if re.search(r"^[-–]\s|[-–]\)?$|\bneg(ative)?\)?$", text) else None


def typed(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 for any type of the trait, 0 for a dash or a control: for keys such as "epilepsy type"."""
    return 0.0 if is_control(value) or re.fullmatch(r"[-–.]+", value.strip()) else 1.0


def duration(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 for a positive duration of the trait, 0 for none."""
    found = numbers(re.sub(r"(?<=\d)[A-Za-z]+", "", value.lstrip("<> ")))
    return float(found[0] > 0) if found else None


def absence(terms: TraitTerms, key: str, value: str) -> float | None:
    """0 for a value that denies ("non-AMKL") or is a control, 1 for others."""
    return 0.0 if is_absence(value) or is_control(value) else 1.0


def untreated(terms: TraitTerms, key: str, value: str) -> float | None:
    """0 for no treatment, vehicle, placebo or mock; 1 for anything given."""
    return 0.0 if first_held(fold(value), words("untreated")) else 1.0


def stage(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 for tumour stage or grade 3 and 4 (III, IV, T3, T4), 0 below."""
    folded = fold(value)
    for word, level in _WORD_STAGES.items():
        if holds(folded, word):
            return float(level >= _LATE)
    t_stage = _T_STAGE.search(folded)
    if t_stage:
        return float(t_stage.group(1) in ("3", "4"))
    match = _STAGE.search(folded)
    if match:
        level = _WORD_STAGES.get(match.group(1)) or int(match.group(1))
        return float(level >= _LATE)
    return ordered(terms, key, value)


def number(terms: TraitTerms, key: str, value: str) -> float | None:
    """The number itself."""
    return as_number(value)


def threshold(terms: TraitTerms, key: str, value: str) -> float | None:
    """1 where the measure is beyond the trait's limit, else 0."""
    measured = as_number(value)
    if measured is None:
        return None
    if terms.case_from is not None:
        return float(measured >= terms.case_from)
    return float(measured < terms.case_below) if terms.case_below is not None else measured


RULES: dict[str, Rule] = {
    "named": named,
    "yes-no": yes_no,
    "contrast": contrast,
    "tumor": tumor,
    "tumor-tissue": tumor_tissue,
    "ordered": ordered,
    "response": response,
    "resistance": resistance,
    "signed": signed,
    "typed": typed,
    "duration": duration,
    "absence": absence,
    "untreated": untreated,
    "stage": stage,
    "number": number,
    "threshold": threshold,
}


def apply(rule: str, terms: TraitTerms, key: str, value: str) -> float | None:
    """Code one value by a rule; missing words give None whatever the rule (but a dash is a value of `typed`)."""
    if rule == "typed" and re.fullmatch(r"[-–.]+", value.strip()):
        return 0.0
    return None if is_missing(value) else RULES[rule](terms, key, value)
