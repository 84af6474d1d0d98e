"""Images as text: data URIs for the page, markdown for asset metadata.

Belongs here: encoding finished images. Does not belong here: drawing.
"""

from __future__ import annotations

from base64 import b64encode

_PNG = b"\x89PNG\r\n\x1a\n"


def data_uri(image: bytes) -> str:
    """A PNG or SVG as a data URI, so that the page loads nothing."""
    kind = "image/png" if image.startswith(_PNG) else "image/svg+xml"
    return f"data:{kind};base64,{b64encode(image).decode('ascii')}"


def as_markdown_image(png: bytes, alt: str = "plot") -> str:
    """An image as markdown with its bytes inside, for the metadata of an asset."""
    return f"![{alt}]({data_uri(png)})"
