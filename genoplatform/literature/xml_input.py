"""Bytes of one JATS file to an element tree, safely: nothing is fetched, no entity is expanded, the encoding is XML's.

Belongs here: parser options, entities, namespaces. Does not belong here: what the elements mean (`jats`).
"""

from __future__ import annotations

from html.entities import html5

from lxml import etree

from genoplatform.errors import BadInputError

MAX_ARTICLE_BYTES = 64 << 20
"""Largest article parsed, in bytes of XML. One article is in memory at a time, so this also bounds memory."""

# `collect_ids=False` would be faster but makes libxml2 ask for the DTD. Without `huge_tree`, libxml2 keeps its own
# bounds: 10 MB a text node, and no entity amplification, not even in attributes.
_OPTIONS = {"resolve_entities": False, "load_dtd": False, "no_network": True, "huge_tree": False}


class ArticleError(BadInputError):
    """One article cannot be used; `reason` is the class of fault that reports count by, `found` the particulars."""

    def __init__(self, reason: str, found: str) -> None:
        super().__init__("reading an article", found)
        self.reason = reason

    def __reduce__(self) -> tuple[type[ArticleError], tuple[str, str]]:  # type: ignore[override]
        return type(self), (self.reason, self.found)


def parse_xml(content: bytes) -> etree._Element:
    """Root element of a document, without comments, processing instructions and entity references.

    A reference to a named character (`&alpha;`, which the DTD would define) becomes the character; a document that
    declares entities of its own is refused whole, for what they hold is not part of the text as it stands. Elements of
    the root's namespace lose it, so that names are the same in every flavour of JATS.

    Raises:
        ArticleError: empty_file, too_large, xml_syntax, entity_declaration or unknown_entity.
    """
    if not content.strip():
        raise ArticleError("empty_file", "no content")
    if len(content) > MAX_ARTICLE_BYTES:
        raise ArticleError("too_large", f"{len(content):,} bytes, at most {MAX_ARTICLE_BYTES:,} are read")
    try:
        root = etree.fromstring(content, etree.XMLParser(remove_comments=True, remove_pis=True, **_OPTIONS))
    except etree.XMLSyntaxError as error:
        raise ArticleError("xml_syntax", str(error.msg or error)) from error
    _refuse_declarations(root)
    _resolve_characters(root)
    _strip_namespace(root)
    return root


def _refuse_declarations(root: etree._Element) -> None:
    subset = root.getroottree().docinfo.internalDTD
    declared = next(iter(subset.iterentities()), None) if subset is not None else None
    if declared is not None:
        raise ArticleError("entity_declaration", f"the document declares the entity {declared.name!r}")


def _resolve_characters(root: etree._Element) -> None:
    for reference in list(root.iter(etree.Entity)):
        character = html5.get(f"{reference.name};")
        if character is None:
            raise ArticleError("unknown_entity", f"&{reference.name}; stands for nothing known")
        _replace(reference, character + (reference.tail or ""))


def _replace(reference: etree._Entity, text: str) -> None:
    parent, before = reference.getparent(), reference.getprevious()
    if parent is None:
        return
    reference.tail = None
    parent.remove(reference)
    if before is not None:
        before.tail = (before.tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _strip_namespace(root: etree._Element) -> None:
    if not root.tag.startswith("{"):
        return
    prefix = root.tag[: root.tag.index("}") + 1]
    for element in root.iter(f"{prefix}*"):
        element.tag = element.tag[len(prefix) :]
