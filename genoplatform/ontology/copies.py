"""How often each annotation row stands in the file.

Here: the repeats that reading leaves out, put back as a count, because the published likelihood ratio adds
every row to the patient counts. Not here: pooling (annotations.py).
"""

from __future__ import annotations

import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.ontology.hpoa import DUPLICATE, HpoaRelease

_KEY = ["disease_id", "negated", "hpo_id", "frequency", "cited"]
_DETAIL = r"^(?P<disease_id>\S+) (?P<qualifier>NOT )?(?P<hpo_id>HP:\d{7}) ?(?P<frequency>.*)$"


def with_copies(release: HpoaRelease) -> pd.DataFrame:
    """The rows of a release with `copies`, the number of times each stands in the file (1 = once).

    A repeat only moves a ratio where the disease has the term in other rows too, with another frequency: two
    annotations of release 2025-01-16.

    Raises:
        BadInputError: a repeat that matches no row.
    """
    rows = release.rows
    repeats = release.rejected[release.rejected["reason"] == DUPLICATE]
    told = repeats["detail"].str.extract(_DETAIL)
    told["negated"] = told["qualifier"].notna()
    line = release.raw.set_index("row")["pmids"]
    told["cited"] = _cited(repeats["line"].map(line))
    counts = told.groupby(_KEY, sort=True).size().rename("repeats").reset_index()
    keys = rows.assign(cited=_cited(rows["pmids"]))[_KEY].drop_duplicates()
    matched = keys.reset_index().merge(counts, on=_KEY)
    if int(matched["repeats"].sum()) != len(repeats):
        found = f"{len(repeats)} repeats, of which {int(matched['repeats'].sum())} match a row"
        raise BadInputError("counting repeated annotation rows", found, "pass a release as it was read")
    copies = pd.Series(1, index=rows.index, dtype="int64")
    copies.loc[matched["index"]] += matched["repeats"].to_numpy()
    return rows.assign(copies=copies)


def _cited(pmids: pd.Series) -> pd.Series:
    return pmids.str.join(";").astype("str")
