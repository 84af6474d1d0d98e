"""The design of a system-by-overlap interaction on the stacked panel.

Belongs here: stacking a panel into rows of (case, system) and naming its columns. The coefficient of
`system[X]:absent` is the change of X's overlap shift against the reference system's.
Does not belong here: the estimators that take it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from genoplatform.inference.panel import Panel
from genoplatform.inference.resampling import FloatArray, IntArray


@dataclass(frozen=True)
class Stacked:
    """A stacked panel, system by system.

    Attributes:
        y: outcomes, one per case and system.
        design: rows x columns, treatment coding against the reference.
        names: column names.
        groups: publication code of each row.
        others: the systems that are not the reference, in panel order.
    """

    y: FloatArray
    design: FloatArray
    names: tuple[str, ...]
    groups: IntArray
    others: tuple[str, ...]

    def interaction(self, system: str) -> int:
        """Column of the system's interaction with absence of overlap."""
        return self.names.index(f"system[{system}]:absent")


def stack(panel: Panel, reference: str, covariate: str | None = None) -> Stacked:
    """Stack the panel for `hit ~ system * absent`, or with `+ covariate + system:covariate`.

    Args:
        panel: the balanced panel.
        reference: the system the others are compared with.
        covariate: a numeric case column to adjust for.
    """
    panel.index(reference)
    others = tuple(name for name in panel.systems if name != reference)
    ordered = panel.only((reference, *others))
    k = len(ordered.systems)
    blocks: list[FloatArray] = [np.ones(len(panel.cases)), panel.absent.astype(np.float64)]
    base = ["", "absent"]
    if covariate is not None:
        blocks.append(panel.column(covariate))
        base.append(covariate)
    case_design = np.column_stack(blocks)
    own = np.kron(np.eye(k)[:, 1:], case_design)
    names = ["intercept", *base[1:]]
    for name in others:
        names += [f"system[{name}]" + (f":{term}" if term else "") for term in base]
    return Stacked(
        ordered.hits.T.reshape(-1),
        np.column_stack([np.tile(case_design, (k, 1)), own]),
        tuple(names),
        np.tile(panel.groups, k),
        others,
    )
