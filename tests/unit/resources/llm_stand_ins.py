"""A small OpenAI-compatible server with every bad habit, and what sessions need beside it."""

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from genoplatform.resources.llm.address import Endpoint
from genoplatform.resources.llm.client import ChatClient
from genoplatform.resources.llm.transport import Transport
from genoplatform.resources.sources.retry import RetryPlan
from genoplatform.settings.llm import ModelSettings

SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"gene": {"type": "string"}, "confidence": {"type": "number"}},
        "required": ["gene", "confidence"],
        "additionalProperties": False,
    },
}
GOOD = json.dumps([{"gene": "FBN1", "confidence": 0.9}])


def model_settings(**changed):
    fields = {
        "server": "external",
        "model": "m",
        "evidence": "plumbing",
        "context_tokens": 1000,
        "url_variable": "LLM_URL",
        "timeout_s": 5.0,
    }
    return ModelSettings(**{**fields, **changed})


def completion(text, finish="stop", tokens=(7, 3)):
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return 200, {"choices": [choice], "usage": usage}


def refusal(status, message, **more):
    return status, {"error": {"message": message, **more}}


class FakeServer(ThreadingHTTPServer):
    """Answers by `answer(body)`, or by `script` one a request: (status, body), or a callable given the handler."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self.bodies = []
        self.paths = []
        self.headers = []
        self.script = []
        self.answer = lambda body: completion(GOOD)
        self.delay = 0.0
        self.busy = self.most_busy = 0
        self.guard = threading.Lock()
        self.released = threading.Event()

    def handle_error(self, request, client_address):
        """A client that hangs up is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: FakeServer
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.paths.append(self.path)
        self.reply(200, {"status": "ok"})

    def do_POST(self):
        web = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with web.guard:
            web.bodies.append(body)
            web.paths.append(self.path)
            web.headers.append(dict(self.headers))
            web.busy += 1
            web.most_busy = max(web.most_busy, web.busy)
            step = web.script.pop(0) if web.script else web.answer(body)
        try:
            time.sleep(web.delay)
            step(self) if callable(step) else self.reply(*step)
        finally:
            with web.guard:
                web.busy -= 1

    def reply(self, status, body, headers=()):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def hang_up(handler):
    handler.close_connection = True
    handler.connection.close()


def never(handler):
    handler.server.released.wait(30)


def trickle(handler):
    """A byte now and then, for ever."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.released.wait(0.1):
        handler.wfile.write(b" ")
        handler.wfile.flush()


@contextmanager
def serving():
    with FakeServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.released.set()
            server.shutdown()
            thread.join()


@contextmanager
def client_of(server, waits=None, alive=lambda: True, **changed):
    settings = model_settings(**changed)
    endpoint = Endpoint(server.url, "served", "secret")
    sleep = (waits if waits is not None else []).append
    transport = Transport(endpoint, settings.timeout_s, RetryPlan(settings.attempts, sleep=sleep), alive)
    try:
        yield ChatClient(endpoint, transport, settings)
    finally:
        transport.close()


class StubServer:
    """A `Server` that "starts" a fake one; `dead` and `fails` play what can happen."""

    def __init__(self, fake):
        self.fake, self.starts, self.stops = fake, 0, 0
        self.dead = False
        self.fails = None

    def start(self):
        self.starts += 1
        if self.fails is not None:
            raise self.fails
        self.dead = False
        return Endpoint(self.fake.url, "served", "secret"), {"version": "1", "start_seconds": 0.0}

    def alive(self):
        return not self.dead

    def stop(self):
        self.stops += 1
