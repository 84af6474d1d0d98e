"""Vector indexes: the engine in the process, a Qdrant server, and opening what the store records."""

from genoplatform.resources.vector_index.resource import VectorIndexResource

__all__ = ["VectorIndexResource"]
