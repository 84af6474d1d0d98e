"""What an article is to the platform: the normalised record, and its table form. How it is read from JATS: `jats`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Section:
    """One section with text: its type (see `sections`), heading (None if it has none) and text."""

    section_type: str
    heading: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Author:
    """One author: names and the ids of affiliations."""

    surname: str
    given: str
    affiliations: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ", ".join(part for part in (self.surname, self.given) if part)


@dataclass(frozen=True, slots=True)
class Article:
    """One article as normalised (rare_disease.md section 1.3); None where the XML does not say.

    Attributes:
        pmcid: what identifies the article: a PMC id with prefix, or a declared fallback (see `jats.identify`).
        pub_year: first of the dates epub, ppub, collection, pub, epreprint whose year is a number.
        mesh_terms: every subject of the article's categories.
        affiliations: (id, text) pairs.
        journal_ids: (type, id) pairs.
        issns: (publication type, ISSN) pairs.
    """

    pmcid: str | None
    pmid: str | None = None
    doi: str | None = None
    article_type: str | None = None
    title: str = ""
    pub_year: int | None = None
    mesh_terms: tuple[str, ...] = ()
    authors: tuple[Author, ...] = ()
    affiliations: tuple[tuple[str, str], ...] = ()
    journal_title: str | None = None
    journal_ids: tuple[tuple[str, str], ...] = ()
    issns: tuple[tuple[str, str], ...] = ()
    publisher: str | None = None
    license_text: str | None = None
    license_url: str | None = None
    copyright: str | None = None
    funding: tuple[str, ...] = ()
    n_references: int = 0
    sections: tuple[Section, ...] = field(default=())

    @property
    def abstract(self) -> str:
        """Text of the abstract, empty if there is none."""
        first = self.sections[0] if self.sections else None
        return first.text if first and (first.section_type, first.heading) == ("abstract", "Abstract") else ""

    @property
    def issn(self) -> str | None:
        """The electronic ISSN, else the print one."""
        by_type = dict(self.issns)
        return by_type.get("epub") or by_type.get("ppub")


_PAIR = pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))
_AUTHOR = pa.struct([("surname", pa.string()), ("given", pa.string()), ("affiliations", pa.list_(pa.string()))])
_SECTION = pa.struct([("section_type", pa.string()), ("heading", pa.string()), ("text", pa.string())])

ARTICLE_SCHEMA = pa.schema(
    [
        ("position", pa.int64()),
        ("pmcid", pa.string()),
        ("pmid", pa.string()),
        ("doi", pa.string()),
        ("article_type", pa.string()),
        ("title", pa.string()),
        ("pub_year", pa.int64()),
        ("mesh_terms", pa.list_(pa.string())),
        ("authors", pa.list_(_AUTHOR)),
        ("affiliations", _PAIR),
        ("journal_title", pa.string()),
        ("journal_ids", _PAIR),
        ("issns", _PAIR),
        ("publisher", pa.string()),
        ("license_text", pa.string()),
        ("license_url", pa.string()),
        ("copyright", pa.string()),
        ("funding", pa.list_(pa.string())),
        ("n_references", pa.int64()),
        ("tier", pa.string()),
        ("source_tarball", pa.string()),
        ("sections", pa.list_(_SECTION)),
    ]
)
"""Columns of an article shard; `position` is the member's place in its package, from 0."""

_PAIRS = ("affiliations", "journal_ids", "issns")
_PLAIN: tuple[str, ...] = ("pmcid", "pmid", "doi", "article_type", "title", "pub_year", "journal_title", "publisher")
_PLAIN += ("license_text", "license_url", "copyright", "n_references")


def as_row(article: Article, position: int, tier: str, package: str) -> dict[str, Any]:
    """The article as a row of `ARTICLE_SCHEMA`."""
    row: dict[str, Any] = {name: getattr(article, name) for name in (*_PLAIN, "mesh_terms", "funding")}
    row |= {name: [{"key": k, "value": v} for k, v in getattr(article, name)] for name in _PAIRS}
    row["authors"] = [{"surname": a.surname, "given": a.given, "affiliations": a.affiliations} for a in article.authors]
    row["sections"] = [{"section_type": s.section_type, "heading": s.heading, "text": s.text} for s in article.sections]
    return row | {"position": position, "tier": tier, "source_tarball": package}


def from_row(row: dict[str, Any]) -> Article:
    """The article that `as_row` wrote; extra columns are left out."""
    values: dict[str, Any] = {name: row[name] for name in _PLAIN}
    values |= {name: tuple(row[name]) for name in ("mesh_terms", "funding")}
    values |= {name: tuple((item["key"], item["value"]) for item in row[name]) for name in _PAIRS}
    authors = (Author(a["surname"], a["given"], tuple(a["affiliations"])) for a in row["authors"])
    sections = (Section(s["section_type"], s["heading"], s["text"]) for s in row["sections"])
    return Article(**values, authors=tuple(authors), sections=tuple(sections))
