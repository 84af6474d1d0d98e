"""What makes two calls the same, and that the first answer stays."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from llm_stand_ins import GOOD, SCHEMA, model_settings

from genoplatform.agents.llm import ChatRequest
from genoplatform.resources.llm.cache import AnswerCache
from genoplatform.resources.llm.client import Said
from genoplatform.resources.llm.keys import CallKey, prompt_sha256

REQUEST = ChatRequest("s", "u", 50, SCHEMA, "rank")
IDENTITY = {"server": "external", "version": "1", "model": "m", "revision": "r", "evidence": "plumbing"}
SETTINGS = model_settings()
SAID = Said(GOOD, finish_reason="stop", tokens_in=7, tokens_out=3, latency_s=0.5, structured="plain", attempts=2)


def key(request=REQUEST, identity=IDENTITY, settings=SETTINGS):
    return CallKey.of(request, identity, settings)


@pytest.fixture
def cache(tmp_path):
    return AnswerCache(tmp_path)


def test_an_answer_comes_back_whole(cache):
    assert cache.get(key()) is None
    cache.put(key(), SAID)
    assert cache.get(key()) == replace(SAID, attempts=0)
    assert len(cache) == 1
    (entry,) = cache.entries()
    assert entry["call"]["request"] == {"system": "s", "user": "u", "max_tokens": 50, "schema": SCHEMA}
    assert entry["call"]["model"] == {"server": "external", "version": "1", "model": "m", "revision": "r"}


@pytest.mark.parametrize("changed", [{"system": "t"}, {"user": "v"}, {"max_tokens": 51}, {"schema": None}])
def test_every_part_of_a_request_counts_but_its_label(changed):
    assert key(replace(REQUEST, **changed)).sha256 != key().sha256
    assert key(replace(REQUEST, purpose="other")).sha256 == key().sha256


@pytest.mark.parametrize("part", ["server", "version", "model", "revision"])
def test_who_answers_counts_but_not_what_it_is_good_for(part):
    assert key(identity=IDENTITY | {part: "another"}).sha256 != key().sha256
    assert key(identity=IDENTITY | {"evidence": "science"}).sha256 == key().sha256


@pytest.mark.parametrize(
    "changed",
    [{"seed": 1}, {"context_tokens": 5}, {"structured": "plain"}, {"dtype": "float16"}, {"extra_body": {"a": 1}}],
)
def test_how_it_decodes_counts_but_not_where_it_is_or_how_long_it_may_take(changed):
    assert key(settings=model_settings(**changed)).sha256 != key().sha256
    elsewhere = model_settings(url_variable="OTHER", timeout_s=9.0, attempts=1, max_concurrency=4)
    assert key(settings=elsewhere).sha256 == key().sha256


def test_the_prompt_hash_is_of_the_prompt_alone():
    assert prompt_sha256(replace(REQUEST, max_tokens=1, schema=None)) == prompt_sha256(REQUEST)
    assert prompt_sha256(replace(REQUEST, system="su", user="")) != prompt_sha256(REQUEST)


def test_the_first_answer_stays(cache):
    cache.put(key(), SAID)
    assert cache.put(key(), replace(SAID, text="another")).text == GOOD
    assert cache.get(key()).text == GOOD


def test_many_writers_agree_on_one_answer(cache):
    with ThreadPoolExecutor(8) as pool:
        kept = list(pool.map(lambda number: cache.put(key(), replace(SAID, text=f"{number}")).text, range(40)))
    assert set(kept) == {cache.get(key()).text}
    assert [path.suffix for path in cache.root.glob("??/*")] == [".json"], "no temporaries left"


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"{}", b'{"call": {}, "answer": {}}'])
def test_a_damaged_entry_is_absent_and_is_written_again(cache, damage):
    cache.put(key(), SAID)
    (path,) = cache.root.glob("??/*.json")
    path.write_bytes(damage)
    assert cache.get(key()) is None
    cache.put(key(), replace(SAID, text="again"))
    assert cache.get(key()).text == "again"


def test_an_entry_of_another_call_is_not_mistaken(cache):
    cache.put(key(), SAID)
    (path,) = cache.root.glob("??/*.json")
    record = json.loads(path.read_bytes())
    record["call"]["request"]["user"] = "something else"
    path.write_text(json.dumps(record))
    assert cache.get(key()) is None


def test_a_file_system_without_links_will_do(cache, monkeypatch):
    def refuse(path, target):
        raise OSError("no links here")

    monkeypatch.setattr("pathlib.Path.hardlink_to", refuse)
    cache.put(key(), SAID)
    assert cache.get(key()).text == GOOD
