"""A session: cache before server, server only when needed, failures as answers, everything logged."""

import hashlib
import json

import pytest
from llm_stand_ins import (
    GOOD,
    SCHEMA,
    StubServer,
    completion,
    hang_up,
    model_settings,
    never,
    refusal,
    serving,
)

from genoplatform.agents.llm import ChatRequest
from genoplatform.resources.llm import line
from genoplatform.resources.llm.call_log import FOLDER, log_schema, read_log
from genoplatform.resources.llm.errors import LlmError, ServerStartError
from genoplatform.resources.llm.session import LlmSession

IDENTITY = {"server": "external", "version": "1", "model": "m", "revision": "r", "evidence": "plumbing"}


def ask(word, schema=None):
    return ChatRequest("You repeat.", word, 20, schema, "echo")


def echo(body):
    return completion(body["messages"][-1]["content"].upper())


@pytest.fixture
def web():
    with serving() as server:
        server.answer = echo
        yield server


@pytest.fixture
def server(web):
    return StubServer(web)


@pytest.fixture
def opened(tmp_path, server):
    """Makes sessions over one home and one server; closes them."""
    sessions = []

    def make(**changed):
        options = {name: changed.pop(name) for name in ("replay_only", "before_start") if name in changed}
        session = LlmSession(model_settings(**changed), IDENTITY, server, tmp_path, **options)
        sessions.append(session)
        return session

    yield make
    for session in sessions:
        session.close()


def test_answers_come_in_order_and_equal_requests_are_asked_once(opened, web):
    answers = opened(max_concurrency=4).complete([ask("a"), ask("b"), ask("a"), ask("c")])
    assert [answer.text for answer in answers] == ["A", "B", "A", "C"]
    assert [answer.cached for answer in answers] == [False, False, True, False]
    assert len(web.bodies) == 3


@pytest.mark.parametrize("bound", [1, 3])
def test_no_more_requests_at_a_time_than_declared(opened, web, bound):
    web.delay = 0.05
    opened(max_concurrency=bound).complete([ask(str(number)) for number in range(9)])
    assert web.most_busy == bound


def test_a_server_starts_at_the_first_new_call_and_not_before(opened, server):
    session = opened()
    assert session.complete([]) == []
    assert server.starts == 0
    session.complete([ask("a")])
    session.complete([ask("b")])
    assert server.starts == 1
    session.close()
    assert server.stops == 1


def test_a_second_run_replays_without_a_server(opened, server, web):
    requests = [ask("a"), ask("b", SCHEMA)]
    web.answer = lambda body: completion(GOOD)
    first = opened().complete(requests)
    server.fails = ServerStartError("starting", "nothing here")
    second = opened().complete(requests)
    assert [vars(answer) | {"cached": True} for answer in first] == [vars(answer) for answer in second]
    assert second[1].parsed == json.loads(GOOD)
    assert server.starts == 1


def test_replay_only_never_calls_and_names_what_is_missing(opened, server):
    opened().complete([ask("a")])
    session = opened(replay_only=True)
    session.require_ready()
    there, missing = session.complete([ask("a"), ask("a patient with   short stature")])
    assert (there.text, there.error) == ("A", "")
    assert (missing.text, missing.error, missing.cached) == ("", "not_cached", False)
    assert server.starts == 1
    detail = session.tally.first_details["not_cached"]
    assert "echo" in detail
    assert "'a patient with short stature'" in detail
    row = read_log(session.cache.root.parent).iloc[-1]
    assert row["call_sha256"] in detail


def test_an_answer_without_the_schema_is_an_answer_that_is_not_asked_again(opened, web):
    web.answer = lambda body: completion("FBN1, clearly.")
    session = opened()
    for cached in (False, True):
        (answer,) = session.complete([ask("a", SCHEMA)])
        assert (answer.text, answer.parsed, answer.error, answer.cached) == ("FBN1, clearly.", None, "", cached)
    assert len(web.bodies) == 1


def test_a_truncated_answer_is_counted(opened, web):
    web.answer = lambda body: completion(GOOD[:-1], "length")
    session = opened()
    (answer,) = session.complete([ask("a", SCHEMA)])
    assert (answer.text, answer.parsed, answer.finish_reason) == (GOOD[:-1], None, "length")
    assert session.tally.facts()["truncated"] == 1


