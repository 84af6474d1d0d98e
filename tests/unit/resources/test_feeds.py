"""Feeds of the three kinds, in the publishers' documented layouts, and every way in which reading one can fail."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from genoplatform.resources.feeds import FeedError, after, read_feed, release_order
from genoplatform.resources.feeds.parse import parse_feed
from genoplatform.settings.feeds import Feed, FeedFile, load_feeds

HPO = Feed(
    name="hpo",
    title="HPO",
    kind="github_releases",
    url="https://example.org/releases",
    licence="hpo",
    files=[FeedFile(name="hp.obo", source="hp.obo"), FeedFile(name="phenotype.hpoa", source="phenotype.hpoa")],
)


def release(version: str, *names: str, **fields) -> dict:
    assets = [
        {"name": name, "browser_download_url": f"https://example.org/{version}/{name}", "size": 3, "digest": None}
        for name in names
    ]
    return {"tag_name": f"v{version}", "draft": False, "prerelease": False, "assets": assets} | fields


def test_a_release_counts_once_it_holds_every_file():
    listed = [release("2026-02-16", "hp.obo", "phenotype.hpoa", "hp.json"), release("2026-03-01", "hp.obo")]
    assert [entry.version for entry in parse_feed(HPO, json.dumps(listed))] == ["2026-02-16"]


def test_drafts_and_previews_are_no_releases():
    both = ["hp.obo", "phenotype.hpoa"]
    listed = [release("1", *both, draft=True), release("2", *both, prerelease=True), release("3", *both)]
    assert [entry.version for entry in parse_feed(HPO, json.dumps(listed))] == ["3"]


def test_the_announced_hash_is_kept():
    listed = release("1", "hp.obo", "phenotype.hpoa")
    listed["assets"][0]["digest"] = "sha256:" + "ab" * 32
    (entry,) = parse_feed(HPO, json.dumps([listed]))
    assert [file.sha256 for file in entry.files] == ["ab" * 32, None]


def test_a_bucket_listing_names_versions_by_its_files():
    feed = load_feeds()["hgnc"]
    names = ["hgnc_complete_set_2026-01-06.txt", "hgnc_complete_set_2026-04-07.txt", "withdrawn_2026-04-07.txt"]
    items = [{"name": f"hgnc/{name}", "mediaLink": f"https://example.org/o/{name}", "size": "7"} for name in names]
    entries = parse_feed(feed, json.dumps({"items": items}))
    assert [(entry.version, entry.files[0].bytes) for entry in entries] == [("2026-01-06", 7), ("2026-04-07", 7)]


def test_a_page_of_links_needs_both_files_of_a_package():
    feed = load_feeds()["pmc_oa_comm"]
    links = ["oa_comm_xml.incr.2026-05-01.tar.gz", "oa_comm_xml.incr.2026-05-01.filelist.csv"]
    links += ["oa_comm_xml.incr.2026-05-02.tar.gz", "../"]
    page = "".join(f'<a href="{link}">{link}</a>' for link in links)
    (entry,) = parse_feed(feed, page)
    assert entry.id == "pmc_oa_comm@2026-05-01"
    assert entry.files[0].url == feed.url + links[0]


def test_a_page_of_dated_folders_takes_addresses_from_the_settings():
    feed = load_feeds()["go"]
    (entry,) = parse_feed(feed, '<a href="2026-03-25/index.html">2026-03-25</a><a href="/docs">docs</a>')
    assert entry.files[0].url == "https://release.geneontology.org/2026-03-25/ontology/go.obo"


@pytest.mark.parametrize(
    ("older", "newer"), [("0.1.9", "0.1.26"), ("2025-12-30", "2026-01-02"), ("2026-01-02", "2026-01-02-1")]
)
def test_numbers_in_versions_count_as_numbers(older, newer):
    assert release_order(older) < release_order(newer)


def test_of_releases_that_replace_each_other_only_the_newest_is_news():
    entries = parse_feed(HPO, json.dumps([release(str(n), "hp.obo", "phenotype.hpoa") for n in (3, 1, 2)]))
    assert [entry.version for entry in after(entries, "1", HPO, 5)] == ["3"]
    every = HPO.model_copy(update={"every": True})
    assert [entry.version for entry in after(entries, None, every, 2)] == ["1", "2"]
    assert after(entries, "3", HPO, 5) == []


class _Server:
    """Answers every request with one prepared reply."""

    def __init__(self, status: int, body: bytes, drip_s: float = 0.0):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status)
                self.end_headers()
                for start in range(0, len(body), 16) if drip_s else [0]:
                    self.wfile.write(body[start : start + 16] if drip_s else body)
                    self.wfile.flush()
                    time.sleep(drip_s)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (500, b"", "Internal Server Error"),
        (200, b"", "not a github_releases feed"),
        (200, b"[]", "no complete release"),  # an official feed is never empty
        (200, b'{"message": "rate limit exceeded"}', "a list of releases is asked for"),
        (200, b"<html>maintenance</html>", "not a github_releases feed"),
        (200, b'[{"tag_name": "v1"}]', "KeyError"),
    ],
)
def test_a_failed_read_is_an_error_and_never_an_empty_feed(status, body, said):
    with pytest.raises(FeedError, match=said):
        read_feed(HPO.model_copy(update={"url": _Server(status, body).url}))


def test_a_server_that_drips_is_cut_off():
    server = _Server(200, b" " * 4_000, drip_s=0.05)
    with pytest.raises(FeedError, match="not finished within"):
        read_feed(HPO.model_copy(update={"url": server.url}), deadline_s=0.3)


def test_nobody_listening_is_an_error():
    with pytest.raises(FeedError, match="refused"):
        read_feed(HPO.model_copy(update={"url": "http://127.0.0.1:9/"}), deadline_s=2)
