"""GEO series by accession, and gene names from MyGene.info: what is asked, kept and refused. Nothing is contacted."""

import io
import json
from contextlib import closing
from urllib.error import HTTPError, URLError

import pytest

from genoplatform.errors import EmptyResultError
from genoplatform.resources.gene_names import GeneNamesResource
from genoplatform.resources.geo import GeoError, GeoResource, series_address
from genoplatform.resources.sources.retry import RetryPlan

BASE = "https://ftp.ncbi.nlm.nih.gov/geo/series"
LISTING = (
    '<a href="GSE781-GPL96_series_matrix.txt.gz">x</a> <a href="GSE781-GPL97_series_matrix.txt.gz">x</a> <a href="../">'
)
SERIES = {
    f"{BASE}/GSEnnn/GSE781/matrix/": LISTING,
    f"{BASE}/GSEnnn/GSE781/matrix/GSE781-GPL96_series_matrix.txt.gz": "a",
    f"{BASE}/GSEnnn/GSE781/matrix/GSE781-GPL97_series_matrix.txt.gz": "b",
    f"{BASE}/GSEnnn/GSE781/soft/GSE781_family.soft.gz": "c",
}


class Server:
    """Answers from a dictionary; `faults` are raised first, one a call."""

    def __init__(self, content, faults=()):
        self.content, self.faults, self.asked = content, list(faults), []

    def __call__(self, url, timeout):
        self.asked.append(url)
        if self.faults:
            raise self.faults.pop(0)
        if url not in self.content:
            raise HTTPError(url, 404, "Not Found", {}, None)
        return closing(io.BytesIO(self.content[url].encode()))


def obtain(server, folder, accession="GSE781"):
    waits = []
    plan = RetryPlan(attempts=3, sleep=waits.append)
    return GeoResource().obtain(accession, folder, opener=server, plan=plan), waits


def test_addresses():
    assert series_address(BASE, "GSE781") == f"{BASE}/GSEnnn/GSE781"
    assert series_address(BASE, "GSE30550") == f"{BASE}/GSE30nnn/GSE30550"


def test_all_files_of_a_series(tmp_path):
    folder, waits = obtain(Server(SERIES), tmp_path / "GSE781")
    found = {path.name: path.read_text() for path in folder.iterdir()}
    assert found == {
        "GSE781-GPL96_series_matrix.txt.gz": "a",
        "GSE781-GPL97_series_matrix.txt.gz": "b",
        "GSE781_family.soft.gz": "c",
    }
    assert waits == []


def test_what_is_there_is_not_asked_for_again(tmp_path):
    (tmp_path / "GSE781_family.soft.gz").write_text("mine")
    server = Server(SERIES)
    obtain(server, tmp_path)
    assert (tmp_path / "GSE781_family.soft.gz").read_text() == "mine"
    assert [url.rpartition("/")[2] for url in server.asked][1:] == [
        "GSE781-GPL96_series_matrix.txt.gz",
        "GSE781-GPL97_series_matrix.txt.gz",
    ]


def test_transient_faults_are_tried_again_and_permanent_ones_not(tmp_path):
    busy = HTTPError(BASE, 503, "busy", {}, None)
    _, waits = obtain(Server(SERIES, [busy, URLError("reset")]), tmp_path / "a")
    assert len(waits) == 2
    for server in (Server(SERIES, [URLError("down")] * 3), Server({})):
        with pytest.raises(GeoError):
            obtain(server, tmp_path / "b")
    assert not (tmp_path / "b").exists()
    with pytest.raises(GeoError, match="not a GSE"):
        obtain(Server(SERIES), tmp_path / "c", "GDS507")


def test_a_truncated_file_is_not_kept(tmp_path):
    class Short:
        def __init__(self, content):
            self.headers = {"Content-Length": "9"}
            self.stream = io.BytesIO(content.encode())

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def read(self, size=-1):
            return self.stream.read(size)

    def opener(url, timeout):
        return Short(SERIES[url])

    with pytest.raises(GeoError, match=r"1 of 9 bytes"):
        obtain(opener, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == []


class MyGene:
    """Knows one name; answers as the service does, a name it does not know with `notfound`."""

    def __init__(self):
        self.asked = []

    def querymany(self, names, **options):
        self.asked.append((list(names), options))
        return [{"query": n, "symbol": "TP53"} if n == "p53" else {"query": n, "notfound": True} for n in names]


def test_gene_names_are_asked_for_in_batches_and_kept(tmp_path):
    client = MyGene()
    found = GeneNamesResource(batch=2).write_synonyms(["p53", "b", "a", "p53"], tmp_path / "names.json", client=client)
    assert found == 1
    assert [names for names, _ in client.asked] == [["a", "b"], ["p53"]]
    assert client.asked[0][1]["scopes"] == "symbol"
    assert client.asked[0][1]["species"] == "human"
    assert json.loads((tmp_path / "names.json").read_text()) == {"P53": "TP53"}
    with pytest.raises(EmptyResultError):
        GeneNamesResource().write_synonyms(["x"], tmp_path / "none.json", client=client)
    assert not (tmp_path / "none.json").exists()
