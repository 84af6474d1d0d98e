"""Giving memory back to the system between the Dagster runs of one command."""

from __future__ import annotations

import ctypes
import gc


def release_memory() -> None:
    """Return freed memory: Arrow's and C's allocators keep theirs, and over a dozen runs that adds up to a gigabyte."""
    import pyarrow as pa

    gc.collect()
    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc only
    if trim is not None:
        trim(0)
