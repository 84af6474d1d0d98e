"""Small pins and a small web server with every bad habit that downloads meet."""

import hashlib
import random
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from genoplatform.resources.sources.retry import RetryPlan
from genoplatform.settings.sources import Licence, LocalMirror, Source

CONTENT = random.Random(7).randbytes(3_000_000)
LICENCE = Licence(id="CC0-1.0", url="https://example.org/licence")


def make_pin(content=CONTENT, mirrors=(), *, size="declared", name="data.bin"):
    """A pin of `content`; `size=None` leaves its size undeclared."""
    return Source(
        id="data@1",
        title="Test data",
        version="1",
        file=name,
        licence=LICENCE,
        sha256=hashlib.sha256(content).hexdigest(),
        bytes=len(content) if size == "declared" else size,
        mirrors=tuple(mirrors) or (LocalMirror(kind="local", name=name),),
    )


class FileServer(ThreadingHTTPServer):
    """Serves `content`; the attributes switch its habits, the lists are consumed one per request."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.content = CONTENT
        self.earlier = []  # other contents, for the first requests
        self.headers = {"ETag": '"v1"'}
        self.honours_ranges = True
        self.announces_length = True
        self.statuses = []  # answer with these error codes first
        self.cuts = []  # send only so many bytes of the body, then close
        self.stall = None  # an event: wait for it instead of closing after a cut
        self.ranges = []  # Range header of every request, None where absent
        self.url = f"http://127.0.0.1:{self.server_port}/data.bin"

    def handle_error(self, request, client_address):
        """A client that hangs up is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: FileServer

    def do_GET(self):
        web = self.server
        asked = self.headers.get("Range")
        web.ranges.append(asked)
        if web.statuses:
            self.send_error(web.statuses.pop(0))
            return
        content = web.earlier.pop(0) if web.earlier else web.content
        start = self._start(asked)
        if start >= len(content):
            self.send_error(416)
            return
        body = content[start:]
        self.send_response(206 if start else 200)
        for name, value in web.headers.items():
            self.send_header(name, value)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if web.announces_length:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        cut = web.cuts.pop(0) if web.cuts else len(body)
        self.wfile.write(body[:cut])
        if cut < len(body) and web.stall is not None:
            web.stall.wait(30)

    def _start(self, asked):
        valid = self.headers.get("If-Range") in self.server.headers.values()
        return int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.server.honours_ranges and valid else 0

    def log_message(self, *_):
        pass


@pytest.fixture
def web() -> Iterator[FileServer]:
    with FileServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        if server.stall is not None:
            server.stall.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def delays():
    """The waits that a retry plan asked for; nobody waits."""
    return []


@pytest.fixture
def retry(delays):
    return RetryPlan(attempts=4, first_delay=0.5, longest_delay=1.5, timeout=10, sleep=delays.append)


@pytest.fixture
def pin():
    return make_pin


class Notes:
    """Records what people would see."""

    def __init__(self):
        self.notes = []
        self.begun = []
        self.done = []

    def begin(self, label, total):
        self.begun.append((label, total))

    def update(self, done):
        self.done.append(done)

    def end(self):
        pass

    def note(self, message):
        self.notes.append(message)


@pytest.fixture
def progress():
    return Notes()
