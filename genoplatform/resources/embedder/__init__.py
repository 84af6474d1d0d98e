"""Running dense models: one resource, three backends behind `retrieval.vectors.Embedder`, each importing late."""

from genoplatform.resources.embedder.resource import EmbedderResource

__all__ = ["EmbedderResource"]
