"""A package of JATS files to article records and to one claim a file: what became of it, and why.

Works in blocks of files. A block's records are committed, then its claims; a killed run goes on after the last block
that has both. Which package's version of an article counts is decided over all packages: `precedence`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.literature.article import ARTICLE_SCHEMA, as_row
from genoplatform.literature.file_list import FileList, read_file_list
from genoplatform.literature.jats import PAPER_IDS, parse_article
from genoplatform.literature.members import DamagedPackageError, Member, file_list_of, iter_members
from genoplatform.literature.packages import Package
from genoplatform.literature.relevance import is_relevant
from genoplatform.literature.staging import Staging, rows_in
from genoplatform.literature.xml_input import ArticleError
from genoplatform.provenance import atomic

BLOCK = 500
"""Files a block; at most so many articles are in memory."""
ARTICLES, CLAIMS, NOTICES = "articles", "claims", "notices"
RETRACTIONS = "skipped_retractions.jsonl"
PARSED, RETRACTED, NO_ID = "parsed", "retracted", "no_id"
ABSENT, DAMAGED = "listed_but_absent", "package_damaged"
"""Outcomes that are not reasons of `ArticleError`; the last two are notices about a package, not about a file."""

CLAIM_SCHEMA = pa.schema(
    [
        ("position", pa.int64()),
        ("member", pa.string()),
        ("pmcid", pa.string()),
        ("outcome", pa.string()),
        ("relevant", pa.bool_()),
        ("listed", pa.bool_()),
        ("detail", pa.string()),
    ]
)
"""One row a file. `position` is null in notices; `listed` says whether the file list names it, null without a list."""


@dataclass(frozen=True)
class ReadOptions:
    """Declared choices of reading.

    Attributes:
        identified_by: id types that may identify an article, in order of preference.
        only_relevant: whether records of articles that are not about genetics are left out.
    """

    identified_by: Sequence[str] = PAPER_IDS
    only_relevant: bool = True


def read_package(source: Path, package: Package, staging: Staging, options: ReadOptions | None = None) -> None:
    """Read a package into a staging directory: `articles_*`, `claims_*`, `notices_0000`, `skipped_retractions.jsonl`.

    Args:
        source: an archive, or a directory with one and its file list, or with JATS files.
        package: what the package is called.
        staging: where to; blocks already there are kept.
        options: declared choices.

    Raises:
        BadInputError: the file list cannot be read.
    """
    reader = _Reader(package, staging, options or ReadOptions(), read_file_list(file_list_of(source)))
    reader.run(source)


def retracted_in(read: Path) -> list[str]:
    """PMC ids that the file list of a package calls retracted, from the directory `read_package` made; sorted."""
    lines = (read / RETRACTIONS).read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["pmc_id"] for line in lines]


def read_outcomes(read: Path) -> list[tuple[str, int]]:
    """(outcome, files) of a package, from the directory `read_package` made; sorted."""
    counted: Counter[str] = Counter()
    for path in sorted(read.glob(f"{CLAIMS}_*.parquet")):
        counted.update(pq.read_table(path, columns=["outcome"])["outcome"].to_pylist())
    return sorted(counted.items())


class _Reader:
    def __init__(self, package: Package, staging: Staging, options: ReadOptions, listing: FileList) -> None:
        self.package, self.staging, self.options, self.listing = package, staging, options, listing
        self.block = len(staging.committed(CLAIMS))
        self.resume_at = rows_in(staging.committed(CLAIMS))
        self.claims: list[dict[str, Any]] = []
        self.articles: list[dict[str, Any]] = []
        self.notices: list[dict[str, Any]] = []

    def run(self, source: Path) -> None:
        try:
            for position, member in enumerate(iter_members(source)):
                listed = self.listing.meet(member.name)
                if position >= self.resume_at:
                    self._take(position, member, listed)
        except DamagedPackageError as error:
            self.notices.append({"member": self.package.name, "outcome": DAMAGED, "detail": error.found})
        self._flush()
        self._close()

    def _take(self, position: int, member: Member, listed: str | None) -> None:
        claim: dict[str, Any] = {"position": position, "member": member.name, "relevant": False}
        claim["listed"] = listed is not None if self.listing.given else None
        try:
            claim |= self._examine(position, member, listed)
        except ArticleError as error:
            claim |= {"outcome": error.reason, "detail": error.found, "pmcid": listed}
        self.claims.append(claim)
        if len(self.claims) == BLOCK:
            self._flush()

    def _examine(self, position: int, member: Member, listed: str | None) -> dict[str, Any]:
        expected = listed or Path(member.name).stem
        if expected in self.listing.retracted:
            return {"outcome": RETRACTED, "pmcid": expected, "detail": "by the file list"}
        article = parse_article(member.read(), self.options.identified_by)
        if article.pmcid is None:
            wanted = ", ".join(self.options.identified_by)
            return {"outcome": NO_ID, "detail": f"no article-id of type {wanted}", "pmcid": None}
        if article.pmcid in self.listing.retracted:
            return {"outcome": RETRACTED, "pmcid": article.pmcid, "detail": "by the file list, under another file name"}
        relevant = is_relevant(article.title, article.abstract, article.mesh_terms)
        if relevant or not self.options.only_relevant:
            self.articles.append(as_row(article, position, self.package.tier, self.package.name))
        return {"outcome": PARSED, "pmcid": article.pmcid, "relevant": relevant}

    def _flush(self) -> None:
        if not self.claims:
            return
        # Claims last: they are what says that a block is whole.
        self.staging.commit(ARTICLES, self.block, pa.Table.from_pylist(self.articles, ARTICLE_SCHEMA))
        self.staging.commit(CLAIMS, self.block, pa.Table.from_pylist(self.claims, CLAIM_SCHEMA))
        self.block, self.claims, self.articles = self.block + 1, [], []

    def _close(self) -> None:
        # Of a damaged package nobody knows which of the files not met are missing.
        if not self.notices:
            absent = sorted(self.listing.articles.items())
            self.notices += [{"member": file, "pmcid": pmcid, "outcome": ABSENT} for file, pmcid in absent]
        self.staging.commit(NOTICES, 0, pa.Table.from_pylist(self.notices, CLAIM_SCHEMA))
        lines = []
        for pmcid in sorted(self.listing.retracted):
            line = {"pmc_id": pmcid, "tier": self.package.tier, "tarball": self.package.name, "reason": RETRACTED}
            lines.append(json.dumps(line) + "\n")
        atomic.write_text(self.staging.folder / RETRACTIONS, "".join(lines))
