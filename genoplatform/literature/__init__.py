"""Literature: JATS full text to article records, chunks and their fingerprint. Embedding and search: `retrieval`."""
