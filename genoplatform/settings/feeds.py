"""Feeds that announce new releases: schema and loading of `feeds.yml`. Reading a feed is `resources.feeds`' concern."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError, model_validator

from genoplatform.errors import SettingsError
from genoplatform.settings.section import Section
from genoplatform.settings.sources import HttpsUrl
from genoplatform.settings.yaml_text import read_mapping

FEEDS_FILE = Path(__file__).with_name("feeds.yml")


def _one_group(pattern: str) -> str:
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    if groups != 1:
        raise ValueError("the pattern needs exactly one group, the version")
    return pattern


class FeedFile(Section):
    """One file of a release: its name, the pin it would become and the slots that would fill."""

    name: str
    source: str
    url: str | None = None
    slots: dict[str, str] = {}


class Feed(Section):
    """One feed; fields as explained in `feeds.yml`."""

    name: str
    title: str
    kind: Literal["github_releases", "bucket_listing", "html_index"]
    url: HttpsUrl
    licence: str
    files: Annotated[list[FeedFile], Field(min_length=1)]
    pattern: Annotated[str, AfterValidator(_one_group)] | None = None
    check: str | None = None
    every: bool = False

    @model_validator(mode="after")
    def _pattern_where_needed(self) -> Feed:
        if (self.kind == "github_releases") == (self.pattern is not None):
            raise ValueError("a listing needs a pattern for its versions, a release feed has none")
        return self


def load_feeds(path: Path = FEEDS_FILE) -> dict[str, Feed]:
    """Every feed of a settings file, by name.

    Raises:
        SettingsError: naming the feed and the field that is wrong.
    """
    feeds = {}
    for name, body in read_mapping(path).items():
        try:
            feeds[name] = Feed.model_validate({"name": name, **body})
        except (ValidationError, TypeError) as error:
            raise SettingsError(
                f"reading {path.name}", f"{name}: {error}", "the fields are those of settings/feeds.py"
            ) from error
    return feeds
