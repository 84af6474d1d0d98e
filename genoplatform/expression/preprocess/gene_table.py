"""The gene table of one cohort: measured rows to official symbols. Source: expression.md B.5 to B.8.

Belongs here: the order of the steps under each family of rules, and what is said when they cannot be taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from genoplatform.expression.aliases import Aliases
from genoplatform.expression.decisions import CohortDecisions
from genoplatform.expression.preprocess.mapping import Floats, Mapped, ValueRule, average, map_rows
from genoplatform.expression.preprocess.samples import settle_samples
from genoplatform.expression.preprocess.scale import log2_if_linear
from genoplatform.expression.preprocess.symbols import SoundRule, SymbolRule, extract, symbols_v1, symbols_v2
from genoplatform.expression.readers.number_table import ExpressionTable
from genoplatform.settings.expression import ExpressionSettings


@dataclass(frozen=True)
class GeneTable:
    """Genes by samples.

    Attributes:
        genes: official symbols, sorted, length g.
        samples: length n.
        values: float64, shape (g, n); NaN = missing.
        report: counts of every step.
        why_empty: why there is no gene; empty where there are some.
    """

    genes: list[str]
    samples: list[str]
    values: Floats
    report: dict[str, int] = field(default_factory=dict)
    why_empty: str = ""

    @cached_property
    def mean(self) -> float:
        """Mean of all observed values."""
        return float(np.nanmean(self.values)) if self.values.size else float("nan")

    def to_tables(self) -> dict[str, pd.DataFrame]:
        """As stored: the frame, the counts, and why it is empty."""
        why = pd.DataFrame({"why_empty": pd.Series([self.why_empty], dtype="str")})
        counts = {"what": pd.Series(list(self.report), dtype="str"), "count": list(self.report.values())}
        return {"genes": self.to_frame(), "report": pd.DataFrame(counts).astype({"count": "int64"}), "about": why}

    @classmethod
    def from_tables(cls, tables: dict[str, pd.DataFrame]) -> GeneTable:
        """From `to_tables`."""
        frame = tables["genes"]
        values = frame.iloc[:, 1:].to_numpy(dtype=np.float64)
        report = dict(zip(tables["report"]["what"], tables["report"]["count"].tolist(), strict=True))
        why = str(tables["about"]["why_empty"].iloc[0])
        return cls(frame["gene"].tolist(), [str(name) for name in frame.columns[1:]], values, report, why)

    def to_frame(self) -> pd.DataFrame:
        """First column `gene`, then one column a sample."""
        frame = pd.DataFrame(self.values, columns=self.samples)
        frame.insert(0, "gene", pd.Series(self.genes, dtype="str"))
        return frame


def gene_table(
    measured: ExpressionTable,
    mapping: pd.DataFrame | None,
    decisions: CohortDecisions,
    aliases: Aliases,
    settings: ExpressionSettings,
) -> GeneTable:
    """Genes of one cohort.

    Args:
        measured: values as read.
        mapping: probe and gene of the platform's annotation (`series_tables.read_chosen_annotation`); None without one.
        decisions: whether there is expression data, whether ids need mapping, and by which columns.
        aliases: the dictionary that goes with the rules (`sound_aliases`, or one of rule A.2).
        settings: rules and thresholds.

    Returns:
        The table; without rows, and saying why, where there is nothing to make it from.
    """
    measured, report = settle_samples(measured, settings.rules)
    if not decisions.is_gene_available:
        return _nothing(measured, "curation: no expression data")
    if measured.is_empty:
        return _nothing(measured, "the series has no table of values, or an empty one")
    if settings.rules == "sound" and settings.log2 == "auto":
        values, linear = log2_if_linear(measured.values)
        measured = replace(measured, values=values)
        report["values taken as linear, log2 made"] = int(linear)
    if decisions.needs_mapping:
        found = _from_probes(measured, mapping, decisions, aliases, settings)
        if isinstance(found, str):
            return _nothing(measured, found)
    else:
        found = Mapped(measured.ids, measured.values, {})
    names, values = _normalised(found, aliases, settings)
    report |= found.report | {"names before normalising": len(found.genes), "genes": len(names)}
    why = "" if names else "no row has a known gene name"
    return GeneTable(names, measured.samples, values, report, why)


def _nothing(measured: ExpressionTable, why: str) -> GeneTable:
    return GeneTable([], measured.samples, np.empty((0, len(measured.samples))), {}, why)


def _from_probes(
    measured: ExpressionTable,
    mapping: pd.DataFrame | None,
    decisions: CohortDecisions,
    aliases: Aliases,
    settings: ExpressionSettings,
) -> Mapped | str:
    """Genes of the measured rows, not yet normalised; or why there are none."""
    if decisions.gene_column is None:
        return "ids need mapping, and no annotation column has the genes"
    if mapping is None or mapping.empty:
        return f"ids need mapping, and the annotation has nothing in column {decisions.gene_column!r}"
    entry, rows = _matched(mapping["probe"].tolist(), measured.ids)
    known = len(np.unique(rows))
    if settings.rules == "sound" and known < settings.platform_match * len(measured.ids):
        return f"the annotation knows {known} of {len(measured.ids)} measured ids: it belongs to another platform"
    rules: dict[str, tuple[SymbolRule, ValueRule]] = {
        "sound": (SoundRule(aliases, decisions.gene_column), "unique_mean"),
        "compat_v2": (symbols_v2, "split_sum"),
        "compat_v1": (symbols_v1, "full_mean"),
    }
    symbols, value_rule = rules[settings.rules]
    genes_of = extract(mapping["gene"].to_numpy(dtype=object)[entry], symbols)
    mapped = map_rows(genes_of, rows, measured.values, value_rule)
    mapped.report.update({"mapping rows": len(mapping), "measured rows in the annotation": known})
    mapped.report.update(symbols.report() if isinstance(symbols, SoundRule) else {})
    return mapped


def _matched(names: Sequence[str], ids: Sequence[str]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Positions (entry, row) of equal ids; either side may hold an id several times."""
    index = pd.Index(ids)
    if index.is_unique:
        found = index.get_indexer(pd.Index(names))
        entry = np.flatnonzero(found >= 0)
        return entry, found[entry]
    left = pd.DataFrame({"id": names, "entry": np.arange(len(names))})
    both = left.merge(pd.DataFrame({"id": ids, "row": np.arange(len(ids))}), on="id")
    return both["entry"].to_numpy(dtype=np.intp), both["row"].to_numpy(dtype=np.intp)


def _normalised(found: Mapped, aliases: Aliases, settings: ExpressionSettings) -> tuple[list[str], Floats]:
    if settings.rules != "sound":
        return average([aliases.symbols.get(name.upper()) for name in found.genes], found.values)
    rule = SoundRule(aliases)
    averaged = average([rule.symbol(name) for name in found.genes], found.values)
    found.report.update({key: found.report.get(key, 0) + count for key, count in rule.report().items()})
    return averaged
