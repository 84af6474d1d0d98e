"""Notices by webhook and mail, against small servers of the test's own."""

import json
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from genoplatform.resources.alerts import AlertError, Alerts, Notice

NOTICE = Notice(
    subject="genoplatform: demo failed", text="core/ontology/genes: row_count", run_id="r1", assets=("a/b",)
)


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch):
    for name in ("WEBHOOK", "MAIL_TO", "MAIL_SERVER", "MAIL_USER"):
        monkeypatch.delenv(f"GENOPLATFORM_ALERT_{name}", raising=False)


def test_without_configuration_the_log_is_told(caplog):
    assert Alerts().send(NOTICE) == ["log"]
    assert "core/ontology/genes: row_count" in caplog.text


def test_a_webhook_gets_the_notice_as_json():
    received = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.handle_request, daemon=True).start()
    assert Alerts(webhook=f"http://127.0.0.1:{server.server_port}/").send(NOTICE) == ["log", "webhook"]
    assert received == [{"subject": NOTICE.subject, "text": NOTICE.text, "run_id": "r1", "assets": ["a/b"]}]


class Postman(socketserver.StreamRequestHandler):
    """Speaks as much SMTP as one message needs."""

    def handle(self):
        self.wfile.write(b"220 here\r\n")
        content = False
        for raw in self.rfile:
            line = raw.decode().strip()
            self.server.lines.append(line)
            if content and line != ".":
                continue
            content = line.upper() == "DATA"
            if line.upper() == "QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            self.wfile.write(b"354 go on\r\n" if content else b"250 ok\r\n")


def test_mail_is_sent_to_the_receiver():
    with socketserver.TCPServer(("127.0.0.1", 0), Postman) as server:
        server.lines = []
        thread = threading.Thread(target=server.handle_request, daemon=True)
        thread.start()
        mail = Alerts(mail_to="keeper@example.org", mail_server=f"127.0.0.1:{server.server_address[1]}")
        assert mail.send(NOTICE) == ["log", "mail"]
        thread.join(10)
    assert "Subject: genoplatform: demo failed" in server.lines
    assert any("rcpt" in line.lower() and "keeper@example.org" in line for line in server.lines)


def test_one_way_that_fails_stops_no_other_and_all_failing_is_an_error(monkeypatch):
    monkeypatch.setenv("GENOPLATFORM_ALERT_WEBHOOK", "http://127.0.0.1:9/")
    with pytest.raises(AlertError, match="webhook"):
        Alerts().send(NOTICE)
