"""Cell S through the real client, over HTTP and from its cache: a replay without a server gives the same bytes."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pandas as pd
import pytest

from genoplatform.agents.campaign import Campaign
from genoplatform.agents.case_files import CaseFacts
from genoplatform.agents.cells import Tools
from genoplatform.agents.held_back import ModelUnavailableError
from genoplatform.agents.lexicon import Lexicon
from genoplatform.agents.state import Case
from genoplatform.resources.llm.server import ExternalServer
from genoplatform.resources.llm.session import LlmSession
from genoplatform.retrieval.hits import Hit
from genoplatform.settings.llm import ModelSettings

GENES = ("AAA1", "BBB2", "CCC3")
TERMS = pd.DataFrame(
    {
        "id": ["HP:0000001", "HP:0000002"],
        "name": ["Seizure", "Gait ataxia"],
        "obsolete": False,
        "replaced_by": [[], []],
        "consider": [[], []],
        "alt_ids": [[], []],
        "synonyms": [[], []],
        "parents": [[], ["HP:0000001"]],
    }
)
SETTINGS = ModelSettings(
    server="external",
    model="m",
    evidence="plumbing",
    context_tokens=4096,
    url_variable="AGENTS_TEST_LLM",
    timeout_s=5.0,
    attempts=1,
)
IDENTITY = {"server": "external", "version": "1", "model": "m", "revision": "r", "evidence": "plumbing"}


class Found:
    """The same two chunks for every query."""

    def search(self, queries, **options):
        texts = [f"{gene} in a patient with seizure and gait ataxia" for gene in GENES[:2]]
        hits = [Hit(f"c{n}", f"PMC{n}", text, "results", 1.0 - n / 10) for n, text in enumerate(texts)]
        return [hits for _ in queries]


class AsFound:
    """A reranker that keeps the order."""

    identity = {"kind": "none"}  # noqa: RUF012

    def score(self, query, texts):
        return [0.0] * len(texts)


class Answering(BaseHTTPRequestHandler):
    """Puts the last gene of the prompt's list first."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked += 1
        line = next(each for each in body["messages"][-1]["content"].splitlines() if each.startswith("Candidate genes"))
        text = json.dumps([{"gene": line.split(", ")[-1], "confidence": 0.8, "rationale": "of the script"}])
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        content = json.dumps({"choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 4}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextmanager
def serving():
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        server.asked = 0
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def run(home, root, cells, *, replay_only=False):
    facts = [CaseFacts(Case(f"x:{n}", ("HP:0000001", "HP:0000002"), GENES[n:] + GENES[:n]), "AAA1") for n in range(3)]
    with LlmSession(SETTINGS, IDENTITY, ExternalServer(SETTINGS), home, replay_only=replay_only) as llm:
        tools = Tools(Lexicon.from_table(TERMS), {}, Found(), AsFound(), llm)
        return Campaign(tools, "standard", facts, {}, block=2).run(cells, root)


def tree(root):
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_replayed_from_the_cache_without_a_server_the_files_are_the_same_bytes(tmp_path, monkeypatch):
    with serving() as server:
        monkeypatch.setenv("AGENTS_TEST_LLM", f"http://127.0.0.1:{server.server_port}/v1")
        first = run(tmp_path / "home", tmp_path / "first", ["S", "S_real", "O"])
        asked = server.asked
    assert asked == 7  # of nine prompts; the first and third case rank alike before S, so theirs are the same
    assert first["S"] == {"cases": 3, "resumed": 0, "made": 3, "fallbacks": 0}
    again = run(tmp_path / "home", tmp_path / "again", ["S", "S_real", "O"], replay_only=True)
    assert again == first
    files = tree(tmp_path / "first")
    assert len(files) == 3 * 7
    assert tree(tmp_path / "again") == files


def test_without_the_cache_a_replay_stops_and_says_what_it_lacks(tmp_path):
    with pytest.raises(ModelUnavailableError, match="not_cached"):
        run(tmp_path / "home", tmp_path / "root", ["S"], replay_only=True)
    assert not list((tmp_path / "root").rglob("cell_S_*/*.json"))


def test_a_server_that_is_gone_stops_the_run_and_the_next_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTS_TEST_LLM", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelUnavailableError, match="connection"):
        run(tmp_path / "home", tmp_path / "root", ["S"])
    with serving() as server:
        monkeypatch.setenv("AGENTS_TEST_LLM", f"http://127.0.0.1:{server.server_port}/v1")
        assert run(tmp_path / "home", tmp_path / "root", ["S"])["S"]["made"] == 3
