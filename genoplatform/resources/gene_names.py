"""MyGene.info as a Dagster resource: official symbols asked for once, and kept as a file that a profile pins.

Preprocessing never asks: it reads the file, like any alias dictionary (slot `gene_synonyms`). Source: B.8, release 1.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import dagster as dg

from genoplatform.errors import EmptyResultError
from genoplatform.provenance.atomic import write_text


class GeneNamesResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Asks MyGene.info for symbols (scopes symbol, species human), as release 1 of the benchmark does.

    Attributes:
        batch: names a request.
    """

    batch: int = 1000

    def write_synonyms(self, names: Iterable[str], target: Path, *, client: Any = None) -> int:
        """Write NAME IN UPPER CASE -> official symbol of the names MyGene.info knows.

        Args:
            names: names to ask for.
            target: the file, in the form of `gene_synonym.json`.
            client: an object with mygene's `querymany`; tests give their own.

        Returns:
            How many names were found.

        Raises:
            EmptyResultError: none was.
        """
        if client is None:
            import mygene

            client = mygene.MyGeneInfo()
        wanted = sorted(set(names))
        found: dict[str, str] = {}
        for start in range(0, len(wanted), self.batch):
            part = wanted[start : start + self.batch]
            answers = client.querymany(part, scopes="symbol", fields="symbol", species="human", verbose=False)
            for answer in answers:
                if "symbol" in answer:
                    found.setdefault(str(answer["query"]).upper(), str(answer["symbol"]))
        if not found:
            raise EmptyResultError("asking MyGene.info", f"none of {len(wanted)} names is known")
        write_text(target, json.dumps(dict(sorted(found.items())), indent=1) + "\n")
        return len(found)
