"""Articles of our own invention in JATS, packages of them, and a tokenizer small enough to read.

Whoever writes a test of literature or retrieval builds its corpus from these; nothing in them is true.
"""

import gzip
import io
import json
import string
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

SENTENCE = "A variant of gene TG{n:02d} was found in {m} patients with finding {k} of system {n}."


def jats(
    number: int,
    *,
    ids: Mapping[str, str] | None = None,
    title: str | None = None,
    abstract: str | None = "A gene and its mutation, told in fifty characters at least.",
    sections: Iterable[tuple[str, Iterable[str]]] = (),
    body: str | None = None,
    year: int = 2020,
) -> bytes:
    """One article: PMC id `PMC<number>` and DOI, unless `ids` says otherwise; `body` replaces the sections."""
    ids = {"pmc": f"PMC{number}", "doi": f"10.1/{number}"} if ids is None else ids
    given = "".join(f'<article-id pub-id-type="{kind}">{value}</article-id>' for kind, value in ids.items())
    told = f"<abstract><p>{escape(abstract)}</p></abstract>" if abstract else ""
    if body is None:
        body = "".join(
            f"<sec><title>{escape(heading)}</title>{''.join(f'<p>{escape(text)}</p>' for text in paragraphs)}</sec>"
            for heading, paragraphs in sections
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<article article-type="research-article"><front><journal-meta>'
        "<journal-title-group><journal-title>Tiny Reports</journal-title></journal-title-group></journal-meta>"
        f"<article-meta>{given}<title-group><article-title>{escape(title or f'Article {number}')}</article-title>"
        f'</title-group><pub-date pub-type="epub"><year>{year}</year></pub-date>{told}</article-meta></front>'
        f"<body>{body}</body></article>"
    ).encode()


def told_article(number: int) -> bytes:
    """An article with introduction, results long enough for several chunks of the tiny tokenizer, and discussion."""
    lines = [SENTENCE.format(n=number % 24 + 1, m=m, k=m % 5 + 1) for m in range(2, 12)]
    sections = [("Introduction", lines[:2]), ("Results", lines), ("Discussion", lines[2:4])]
    return jats(number, title=f"Gene TG{number % 24 + 1:02d} in disease {number}", sections=sections)


def tar_gz(members: Mapping[str, bytes]) -> bytes:
    """A `.tar.gz` of files, the same bytes for the same files."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as stream, tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def zipped(members: Mapping[str, bytes]) -> bytes:
    """A zip of files, the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def file_list(rows: Iterable[tuple[str, str, str]]) -> bytes:
    """A PMC file list of (file, PMC id, yes or no for retracted)."""
    header = "Article File,Article Citation,AccessionID,LastUpdated (YYYY-MM-DD HH:MM:SS),PMID,License,Retracted"
    lines = [f'{file},"Tiny Rep. 2020, 1",{pmcid},2026-01-01 00:00:00,1,CC BY,{state}' for file, pmcid, state in rows]
    return ("\n".join([header, *lines]) + "\n").encode()


def tokenizer_json() -> bytes:
    """A WordPiece tokenizer of single letters, digits and a few marks: one token a character, blanks aside."""
    marks = [*string.ascii_lowercase, *string.digits]
    pieces = ["[UNK]", "[CLS]", "[SEP]", *marks, *(f"##{mark}" for mark in marks), *".,;:()-'/"]
    special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    described = {
        "version": "1.0",
        # As encoders ship it; whoever counts tokens must see past both.
        "truncation": {"direction": "Right", "max_length": 8, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": None}
        | {"pad_id": 0, "pad_type_id": 0, "pad_token": "[UNK]"},
        "added_tokens": [{"id": i, "content": pieces[i], **special} for i in range(3)],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
        | {"strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"}
        | {"max_input_chars_per_word": 100, "vocab": {piece: i for i, piece in enumerate(pieces)}},
    }
    return json.dumps(described).encode()


def write_tokenizer(folder: Path) -> Path:
    """The tiny tokenizer as a file."""
    path = folder / "tokenizer.json"
    path.write_bytes(tokenizer_json())
    return path
