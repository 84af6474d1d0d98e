"""The reranker that the profile declares, as a Dagster resource."""

from typing import TYPE_CHECKING

import dagster as dg

from genoplatform.agents.llm import Reranker
from genoplatform.errors import SettingsError
from genoplatform.resources.llm.weights import usable_weights
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.reranker.cross_encoder import CrossEncoder
from genoplatform.resources.reranker.lexical import LexicalDenseReranker

if TYPE_CHECKING:
    from genoplatform.retrieval.vectors import Embedder


class RerankerResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The profile's section `reranker`.

    Attributes:
        platform: home and profile.
        device: of the cross-encoder: `cuda`, `cpu`, or empty for CUDA where there is one.
    """

    platform: PlatformResource
    device: str = ""

    def reranker(self, embedder: "Embedder | None" = None) -> Reranker:
        """The reranker; nothing is loaded before its first score.

        Args:
            embedder: dense side of the lexical-dense fallback; the cross-encoder has no use for it.

        Raises:
            SettingsError: the profile has no reranker, or weights of one's own are another revision.
        """
        profile = self.platform.settings()
        declared = profile.reranker
        if declared is None:
            raise SettingsError("opening the reranker", f"profile {profile.name} has no section reranker")
        if declared.kind == "lexical_dense":
            return LexicalDenseReranker(declared.lexical_weight, embedder)
        return CrossEncoder(declared, usable_weights(declared.model or "", declared.revision or ""), self.device)
