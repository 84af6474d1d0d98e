"""Annotation rows brought to the primary terms of one ontology release.

Here: mapping and leaving out rows by their term, counted. Not here: what a row says besides its term
(annotations.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from genoplatform.ontology.graph import OntologyGraph
from genoplatform.ontology.resolve import ObsoletePolicy

PHENOTYPIC_ABNORMALITY = "HP:0000118"


@dataclass(frozen=True)
class TermFilter:
    """How annotation rows are brought to the terms of an ontology.

    Attributes:
        graph: the ontology.
        branch: keep only terms at or below this one; None keeps all.
        obsolete: what to do with obsolete terms, see OntologyGraph.resolve.
    """

    graph: OntologyGraph
    branch: str | None
    obsolete: ObsoletePolicy

    def apply(self, table: pd.DataFrame, what: str) -> tuple[pd.DataFrame, dict[str, int]]:
        """Resolve column hpo_id; a row appears once per target where its term maps to several.

        Args:
            table: any rows with hpo_id.
            what: prefix of the counts.

        Returns:
            The rows kept, and counts: `what` (rows given), and those unresolved, mapped and outside the branch.
        """
        ids = pd.Index(table["hpo_id"]).unique()
        found = self.graph.resolve(ids.tolist(), obsolete=self.obsolete)
        live = ids.difference(pd.Index(found.mapped["id"])).difference(pd.Index(found.dropped["id"]))
        lookup = pd.concat([pd.DataFrame({"id": live, "to": live}), found.mapped[["id", "to"]]])
        kept = table.rename(columns={"hpo_id": "id"}).merge(lookup, on="id")
        inside = self._inside(kept["to"])
        report = {
            what: len(table),
            f"{what}_unresolved": int(table["hpo_id"].isin(found.dropped["id"]).sum()),
            f"{what}_mapped": int(table["hpo_id"].isin(found.mapped["id"]).sum()),
            f"{what}_outside_branch": int((~inside).sum()),
        }
        return kept[inside].drop(columns="id").rename(columns={"to": "hpo_id"}), report

    def _inside(self, terms: pd.Series) -> pd.Series:
        if self.branch is None:
            return pd.Series(True, index=terms.index)
        return terms.isin(self.graph.descendants(self.branch))
