"""A JATS article to its normalised record (rare_disease.md sections 1.2 and 1.3, production path).

"Text of" an element is all its descendant text, nothing between, runs of whitespace as one space.
"""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from genoplatform.literature.article import Article, Author, Section
from genoplatform.literature.sections import OTHER, section_type
from genoplatform.literature.xml_input import ArticleError, parse_xml

PAPER_IDS = ("pmc",)
"""Id types that identify an article in the paper's corpus; without one it is lost."""
_YEAR_ORDER = ("epub", "ppub", "collection", "pub", "epreprint")
_HREF = "{http://www.w3.org/1999/xlink}href"
_LICENSE_REF = "{http://www.niso.org/schemas/ali/1.0/}license_ref"
_string = etree.XPath("string()", smart_strings=False)


def parse_article(content: bytes, identified_by: Sequence[str] = PAPER_IDS) -> Article:
    """Parse one JATS file.

    Args:
        content: the file's bytes.
        identified_by: id types (`pub-id-type`) that may identify the article, in order of preference.

    Returns:
        The article; its `pmcid` is None if it has no id of these types.

    Raises:
        ArticleError: reasons of `parse_xml`, or no_front.
    """
    root = parse_xml(content)
    front = root.find("front")
    if front is None:
        raise ArticleError("no_front", f"the root element {etree.QName(root).localname!r} has no front")
    none = etree.Element("none")
    meta, journal = _first(front, "article-meta", none), _first(front, "journal-meta", none)
    ids = article_ids(meta)
    categories = tuple(filter(None, map(text_of, meta.iterfind("article-categories//subject"))))
    permissions = _first(meta, "permissions", none)
    license_text, license_url = _license(permissions)
    return Article(
        pmcid=identify(ids, identified_by),
        pmid=ids.get("pmid"),
        doi=ids.get("doi"),
        article_type=root.get("article-type"),
        title=text_of(meta.find("title-group/article-title")),
        pub_year=publication_year(meta),
        mesh_terms=categories,
        authors=_authors(meta),
        affiliations=tuple((aff.get("id", ""), text_of(aff)) for aff in meta.iter("aff")),
        journal_title=text_of(next(journal.iter("journal-title"), None)) or None,
        journal_ids=_pairs(journal, "journal-id", "journal-id-type"),
        issns=tuple((_issn_type(element), text_of(element)) for element in journal.iter("issn")),
        publisher=text_of(journal.find("publisher/publisher-name")) or None,
        license_text=license_text,
        license_url=license_url,
        copyright=text_of(permissions.find("copyright-statement")) or None,
        funding=tuple(filter(None, map(text_of, meta.iter("funding-statement")))),
        n_references=sum(1 for _ in root.iterfind("back//ref")),
        sections=tuple(_sections(meta, root.find("body"))),
    )


def text_of(element: etree._Element | None) -> str:
    """All text below an element, whitespace collapsed; empty for None."""
    return " ".join(_string(element).split()) if element is not None else ""


def article_ids(meta: etree._Element) -> dict[str, str]:
    """The article's ids by type; PMC ids that lack their prefix get it. The first of a type counts."""
    found: dict[str, str] = {}
    for element in meta.iterfind("article-id"):
        kind, value = element.get("pub-id-type"), text_of(element)
        if kind and value:
            found.setdefault(kind, f"PMC{value}" if kind == "pmc" and value.isdigit() else value)
    return found


def identify(ids: dict[str, str], identified_by: Sequence[str]) -> str | None:
    """What identifies an article: its first id of the given types. Ids outside PMC carry their type, `doi:10...`."""
    for kind in identified_by:
        if kind in ids:
            return ids[kind] if kind in {"pmc", "pmcid"} else f"{kind}:{ids[kind]}"
    return None


def publication_year(meta: etree._Element) -> int | None:
    """Year of the first date, in the order epub, ppub, collection, pub, epreprint, whose year is a number."""
    years: dict[str, str] = {}
    for date in meta.iterfind("pub-date"):
        kind = date.get("pub-type") or date.get("date-type")
        if kind:
            years[kind] = text_of(date.find("year"))
    found = (years[kind] for kind in _YEAR_ORDER if kind in years)
    return next((int(year) for year in found if year.isascii() and year.isdigit()), None)


def _first(parent: etree._Element, path: str, default: etree._Element) -> etree._Element:
    found = parent.find(path)
    return default if found is None else found


def _pairs(parent: etree._Element, tag: str, attribute: str) -> tuple[tuple[str, str], ...]:
    return tuple((element.get(attribute) or "", text_of(element)) for element in parent.iter(tag))


def _issn_type(element: etree._Element) -> str:
    media = {"electronic": "epub", "print": "ppub"}
    return element.get("pub-type") or media.get(element.get("publication-format", ""), "")


def _authors(meta: etree._Element) -> tuple[Author, ...]:
    found = []
    for contributor in meta.iterfind("contrib-group/contrib[@contrib-type='author']"):
        name = contributor.find("name")
        if name is not None:
            links = contributor.iterfind("xref[@ref-type='aff']")
            ids = tuple(rid for link in links for rid in (link.get("rid") or "").split())
            found.append(Author(text_of(name.find("surname")), text_of(name.find("given-names")), ids))
    return tuple(found)


def _license(permissions: etree._Element) -> tuple[str | None, str | None]:
    """Text and address; where no `ali:license_ref` gives the address, the licence's own link does."""
    element = permissions.find("license")
    reference = text_of(next(permissions.iter(_LICENSE_REF), None)) or None
    if element is None:
        return None, reference
    paragraphs = " ".join(filter(None, map(text_of, element.iterfind("license-p"))))
    return paragraphs or text_of(element) or None, reference or element.get(_HREF)


def _sections(meta: etree._Element, body: etree._Element | None) -> list[Section]:
    found = []
    if abstract := text_of(meta.find("abstract")):
        found.append(Section("abstract", "Abstract", abstract))
    if body is None:
        return found
    sections = list(body.iter("sec"))
    for element in sections:
        paragraphs = filter(None, map(text_of, element.iterfind("p")))
        if text := "\n\n".join(paragraphs):
            heading = _heading(element)
            found.append(Section(section_type(heading), heading or None, text))
    if not found and not sections and (text := text_of(body)):
        found.append(Section(OTHER, None, text))
    return found


def _heading(section: etree._Element) -> str:
    """Immediate text of the title: what stands before any markup in it."""
    title = section.find("title")
    return " ".join((title.text or "").split()) if title is not None else ""
