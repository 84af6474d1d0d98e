"""How articles become chunks (rare_disease.md sections 1 and 2.1), as a section of a profile."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveInt, model_validator

from genoplatform.settings.section import Section


class LiteratureSettings(Section):
    """Declared choices of the corpus.

    Attributes:
        identified_by: id types (`pub-id-type`) that may identify an article, in order of preference. The paper knows
            `pmc` alone and loses an article without it; `doi` makes articles of other sources usable, as `doi:10...`.
        only_relevant: whether articles that are not about genetics are left out.
        retractions: whether a retraction in one package's file list retracts the article in all packages, or, as in
            the paper's run, only in its own.
        window_tokens: tokens a chunk.
        overlap_tokens: tokens that neighbouring chunks of a section share.
        shard_rows: chunks a shard.
    """

    identified_by: Annotated[list[Literal["pmc", "pmcid", "pmid", "doi"]], Field(min_length=1)]
    only_relevant: bool
    retractions: Literal["all_packages", "own_package"]
    window_tokens: PositiveInt
    overlap_tokens: NonNegativeInt
    shard_rows: PositiveInt

    @model_validator(mode="after")
    def _windows_advance(self) -> LiteratureSettings:
        if self.overlap_tokens >= self.window_tokens:
            raise ValueError("overlap_tokens must be less than window_tokens")
        return self
