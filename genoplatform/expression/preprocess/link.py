"""Genes and clinical values put together, judged and recorded: the linked cohort. Source: expression.md B.9 to B.11."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from genoplatform.expression.decisions import CohortDecisions
from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.preprocess.bias import binary_is_biased, continuous_is_biased, is_binary
from genoplatform.expression.preprocess.clinical import ClinicalTable
from genoplatform.expression.preprocess.gene_table import GeneTable
from genoplatform.expression.preprocess.mapping import Floats
from genoplatform.expression.preprocess.missing import AGE, GENDER, Complete, handle_missing
from genoplatform.expression.preprocess.record import CohortRecord
from genoplatform.settings.expression import ExpressionSettings

MIN_COLUMNS = 4
"""A linked table of so few columns, trait and covariates among them, has no genes (B.11)."""


@dataclass(frozen=True)
class Linked:
    """How linking ended.

    Attributes:
        record: always.
        cohort: samples without missing values, if the cohort is available; also where it is biased.
        shape: samples and columns (trait, covariates, genes) before missing values were handled.
        report: what was left out and filled in.
    """

    record: CohortRecord
    cohort: LinkedCohort | None
    shape: tuple[int, int]
    report: dict[str, int] = field(default_factory=dict)


def link(genes: GeneTable, clinical: ClinicalTable, decisions: CohortDecisions, settings: ExpressionSettings) -> Linked:
    """Link, handle missing values, judge bias and record.

    Args:
        genes: from `gene_table`.
        clinical: from `clinical_table`.
        decisions: those both were made with.
        settings: rules and thresholds.
    """
    report = dict(genes.report) | clinical.report
    reasons = [reason for reason in (genes.why_empty, _no_trait(clinical, settings)) if reason]
    has_genes, has_trait = decisions.is_gene_available and not genes.why_empty, "trait" in clinical.available
    if settings.rules == "sound":
        has_trait = has_trait and bool(clinical.table["trait"].notna().any())
    if not (has_genes and has_trait):
        return Linked(_failed(decisions, settings, has_genes, has_trait, reasons), None, (0, 0), report)
    frame, values = _joined(genes, clinical, decisions.trait, settings, report)
    shape = (len(frame), frame.shape[1] + len(genes.genes))
    complete = handle_missing(frame, genes.genes, values, decisions.trait, settings)
    report |= complete.report
    return _judged(complete, clinical, decisions, settings, shape, report)


def _no_trait(clinical: ClinicalTable, settings: ExpressionSettings) -> str:
    if "trait" not in clinical.available:
        return "curation: no trait"
    if settings.rules == "sound" and clinical.table["trait"].isna().all():
        return "every trait value is unknown"
    return ""


def _failed(
    decisions: CohortDecisions, settings: ExpressionSettings, has_genes: bool, has_trait: bool, reasons: list[str]
) -> CohortRecord:
    return CohortRecord(
        trait=decisions.trait,
        cohort=decisions.cohort,
        is_usable=False,
        is_gene_available=has_genes,
        is_trait_available=has_trait,
        is_available=False,
        rules=settings.rules,
        platform=decisions.platform or "",
        curator=decisions.curator,
        reason="; ".join(reasons),
    )


def _joined(
    genes: GeneTable, clinical: ClinicalTable, trait: str, settings: ExpressionSettings, report: dict[str, int]
) -> tuple[pd.DataFrame, Floats]:
    """Clinical frame (samples x features) and gene values (g x n) of the same samples.

    Compat keeps the samples of either table; sound those of both, so that a sample without genes is not a missing one.
    """
    names = {"trait": trait, "age": AGE, "gender": GENDER}
    frame = clinical.table.set_index("sample")[list(clinical.available)].astype("float64").rename(columns=names)
    known = set(genes.samples)
    report["samples without gene values"] = sum(sample not in known for sample in frame.index)
    report["samples without clinical values"] = sum(sample not in frame.index for sample in genes.samples)
    if settings.rules == "sound":
        frame = frame[[sample in known for sample in frame.index]]
    else:
        frame = frame.reindex([*frame.index, *(sample for sample in genes.samples if sample not in frame.index)])
    frame.index.name = None
    place = pd.Index(genes.samples).get_indexer(frame.index)
    values = np.full((len(genes.genes), len(frame)), np.nan)
    values[:, place >= 0] = genes.values[:, place[place >= 0]]
    return frame, values


def _judged(
    complete: Complete,
    clinical: ClinicalTable,
    decisions: CohortDecisions,
    settings: ExpressionSettings,
    shape: tuple[int, int],
    report: dict[str, int],
) -> Linked:
    frame = complete.clinical
    has_samples = len(frame) > 0
    has_genes = has_samples and frame.shape[1] + len(complete.genes) > MIN_COLUMNS
    if not has_genes:
        reason = "no gene is left" if has_samples else "no sample is left"
        return Linked(_failed(decisions, settings, False, has_samples, [reason]), None, shape, report)
    trait = frame[decisions.trait].to_numpy(dtype=np.float64)
    declared = decisions.trait_variable is not None and decisions.trait_variable.kind == "binary"
    binary = declared if settings.rules == "sound" else is_binary(trait)
    biased = binary_is_biased(trait, settings) if binary else continuous_is_biased(trait)
    frame = _without_biased(frame, settings, report)
    subject = clinical.table.set_index("sample")["subject"].reindex(frame.index, fill_value="")
    cohort = LinkedCohort(
        trait=decisions.trait,
        cohort=decisions.cohort,
        clinical=frame,
        genes=complete.genes,
        values=np.ascontiguousarray(complete.values.T),
        groups=subject.tolist() if (subject != "").any() else None,
    )
    record = CohortRecord(
        trait=decisions.trait,
        cohort=decisions.cohort,
        is_usable=not biased,
        is_gene_available=True,
        is_trait_available=True,
        is_available=True,
        is_biased=biased,
        has_age=AGE in frame,
        has_gender=GENDER in frame,
        sample_size=len(frame),
        note=_note(report, len(complete.genes), settings),
        rules=settings.rules,
        platform=decisions.platform or "",
        genes=len(complete.genes),
        curator=decisions.curator,
        reason="the trait is severely biased" if biased else "",
    )
    return Linked(record, cohort, shape, report)


def _without_biased(frame: pd.DataFrame, settings: ExpressionSettings, report: dict[str, int]) -> pd.DataFrame:
    for name in (AGE, GENDER):
        if name not in frame:
            continue
        values = frame[name].to_numpy(dtype=np.float64)
        biased = continuous_is_biased(values) if name == AGE else binary_is_biased(values, settings)
        if biased:
            frame = frame.drop(columns=name)
        report[f"{name} dropped as biased"] = int(biased)
    return frame


def _note(report: dict[str, int], genes: int, settings: ExpressionSettings) -> str:
    notes = []
    if genes < settings.min_genes:
        notes.append(f"only {genes} genes: the wrong annotation column?")
    if report.get("values taken as linear, log2 made"):
        notes.append("linear values, log2 taken")
    return "; ".join(notes)
