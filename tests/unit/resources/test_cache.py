"""The content-addressed cache: only pinned bytes go in, only pinned bytes come out."""

import hashlib

import pytest

from genoplatform.resources.sources.cache import ContentCache, PinnedFile
from genoplatform.resources.sources.errors import CorruptCacheError, HashMismatchError

CONTENT = b"format-version: 1.2\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def cache(tmp_path):
    return ContentCache(tmp_path / "home")


@pytest.fixture
def source(pin):
    return pin(CONTENT, name="hp.obo")


@pytest.fixture
def published(cache, source):
    candidate = cache.directory("tmp") / "candidate"
    candidate.write_bytes(CONTENT)
    cache.publish(candidate, source, "test")
    return PinnedFile(source, cache)


def overwrite(path, content):
    path.chmod(0o644)
    path.write_bytes(content)


def test_published_bytes_lie_under_their_hash(published, cache, source, tmp_path):
    assert published.path == tmp_path / "home" / "cache" / "sha256" / SHA256[:2] / SHA256 / "hp.obo"
    assert published.path.read_bytes() == CONTENT
    assert cache.holds(source)
    assert list(cache.directory("tmp").iterdir()) == []


def test_published_file_is_read_only(published):
    assert published.path.stat().st_mode & 0o777 == 0o444


def test_other_bytes_are_never_published(cache, source):
    candidate = cache.directory("tmp") / "candidate"
    candidate.write_bytes(b"other")
    with pytest.raises(HashMismatchError, match=r"data@1 from pypi somewhere: sha256 expected") as caught:
        cache.publish(candidate, source, "pypi somewhere")
    assert caught.value.expected == SHA256
    assert caught.value.actual == hashlib.sha256(b"other").hexdigest()
    assert not candidate.exists()
    assert not cache.location(source).exists()


def test_changed_bytes_are_not_handed_out(published, cache, source):
    location = cache.location(source)
    overwrite(location, CONTENT.replace(b"1.2", b"1.3"))
    assert cache.holds(source), "the size alone does not tell"
    with pytest.raises(CorruptCacheError, match=r"data@1 from the cache.*moved aside to .*corrupt"):
        published.path  # noqa: B018
    assert not location.exists()
    assert [p.read_bytes() for p in (cache.root / "corrupt").iterdir()] == [b"format-version: 1.3\n"]


def test_open_verified_reads_the_hashed_bytes_from_the_start(published):
    with published.open_verified() as handle:
        assert handle.read() == CONTENT


def test_open_verified_refuses_changed_bytes(published, cache, source):
    overwrite(cache.location(source), b"changed")
    with pytest.raises(CorruptCacheError), published.open_verified():
        pass


def test_a_vanished_entry_is_named(published, cache, source):
    cache.location(source).unlink()
    with pytest.raises(CorruptCacheError, match="is gone"):
        published.path  # noqa: B018
    with pytest.raises(CorruptCacheError, match="is gone"), published.open_verified():
        pass


def test_prune_frees_leftovers_and_keeps_verified_files(published, cache):
    (cache.directory("wheels") / "p-1").mkdir()
    (cache.root / "wheels" / "p-1" / "p.whl").write_bytes(b"12345")
    (cache.directory("partial") / "x.partial").write_bytes(b"123")
    assert cache.prune() == 8
    assert published.path.read_bytes() == CONTENT
    assert cache.prune() == 0