def test_errors_are_asked_again_in_the_next_run_unless_they_would_come_again(opened, web):
    web.script = [refusal(403, "no"), refusal(400, "maximum context length is 5 tokens")]
    kinds = [answer.error for answer in opened().complete([ask("a"), ask("b")])]
    assert kinds == ["http_403", "context_overflow"]
    again = opened(replay_only=False).complete([ask("a"), ask("b")])
    assert [(answer.error, answer.cached) for answer in again] == [("", False), ("context_overflow", True)]


def test_a_server_that_cannot_start_is_tried_once(opened, server):
    server.fails = ServerStartError("starting the server", "it ended before it answered")
    session = opened()
    answers = session.complete([ask("a"), ask("b")]) + session.complete([ask("c")])
    assert [answer.error for answer in answers] == ["server_start"] * 3
    assert server.starts == 1
    assert "it ended before it answered" in session.tally.first_details["server_start"]
    with pytest.raises(ServerStartError, match="it ended"):
        session.require_ready()


def dying(server):
    def die(handler):
        server.dead = True
        hang_up(handler)

    return die


def test_a_server_that_dies_is_started_again_once_and_the_call_it_died_of_is_an_error(opened, server, web, tmp_path):
    web.script = [echo({"messages": [{"content": "a"}]}), dying(server)]
    session = opened()
    answers = session.complete([ask(word) for word in "abc"])
    assert [(answer.text, answer.error) for answer in answers] == [("A", ""), ("", "server_died"), ("C", "")]
    assert server.starts == 2
    web.script = [dying(server)]
    answers = session.complete([ask(word) for word in "def"])
    assert [answer.error for answer in answers] == ["server_died"] * 3
    assert server.starts == 2
    assert len(web.bodies) == 4, "a server that is gone is not asked"
    assert session.tally.errors == {"server_died": 4}
    assert "started again once and died again" in read_log(tmp_path)["detail"].iloc[-1]


def test_a_local_server_that_hangs_is_started_again(opened, server, web, monkeypatch):
    monkeypatch.setattr(line, "healthy", lambda endpoint: False)
    web.script = [never] * 3
    answers = opened(timeout_s=0.2).complete([ask(word) for word in "abcd"])
    assert [answer.error for answer in answers] == ["timeout", "timeout", "timeout", ""]
    assert server.starts == 2


def test_a_local_server_that_is_only_slow_is_left_alone(opened, server, web):
    web.script = [never] * 3
    opened(timeout_s=0.2).complete([ask(word) for word in "abcd"])
    assert server.starts == 1


def test_a_schema_that_is_none_raises_before_anything_is_asked(opened, web):
    with pytest.raises(LlmError):
        opened().complete([ask("a"), ask("b", {"type": 5})])
    assert web.bodies == []


def test_every_call_is_in_the_log(opened, web, tmp_path):
    session = opened()
    session.complete([ask("a"), ask("a")])
    web.script = [refusal(403, "no")]
    session.complete([ask("b")])
    running = read_log(tmp_path)
    session.close()
    log = read_log(tmp_path)
    assert running.equals(log), "a killed session's parts are read like a closed session's file"
    assert list(log.columns) == log_schema().names
    assert list(log["text"].fillna("-")) == ["A", "-", ""], "a replayed text is not written again"
    assert list(log["text_sha256"][:2]) == [hashlib.sha256(b"A").hexdigest()] * 2
    assert list(log["cached"]) == [False, True, False]
    assert list(log["error"]) == ["", "", "http_403"]
    assert list(log["attempts"]) == [1, 0, 1]
    assert list(log["tokens_out"]) == [3, 3, 0]
    assert set(log["purpose"]) == {"echo"}
    assert set(log["evidence"]) == {"plumbing"}
    assert log["prompt_sha256"].nunique() == 2
    assert [path.suffix for path in (tmp_path / FOLDER).iterdir()] == [".parquet"]


def test_the_tally_counts_what_the_log_holds(opened, web):
    session = opened()
    session.complete([ask("a"), ask("a"), ask("b")])
    facts = session.tally.facts()
    assert (facts["calls"], facts["replayed"], facts["tokens_in"], facts["errors"]) == (3, 1, 21, {})
    assert facts["starts"] == [{"version": "1", "start_seconds": 0.0}]


def test_the_key_is_nowhere_on_disk(opened, tmp_path, web):
    session = opened()
    session.complete([ask("a")])
    session.close()
    assert web.headers[0]["Authorization"] == "Bearer secret"
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"secret" in path.read_bytes()]


def test_others_are_told_before_a_start(opened):
    told = []
    opened(before_start=lambda: told.append(True)).complete([ask("a"), ask("b")])
    assert told == [True]
