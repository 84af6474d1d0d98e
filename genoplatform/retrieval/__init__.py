"""Retrieval: embeddings, sparse vectors, the vector index behind one interface, search and its validation."""
