"""The client against a server with every bad habit: what is retried, what is not, and what the answer says."""

import time

import pytest
from llm_stand_ins import GOOD, SCHEMA, client_of, completion, hang_up, never, refusal, serving, trickle

from genoplatform.agents.llm import ChatRequest
from genoplatform.resources.llm import transport

ASK = ChatRequest("You rank.", "Rank FBN1 and TTN.", 50, SCHEMA, "rank")
FREE = ChatRequest("", "Hello", 5)


@pytest.fixture
def web():
    with serving() as server:
        yield server


def test_a_request_is_greedy_and_carries_key_and_schema(web):
    with client_of(web) as client:
        said = client.ask(ASK)
    assert web.bodies == [
        {
            "model": "served",
            "messages": [
                {"role": "system", "content": "You rank."},
                {"role": "user", "content": "Rank FBN1 and TTN."},
            ],
            "temperature": 0,
            "top_p": 1,
            "seed": 42,
            "max_tokens": 50,
            "stream": False,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
            },
        }
    ]
    assert web.paths == ["/v1/chat/completions"]
    assert web.headers[0]["Authorization"] == "Bearer secret"
    assert (said.text, said.error, said.finish_reason, said.structured) == (GOOD, "", "stop", "json_schema")
    assert (said.tokens_in, said.tokens_out, said.attempts) == (7, 3, 1)


def test_free_text_asks_for_no_format_and_extra_fields_can_add_and_remove(web):
    with client_of(web, extra_body={"chat_template_kwargs": {"enable_thinking": False}, "seed": None}) as client:
        client.ask(FREE)
    (body,) = web.bodies
    assert body["messages"] == [{"role": "user", "content": "Hello"}]
    assert "response_format" not in body
    assert "seed" not in body
    assert body["chat_template_kwargs"] == {"enable_thinking": False}


def test_structured_output_falls_back_and_remembers_what_a_schema_was_accepted_as(web):
    web.script = [refusal(400, "response_format json_schema is not supported"), completion(GOOD)]
    with client_of(web) as client:
        first, second = client.ask(ASK), client.ask(ASK)
        client.ask(ChatRequest("", "x", 5, {"type": "object"}))
    formats = [body["response_format"] for body in web.bodies]
    assert [item["type"] for item in formats] == ["json_schema", "json_object", "json_object", "json_schema"]
    assert formats[1] == {"type": "json_object", "schema": SCHEMA}
    assert (first.structured, first.attempts) == ("json_object", 2)
    assert (second.structured, second.attempts) == ("json_object", 1)


def test_the_last_fallback_is_plain_and_its_refusal_is_the_answer(web):
    web.script = [refusal(400, "no"), refusal(422, "no"), completion(GOOD)]
    with client_of(web) as client:
        assert client.ask(ASK).structured == "plain"
    assert "response_format" not in web.bodies[2]
    web.script = [refusal(400, f"no {number}") for number in range(3)]
    with client_of(web) as client:
        said = client.ask(ASK)
    assert (said.error, said.detail, said.attempts) == ("http_400", "no 2", 3)


def test_a_declared_way_of_asking_is_the_only_one(web):
    web.script = [refusal(400, "no")]
    with client_of(web, structured="json_object") as client:
        assert client.ask(ASK).error == "http_400"
    assert len(web.bodies) == 1


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_faults_of_transport_are_tried_again_with_growing_waits(web, status):
    web.script = [refusal(status, "busy"), refusal(status, "busy")]
    waits = []
    with client_of(web, waits) as client:
        said = client.ask(FREE)
    assert (said.error, said.attempts) == ("", 3)
    assert waits == [0.5, 1.0]


def test_a_server_that_keeps_failing_is_named(web):
    web.script = [refusal(500, "CUDA error", type="InternalServerError")] * 3
    with client_of(web) as client:
        said = client.ask(FREE)
    assert (said.error, said.text, said.attempts) == ("http_500", "", 3)
    assert said.detail == "InternalServerError CUDA error"


@pytest.mark.parametrize("status", [401, 403, 404])
def test_other_refusals_are_not_tried_again(web, status):
    web.answer = lambda body: refusal(status, "no")
    with client_of(web) as client:
        assert client.ask(FREE).error == f"http_{status}"
    assert len(web.bodies) == 1


def test_a_dropped_connection_is_tried_again_and_then_named(web):
    web.script = [hang_up]
    with client_of(web) as client:
        assert client.ask(FREE).attempts == 2
    web.script = [hang_up] * 3
    with client_of(web) as client:
        assert client.ask(FREE).error == "connection"


def test_a_dead_server_is_not_asked_again(web):
    web.script = [hang_up]
    with client_of(web, alive=lambda: False) as client:
        said = client.ask(FREE)
    assert (said.error, said.attempts) == ("server_died", 1)


@pytest.mark.parametrize("habit", [never, trickle])
def test_a_slow_answer_is_cut_off_once_and_not_asked_again(web, habit):
    web.script = [habit]
    started = time.monotonic()
    with client_of(web, timeout_s=0.5) as client:
        said = client.ask(FREE)
    assert (said.error, said.text, said.attempts) == ("timeout", "", 1)
    assert len(web.bodies) == 1
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "body",
    [
        b"<html>busy</html>",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": 5}}]}',
        b'{"choices": [{"message": null}]}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_completion_is_a_bad_response_and_not_asked_again(web, body):
    web.answer = lambda _: (200, body)
    with client_of(web) as client:
        said = client.ask(FREE)
    assert (said.error, said.text) == ("bad_response", "")
    assert len(web.bodies) == 1


def test_a_body_without_end_is_refused(web, monkeypatch):
    monkeypatch.setattr(transport, "LARGEST_BODY", 1000)
    web.answer = lambda _: completion("x" * 2000)
    with client_of(web) as client:
        assert client.ask(FREE).error == "bad_response"


@pytest.mark.parametrize("text", ["", None])
def test_an_answer_of_nothing_is_an_answer(web, text):
    web.answer = lambda _: completion(text, "length")
    with client_of(web) as client:
        said = client.ask(FREE)
    assert (said.text, said.error, said.finish_reason) == ("", "", "length")


@pytest.mark.parametrize(
    "refused",
    [  # as llama.cpp, vLLM and OpenAI word it
        refusal(400, "request (4031 tokens) exceeds the available context size", type="exceed_context_size_error"),
        refusal(400, "This model's maximum context length is 2048 tokens. However, your prompt contains 2049"),
        refusal(400, "too long", code="context_length_exceeded"),
    ],
)
def test_a_prompt_too_long_is_told_apart_and_no_format_is_blamed(web, refused):
    web.answer = lambda _: refused
    with client_of(web) as client:
        assert client.ask(ASK).error == "context_overflow"
    assert len(web.bodies) == 1


def test_prompts_go_neither_through_a_proxy_nor_after_a_redirect(web, monkeypatch):
    with serving() as elsewhere:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, elsewhere.url.removesuffix("/v1"))
        target = f"{elsewhere.url}/chat/completions"
        web.script = [lambda handler: handler.reply(307, b"", [("Location", target)])]
        with client_of(web) as client:
            assert client.ask(FREE).error == "http_307"
        assert elsewhere.bodies == []
    assert len(web.bodies) == 1
