"""Downloads that break off, change, lie about their size or are killed: the bytes are equal, or the error is clear."""

import signal
import subprocess
import sys
import threading
import time

import pytest

from genoplatform.resources.sources.download import download
from genoplatform.resources.sources.errors import MirrorError, SizeMismatchError, TruncatedDownloadError
from genoplatform.resources.sources.partial import PartialFile
from genoplatform.resources.sources.progress import Silent
from genoplatform.resources.sources.retry import RetryPlan

MILLION = 1_000_000


@pytest.fixture
def get(web, pin, tmp_path, retry, progress):
    def call(**pin_options):
        return download(web.url, pin(web.content, **pin_options), tmp_path, progress, retry)

    return call


@pytest.fixture
def interrupted(web, pin, tmp_path):
    """An earlier call left the first million bytes behind and gave up."""
    web.cuts = [MILLION]
    with pytest.raises(TruncatedDownloadError, match="it continues where this one stopped"):
        download(web.url, pin(web.content), tmp_path, Silent(), RetryPlan(attempts=1))
    web.ranges.clear()


def test_whole_file(web, get, delays):
    got = get()
    assert got.partial.data.read_bytes() == web.content
    assert not got.resumed
    assert (web.ranges, delays) == ([None], [])


def test_truncated_transfer_is_continued_with_a_range(web, get, progress, delays):
    web.cuts = [MILLION, 500_000]
    got = get()
    assert got.partial.data.read_bytes() == web.content
    assert got.resumed
    assert web.ranges == [None, "bytes=1000000-", "bytes=1500000-"]
    assert delays == [0.5, 0.5], "a try that brought bytes starts the back-off again"
    assert progress.notes[0] == "data@1: truncated after 1,000,000 of 3,000,000 bytes; trying again"
    assert progress.done == sorted(progress.done)


def test_endless_truncation_gives_up(web, get, delays):
    web.cuts = [0] * 9
    with pytest.raises(TruncatedDownloadError, match="truncated after 0 of 3,000,000 bytes") as caught:
        get()
    assert caught.value.transient
    assert delays == [0.5, 1.0, 1.5]


def test_truncation_without_announced_length_is_seen_by_the_pins_size(web, get):
    web.announces_length = False
    web.cuts = [MILLION]
    assert get().partial.data.read_bytes() == web.content
    assert web.ranges == [None, "bytes=1000000-"]


def test_a_later_call_continues(web, get, interrupted):
    got = get()
    assert got.partial.data.read_bytes() == web.content
    assert web.ranges == ["bytes=1000000-"]


def test_server_that_ignores_ranges_starts_cleanly(web, get, interrupted):
    web.honours_ranges = False
    got = get()
    assert got.partial.data.read_bytes() == web.content
    assert not got.resumed


def test_file_that_changed_on_the_server_starts_cleanly(web, pin, tmp_path, progress, retry, interrupted):
    source = pin(web.content)
    web.headers, web.content = {"ETag": '"v2"'}, web.content[::-1]
    got = download(web.url, source, tmp_path, progress, retry)
    assert web.ranges == ["bytes=1000000-"]
    assert got.partial.data.read_bytes() == web.content, "no byte of the first version is among them"
    assert not got.resumed


@pytest.mark.parametrize(
    ("headers", "second"),
    [
        ({"ETag": 'W/"v1"', "Last-Modified": "Mon, 05 Jan 2026 10:00:00 GMT"}, "bytes=1000000-"),
        ({"ETag": 'W/"v1"'}, None),
        ({}, None),
    ],
    ids=["weak etag, date", "weak etag", "no validator"],
)
def test_only_a_strong_validator_allows_continuing(web, get, headers, second):
    web.headers, web.cuts = headers, [MILLION]
    assert get().partial.data.read_bytes() == web.content
    assert web.ranges == [None, second]


def test_partial_longer_than_the_file_is_dropped(web, get, pin, tmp_path, interrupted):
    partial = PartialFile.of(tmp_path, pin(web.content), web.url)
    partial.data.write_bytes(b"x" * (len(web.content) + 1))
    assert get().partial.data.read_bytes() == web.content
    assert web.ranges == ["bytes=3000001-", None]


def test_complete_partial_needs_no_request(web, get):
    get()
    web.ranges.clear()
    assert get().partial.data.read_bytes() == web.content
    assert web.ranges == []


def test_missing_file_is_permanent(web, get, delays):
    web.statuses = [404]
    with pytest.raises(MirrorError, match="HTTP 404") as caught:
        get()
    assert not caught.value.transient
    assert delays == []


def test_busy_server_is_asked_again_with_growing_waits(web, get, delays):
    web.statuses = [503, 429, 500]
    assert get().partial.data.read_bytes() == web.content
    assert delays == [0.5, 1.0, 1.5]


def test_server_that_stays_busy(web, get):
    web.statuses = [503] * 4
    with pytest.raises(MirrorError, match="HTTP 503") as caught:
        get()
    assert caught.value.transient
    assert len(web.ranges) == 4


def test_nobody_listens(web, pin, tmp_path, progress, retry, delays):
    url = "http://127.0.0.1:9/data.bin"
    with pytest.raises(MirrorError, match="cannot be reached") as caught:
        download(url, pin(), tmp_path, progress, retry)
    assert caught.value.transient
    assert len(delays) == 3


def test_other_announced_size_is_refused_unread(web, get, pin, tmp_path, progress, retry):
    wanted = pin(web.content[:-1])
    with pytest.raises(SizeMismatchError, match="expected 2,999,999 bytes, found 3,000,000 bytes"):
        download(web.url, wanted, tmp_path, progress, retry)
    assert list(tmp_path.iterdir()) == []


def test_unannounced_excess_is_cut_off_and_nothing_kept(web, pin, tmp_path, progress, retry):
    web.announces_length = False
    with pytest.raises(SizeMismatchError, match="more than 2,999,999 bytes"):
        download(web.url, pin(web.content[:-1]), tmp_path, progress, retry)
    assert list(tmp_path.iterdir()) == []


def test_undeclared_size_is_taken_as_it_comes(web, get):
    assert get(size=None).partial.data.read_bytes() == web.content


CHILD = """
import sys
from pathlib import Path
from genoplatform.resources.sources.download import download
from genoplatform.resources.sources.progress import Silent
from genoplatform.resources.sources.retry import RetryPlan
from genoplatform.resources.sources.retry import RetryPlan
from genoplatform.settings.sources import Source
download(sys.argv[1], Source.model_validate_json(sys.argv[2]), Path(sys.argv[3]), Silent(), RetryPlan())
"""


def test_killed_download_continues_to_equal_bytes(web, pin, tmp_path, retry):
    source = pin(web.content)
    partial = PartialFile.of(tmp_path, source, web.url)
    web.cuts, web.stall = [1_500_000], threading.Event()
    child = subprocess.Popen([sys.executable, "-c", CHILD, web.url, source.model_dump_json(), str(tmp_path)])
    deadline = time.monotonic() + 30
    while partial.size < MILLION and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    left = partial.size
    assert MILLION <= left <= 1_500_000
    got = download(web.url, source, tmp_path, Silent(), retry)
    assert web.ranges == [None, f"bytes={left}-"]
    assert got.partial.data.read_bytes() == web.content
