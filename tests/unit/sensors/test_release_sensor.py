"""The release sensor on a feed of ten thousand entries: one answer, then nothing more, however often it is asked."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import dagster as dg
import pytest

from genoplatform.resources.feeds import FeedError
from genoplatform.resources.platform import PlatformResource
from genoplatform.sensors.releases import PER_TICK, release_sensor
from genoplatform.settings.feeds import Feed, FeedFile

ENTRIES = 10_000


def listing(versions: list[str]) -> bytes:
    return json.dumps(
        [
            {
                "tag_name": f"v{version}",
                "draft": False,
                "prerelease": False,
                "assets": [{"name": "hp.obo", "browser_download_url": "https://example.org/hp.obo", "size": 1}],
            }
            for version in versions
        ]
    ).encode()


class Feeds:
    """A feed whose answer a test can change."""

    def __init__(self):
        self.answer, self.asked = b"[]", 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked += 1
                self.send_response(200)
                self.end_headers()
                self.wfile.write(outer.answer)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def feed(self, every: bool = False) -> Feed:
        files = [FeedFile(name="hp.obo", source="hp.obo", slots={} if every else {"embedded": "hp_obo"})]
        return Feed(
            name="hpo",
            title="HPO",
            kind="github_releases",
            url=f"http://127.0.0.1:{self.server.server_port}/",
            licence="hpo",
            files=files,
            every=every,
        )


@pytest.fixture
def feeds():
    served = Feeds()
    yield served
    served.server.shutdown()


@pytest.fixture
def platform(tmp_path):
    return PlatformResource(home=str(tmp_path), profile="embedded")


def tick(sensor: dg.SensorDefinition, instance: dg.DagsterInstance, platform, cursor: str | None):
    context = dg.build_sensor_context(instance=instance, cursor=cursor, resources={"platform": platform})
    return sensor.evaluate_tick(context)


def test_a_long_feed_gives_one_request_and_a_thousand_further_looks_give_none(feeds, platform):
    feeds.answer = listing([f"2026-{n // 28 + 1:05d}-{n % 28 + 1:02d}" for n in range(ENTRIES)])
    sensor, cursor, requests = release_sensor(feeds.feed()), None, []
    with dg.instance_for_test() as instance:
        for _ in range(3):
            data = tick(sensor, instance, platform, cursor)
            cursor, requests = data.cursor or cursor, requests + list(data.run_requests)
        # a short feed from here on: what is tested is that the cursor, not the feed, keeps the sensor still
        feeds.answer = listing(["2025-01-16", cursor])
        for _ in range(1_000):
            data = tick(sensor, instance, platform, cursor)
            cursor, requests = data.cursor or cursor, requests + list(data.run_requests)
    assert [request.run_key for request in requests] == ["hpo@2026-00358-04"]  # 9,999 = 357 x 28 + 3
    assert feeds.asked == 1_003


def test_only_what_is_newer_than_the_pin_is_news(feeds, platform):
    feeds.answer = listing(["2024-12-12", "2025-01-16"])  # the embedded profile pins hp.obo@2025-01-16
    with dg.instance_for_test() as instance:
        data = tick(release_sensor(feeds.feed()), instance, platform, None)
    assert not data.run_requests
    assert "nothing after 2025-01-16" in data.skip_message


def test_a_failed_read_keeps_the_cursor_and_is_not_an_empty_feed(feeds, platform):
    # the daemon makes a red tick of it and leaves the cursor alone
    with dg.instance_for_test() as instance, pytest.raises(FeedError, match="no complete release"):
        tick(release_sensor(feeds.feed()), instance, platform, "2025-01-16")


def test_packages_that_add_up_start_at_the_newest_and_come_in_pages(feeds, platform):
    sensor = release_sensor(feeds.feed(every=True))
    feeds.answer = listing(["2026-01-01", "2026-01-02"])
    with dg.instance_for_test() as instance:
        first = tick(sensor, instance, platform, None)
        assert (list(first.run_requests), first.cursor) == ([], "2026-01-02")
        feeds.answer = listing([f"2026-02-{day:02d}" for day in range(1, 8)])
        second = tick(sensor, instance, platform, first.cursor)
        third = tick(sensor, instance, platform, second.cursor)
    assert [len(second.run_requests), len(third.run_requests)] == [PER_TICK, 2]
    assert third.cursor == "2026-02-07"
