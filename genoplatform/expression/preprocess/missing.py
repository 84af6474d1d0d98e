"""Missing values of a linked cohort, on arrays. Source: expression.md B.9."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from genoplatform.expression.preprocess.mapping import Floats
from genoplatform.settings.expression import ExpressionSettings

AGE, GENDER = "Age", "Gender"


@dataclass(frozen=True)
class Complete:
    """Samples and genes that are left, without missing values (except an all-missing Age under compat).

    Attributes:
        clinical: samples x (trait, Age, Gender where there), index = sample ids.
        genes: symbols, length g.
        values: float64, shape (g, n).
        report: what was left out and filled in.
    """

    clinical: pd.DataFrame
    genes: list[str]
    values: Floats
    report: dict[str, int] = field(default_factory=dict)


def handle_missing(
    clinical: pd.DataFrame, genes: list[str], values: Floats, trait: str, settings: ExpressionSettings
) -> Complete:
    """Drop and fill by the rules in force.

    Release 2 and sound, in this order: samples without a trait are dropped; genes missing in more than 20 % of the
    samples left; samples missing more than 5 % of the genes left; then age is filled with its mean, gender with its
    mode (the smaller of ties) and genes with their mean. Release 1 drops every sample with anything missing.

    Args:
        clinical: samples x (trait, Age, Gender where there), index = sample ids, length n.
        genes: symbols, length g.
        values: float64, shape (g, n).
        trait: name of the trait column.
        settings: rules and thresholds.
    """
    has_trait = clinical[trait].notna().to_numpy()
    report = {"samples without a trait": int((~has_trait).sum())}
    clinical, values = clinical[has_trait], values[:, has_trait]
    missing = np.isnan(values)
    if settings.rules == "compat_v1":
        whole = ~missing.any(axis=0) & clinical.notna().all(axis=1).to_numpy()
        report["samples with a missing value"] = int((~whole).sum())
        return Complete(clinical[whole], genes, values[:, whole], report)
    if missing.any():
        keep_gene = missing.mean(axis=1) <= settings.gene_missing
        values, missing = values[keep_gene], missing[keep_gene]
        keep_sample = missing.mean(axis=0) <= settings.sample_missing if len(missing) else np.ones(len(clinical), bool)
        clinical, values, missing = clinical[keep_sample], values[:, keep_sample], missing[:, keep_sample]
        report["genes missing too often"] = int((~keep_gene).sum())
        report["samples missing too many genes"] = int((~keep_sample).sum())
        genes = [gene for gene, kept in zip(genes, keep_gene, strict=True) if kept]
        values = _filled(values, missing)
        report["gene values filled in"] = int(missing.sum())
    return Complete(_covariates(clinical, settings, report), genes, values, report)


def _filled(values: Floats, missing: np.ndarray) -> Floats:
    observed = (~missing).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(missing, 0.0, values).sum(axis=1) / observed
    return np.where(missing, means[:, None], values)


def _covariates(clinical: pd.DataFrame, settings: ExpressionSettings, report: dict[str, int]) -> pd.DataFrame:
    filled = clinical.copy()
    for name in (AGE, GENDER):
        if name not in filled:
            continue
        absent = filled[name].isna()
        report[f"{name} filled in"] = int(absent.sum()) if not absent.all() else 0
        if absent.all():
            # Release 2 drops an all-missing Gender only; an all-missing Age stays and is missing still.
            if name == GENDER or settings.rules == "sound":
                filled = filled.drop(columns=name)
        else:
            fill = filled[name].mean() if name == AGE else filled[name].mode().min()
            filled[name] = filled[name].fillna(fill)
    return filled
