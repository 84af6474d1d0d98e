"""Samples that stand in a table twice: sound takes the first, compat renames them, as pandas does."""

from __future__ import annotations

from collections import Counter

from genoplatform.expression.readers.number_table import ExpressionTable
from genoplatform.settings.expression import Rules


def settle_samples(table: ExpressionTable, rules: Rules) -> tuple[ExpressionTable, dict[str, int]]:
    """A table with distinct sample ids, and the reader's report with what was done.

    Sound: the first column of a repeated id counts, the others are left out. Compat: later ones are renamed `id.1`,
    `id.2`, which no clinical row matches.
    """
    report = dict(table.report)
    repeated = len(table.samples) - len(set(table.samples))
    if not repeated:
        return table, report
    seen: Counter[str] = Counter()
    names, first = [], []
    for position, sample in enumerate(table.samples):
        names.append(f"{sample}.{seen[sample]}" if seen[sample] else sample)
        if not seen[sample]:
            first.append(position)
        seen[sample] += 1
    report["samples repeated"] = repeated
    if rules == "sound":
        return table.of_samples(first), report
    return ExpressionTable(table.ids, names, table.values, table.report), report
