"""The Dagster face of the pinned sources."""

import hashlib

import pytest

from genoplatform.resources.sources.dagster_resource import SourcesResource
from genoplatform.settings.sources import Licence, LocalMirror, Source, SourceCatalogue

CONTENT = b"pinned\n"


@pytest.fixture
def mirror(tmp_path, monkeypatch):
    source = Source(
        id="data@1",
        title="Test data",
        version="1",
        file="data.txt",
        licence=Licence(id="CC0-1.0", url="https://example.org/licence"),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        bytes=len(CONTENT),
        mirrors=(LocalMirror(kind="local", name="data.txt"),),
    )
    monkeypatch.setattr("genoplatform.resources.sources.fetch.load_catalogue", lambda: SourceCatalogue((source,)))
    path = tmp_path / "mirror"
    path.mkdir()
    (path / "data.txt").write_bytes(CONTENT)
    return path


def test_resource_hands_out_the_verified_file(mirror, tmp_path):
    resource = SourcesResource(home=str(tmp_path / "home"), mirror=str(mirror), offline=True)
    with resource.fetch("data@1").open_verified() as handle:
        assert handle.read() == CONTENT


def test_resource_reads_the_mirror_from_the_environment_when_it_fetches(mirror, tmp_path, monkeypatch):
    resource = SourcesResource(home=str(tmp_path / "home"))
    monkeypatch.setenv("GENOPLATFORM_MIRROR", str(mirror))
    assert resource.fetch("data@1").path.read_bytes() == CONTENT
