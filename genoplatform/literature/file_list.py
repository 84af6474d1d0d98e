"""The file list of a PMC package: which articles it holds and which of them are retracted."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path

from genoplatform.errors import BadInputError

_NEEDED = ("Article File", "AccessionID", "Retracted")


@dataclass
class FileList:
    """Files that a list names and that were not met yet, and the retracted articles.

    Memory: one entry an article of the package.

    Attributes:
        articles: path in the package -> PMC id, of articles not met yet.
        retracted: PMC ids of retracted articles.
        given: whether there is a list at all; without one nothing is known of retractions.
    """

    articles: dict[str, str] = field(default_factory=dict)
    retracted: frozenset[str] = frozenset()
    given: bool = False

    def meet(self, member: str) -> str | None:
        """PMC id of a member by the list; None if it does not name it. Each file is met once."""
        return self.articles.pop(member.removeprefix("./"), None)


def read_file_list(path: Path | None) -> FileList:
    """Read a `.filelist.csv`; an empty list for None.

    Raises:
        BadInputError: it is not such a list. Going on without it would let retracted articles in.
    """
    if path is None:
        return FileList()
    tried = f"reading the file list {path.name}"
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            rows = csv.DictReader(handle)
            missing = [name for name in _NEEDED if name not in (rows.fieldnames or ())]
            if missing:
                raise BadInputError(tried, f"no column {', '.join(missing)}", "get the list again, or remove it")
            return _collected(rows, tried)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInputError(tried, str(error), "get the list again, or remove it") from error


def _collected(rows: csv.DictReader[str], tried: str) -> FileList:
    articles, retracted = {}, set()
    for number, row in enumerate(rows, start=2):
        file, accession, state = (row[name] for name in _NEEDED)
        if not file or not accession or state is None:
            found = f"line {number} is cut short"
            raise BadInputError(tried, found, "get the list again: what it lacks could be a retraction")
        articles[file.removeprefix("./")] = accession
        if state.strip().lower() == "yes":
            retracted.add(accession)
    return FileList(articles, frozenset(retracted), given=True)
