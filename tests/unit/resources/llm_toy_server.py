"""Run as a program: the least a managed server must do. `PORT MODEL HABIT`; children's ids go to the file CHILDREN."""

import json
import os
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CHILDREN = Path(os.environ["CHILDREN"])
PORT, MODEL, HABIT = int(sys.argv[1]), sys.argv[2], sys.argv[3]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/health":
            self.reply(503 if HABIT == "never healthy" else 200, {})
        elif self.path == "/version":
            self.reply(200, {"version": "9.9"})
        else:
            self.reply(200, {"data": [{"id": "another" if HABIT == "another model" else MODEL}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if HABIT == "deaf":
            self.reply(500, {"error": {"message": "out of memory"}})
            return
        if "kill yourself" in body["messages"][-1]["content"]:
            os.kill(os.getpid(), 9)
        message = {"content": self.headers["Authorization"]}
        self.reply(200, {"choices": [{"message": message, "finish_reason": "stop"}]})

    def reply(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


if HABIT == "crash":
    sys.exit("no such model: toy")
if HABIT == "port taken once" and not CHILDREN.exists():
    CHILDREN.touch()
    sys.exit("OSError: [Errno 98] Address already in use")
if HABIT == "children":  # one in the group, one that leaves it
    pids = [
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=apart).pid
        for apart in (False, True)
    ]
    CHILDREN.write_text(" ".join(map(str, pids)))
if HABIT == "stubborn":
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
server.serve_forever()
time.sleep(600)
