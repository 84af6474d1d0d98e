"""`LlmSession`: the `Llm` the agents see. Cache first; a server only for the first call that is not cached.

A failure is an answer with its kind in `error`; what was said is in the log and the tally.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from types import TracebackType

from genoplatform.agents.llm import ChatAnswer, ChatRequest
from genoplatform.resources.llm import structured
from genoplatform.resources.llm.cache import AnswerCache
from genoplatform.resources.llm.call_log import Call, CallLog
from genoplatform.resources.llm.client import Said
from genoplatform.resources.llm.errors import NOT_CACHED, REPEATABLE
from genoplatform.resources.llm.keys import CallKey, prompt_sha256
from genoplatform.resources.llm.line import Line
from genoplatform.resources.llm.server import Server
from genoplatform.resources.llm.tally import Tally
from genoplatform.settings.llm import ModelSettings

LOGGER = logging.getLogger(__name__)
_SHOWN = 120


@dataclass(frozen=True)
class _Asked:
    request: ChatRequest
    key: CallKey


class LlmSession:
    """A language model for as long as a run lasts. Use as a context manager, or `close` it.

    Args:
        settings: the model's.
        identity: who answers; see `server.identity_of`.
        server: started at the first call that is not cached.
        home: the platform's home, with cache and log.
        replay_only: never call; a call that is not cached is an answer `not_cached`.
        before_start: told before a server starts (another session's may have to go).
    """

    def __init__(
        self,
        settings: ModelSettings,
        identity: Mapping[str, str],
        server: Server,
        home: Path,
        *,
        replay_only: bool = False,
        before_start: Callable[[], None] = lambda: None,
    ) -> None:
        self._settings, self._identity, self._replay_only = settings, dict(identity), replay_only
        self.cache = AnswerCache(home)
        self.tally = Tally()
        self._log = CallLog(home, identity)
        self._line = Line(settings, server, self.tally, before_start)
        self._lock = Lock()

    @property
    def identity(self) -> Mapping[str, str]:
        """Server, version, model, revision, evidence."""
        return dict(self._identity)

    def complete(self, requests: Sequence[ChatRequest]) -> list[ChatAnswer]:
        """Answer every request, in order; equal ones are asked once.

        A model is asked by at most `max_concurrency` threads. Every answer is cached before this returns.

        Raises:
            LlmError: a request's schema is not a JSON schema. Nothing else: failures are answers.
        """
        for request in requests:
            if request.schema is not None:
                structured.validator(request.schema)
        asked = [_Asked(request, CallKey.of(request, self._identity, self._settings)) for request in requests]
        looked = {each.key.sha256: self.cache.get(each.key) for each in asked}
        said = {sha256: kept for sha256, kept in looked.items() if kept is not None}
        missing = {each.key.sha256: each for each in asked if each.key.sha256 not in said}
        said |= self._ask(missing)
        calls = [
            _call(each, said[each.key.sha256], new=missing.pop(each.key.sha256, None) is not None) for each in asked
        ]
        self._note(calls)
        return [_answer(each.request, call.said, call.cached) for each, call in zip(asked, calls, strict=True)]

    def require_ready(self) -> None:
        """Start the server now, for those who would rather fail than fall back a thousand times.

        Raises:
            LlmError: it cannot be started. Replaying needs none, and passes.
        """
        if not self._replay_only:
            self._line.require()

    def close(self) -> None:
        """Stop the server, if one was started, and close the log."""
        self._line.close()
        with self._lock:
            self._log.close()

    def stop_server(self) -> None:
        """Stop the server; the next call that is not cached starts it again."""
        self._line.close()

    def __enter__(self) -> LlmSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, missing: Mapping[str, _Asked]) -> dict[str, Said]:
        if self._replay_only:
            return {sha256: _not_cached(each) for sha256, each in missing.items()}
        if not missing:
            return {}
        workers = min(self._settings.max_concurrency, len(missing))
        with ThreadPoolExecutor(workers, thread_name_prefix="llm") as pool:
            try:
                return dict(zip(missing, pool.map(self._ask_one, missing.values()), strict=True))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _ask_one(self, each: _Asked) -> Said:
        said = self._line.ask(each.request)
        if said.error and said.error not in REPEATABLE:
            return said
        return replace(self.cache.put(each.key, said), attempts=said.attempts)

    def _note(self, calls: Sequence[Call]) -> None:
        with self._lock:
            self.tally.add(calls)
            self._log.append(calls)
        for call in calls:
            if call.said.error:
                LOGGER.warning("call %s (%s): %s", call.purpose, call.said.error, call.said.detail)


def _call(each: _Asked, said: Said, *, new: bool) -> Call:
    cached = not new and (not said.error or said.error in REPEATABLE)
    return Call(each.request.purpose, prompt_sha256(each.request), each.key.sha256, said, cached)


def _not_cached(each: _Asked) -> Said:
    request = each.request
    start = " ".join(request.user.split())[:_SHOWN]
    found = f"{request.purpose or 'call'} {each.key.sha256} is not in the cache; its prompt begins {start!r}"
    return Said(error=NOT_CACHED, detail=found)


def _answer(request: ChatRequest, said: Said, cached: bool) -> ChatAnswer:
    return ChatAnswer(
        text=said.text,
        parsed=None if said.error else structured.parse(said.text, request.schema),
        error=said.error,
        finish_reason=said.finish_reason,
        tokens_in=said.tokens_in,
        tokens_out=said.tokens_out,
        latency_s=said.latency_s,
        cached=cached,
    )
