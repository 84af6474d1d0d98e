"""A thread pool that keeps order and holds few results at a time.

Here: one helper for chunked array work, whose kernels release the interpreter lock. Not here: the work.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def ordered_map(work: Callable[[Given], Made], items: Sequence[Given], workers: int) -> Iterator[Made]:
    """Yield work(item) in the order of `items`, on `workers` threads, at most workers + 1 results in memory."""
    if workers <= 1:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(workers) as pool:
        pending: deque[Future[Made]] = deque()
        for item in items:
            pending.append(pool.submit(work, item))
            if len(pending) > workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
