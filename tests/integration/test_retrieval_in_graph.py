"""Retrieval in the tiny world: thirty articles to an index that is checked, searched, lost and built again."""

import functools
import json

import pandas as pd
import pyarrow.parquet as pq
import pytest
import qdrant_edge
import yaml
from homes import in_home, open_home
from tiny import write_world
from typer.testing import CliRunner

from genoplatform.assets.index_check import POINTS_CHECK, index_checks
from genoplatform.cli import app
from genoplatform.errors import BadInputError
from genoplatform.literature.fingerprint import read_fingerprint
from genoplatform.provenance import atomic
from genoplatform.provenance.sidecar import read_checks
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.vector_index import VectorIndexResource
from genoplatform.resources.vector_index.building import live_faults
from genoplatform.resources.vector_index.one_opener import IndexInUseError
from genoplatform.resources.vector_index.opening import open_searcher
from genoplatform.retrieval.known_item import known_items
from genoplatform.runner.failure import RunFailedError

COLLECTION = "core/retrieval/collection"
RETRIEVAL = '+group:"eval_retrieval"'


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("retrieval")
    opened = open_home(folder / "home", write_world(folder / "world"), checks=index_checks)
    opened.run(RETRIEVAL)
    return opened


def record(home):
    return json.loads(home.path(COLLECTION, kind="json").read_bytes())


def index_of(home):
    return home.platform.home_path / "index" / record(home)["collection"]


def ids(home, query="finding", **options):
    with in_home(home), open_searcher(home.platform) as searcher:
        return [hit.chunk_id for hit in searcher.search([query], **options)[0]]


def test_the_collection_holds_what_its_fingerprint_says(home):
    corpus = read_fingerprint(home.path("core/literature/fingerprint", kind="directory"))
    found = record(home)
    assert found["corpus"]["chunk_ids_sha256"] == corpus.chunk_ids_sha256
    assert found["points"] == found["fingerprint"]["distinct"] <= corpus.distinct
    assert found["fingerprint"]["articles"] == 30
    checks = read_checks(home.path(COLLECTION, kind="json")).checks
    assert [(check.name, check.passed, check.severity) for check in checks] == [(POINTS_CHECK, True, "error")]


def test_known_items_are_found(home):
    table = pd.read_parquet(home.path("eval/retrieval/known_item")).set_index(["mode", "kind"])
    assert table.loc[("sparse", "all"), "queries"] == 60
    assert table.loc[("dense", "all"), "exact_overlap"] == 1.0, "so few are compared one by one"
    assert table.loc[("hybrid", "all"), "recall_at_10"] >= 0.5


def test_validation_covers_every_causal_gene(home):
    cases = pd.read_parquet(home.path("core/cohort/cases"))
    coverage = pd.read_parquet(home.path("eval/retrieval/pmc_coverage"))
    assert list(coverage["gene"]) == sorted(set(cases["causal_gene"]))
    grounding = pd.read_parquet(home.path("eval/retrieval/symbol_grounding"))
    assert set(grounding["gene"]) == set(coverage["gene"]), "fewer than a hundred genes: all are sampled"
    recall = pd.read_parquet(home.path("eval/retrieval/source_recall"))
    assert list(recall["depth"]) == [10, 50, 100] * 2


def test_a_second_run_makes_nothing(home):
    assert home.stale(RETRIEVAL) == {}


def test_forcing_it_gives_the_same_bytes_and_points(home):
    before = home.path(COLLECTION, kind="json").read_bytes()
    home.run('key:"core/retrieval/embeddings" or key:"core/retrieval/collection"', force=True)
    assert home.path(COLLECTION, kind="json").read_bytes() == before
    assert [path.name for path in index_of(home).parent.glob("genoplatform_embedded_*") if path.is_dir()] == [
        record(home)["collection"]
    ]


def test_a_lost_index_is_built_again_when_it_is_searched(home):
    before = ids(home)
    assert before
    atomic.remove(index_of(home))
    assert ids(home) == before


def test_an_index_that_lost_a_point_is_faulty(home):
    found = record(home)
    index = VectorIndexResource().open(home.platform.settings().index, home.platform.home_path, found["collection"], 8)
    index._shard.update(qdrant_edge.UpdateOperation.delete_points([ids_of(home)[0]]))
    index.finish()
    index.close()
    (fault,) = live_faults(home.platform, found, VectorIndexResource())
    assert fault == f"now: {found['points'] - 1} points, the fingerprint has {found['points']} distinct chunks"
    assert len(ids(home)) == 10, "searching fills it again"
    assert live_faults(home.platform, found, VectorIndexResource()) == []


def test_a_fault_stops_what_follows(home, monkeypatch):
    monkeypatch.setattr("genoplatform.resources.vector_index.building.point_faults", lambda *_, **__: ["one too many"])
    before = home.path("eval/retrieval/known_item").stat().st_mtime_ns
    with pytest.raises(RunFailedError, match=POINTS_CHECK):
        home.run(f'key:"{COLLECTION}" or key:"eval/retrieval/known_item"', force=True)
    (check,) = read_checks(home.path(COLLECTION, kind="json")).checks
    assert (check.passed, check.detail) == (False, "one too many")
    assert home.path("eval/retrieval/known_item").stat().st_mtime_ns == before
    monkeypatch.undo()
    home.run(f'key:"{COLLECTION}"', force=True)
    assert read_checks(home.path(COLLECTION, kind="json")).checks[0].passed


def ids_of(home):
    folder = home.path("core/retrieval/embeddings", "articles@tiny", "directory")
    return pq.read_table(min(folder.glob("shard_*")), columns=["chunk_id"])["chunk_id"].to_pylist()


def test_the_command_line_searches(home, monkeypatch):
    resource = functools.partial(
        PlatformResource, profiles_file=str(home.world.profiles), catalogue=str(home.world.catalogue)
    )
    monkeypatch.setattr("genoplatform.resources.platform.PlatformResource", resource)
    monkeypatch.setenv("GENOPLATFORM_MIRROR", str(home.world.mirror))
    title = known_items(sorted(home.path("core/retrieval/embeddings", "articles@tiny", "directory").glob("s*")), 1, 1)[
        0
    ]

    def run(*arguments):
        command = ["search", *arguments, "--home", str(home.platform.home_path)]
        return CliRunner().invoke(app, command, catch_exceptions=False)

    shown = json.loads(run(title.query, "--limit", "2", "--json").stdout)
    assert len(shown["hits"]) == 2
    best = shown["hits"][0]
    assert best["link"].startswith("https://")
    assert best["score"] == best["score_rrf"] >= 1 / 2
    for hit in shown["hits"]:
        assert all(0 <= start < end <= len(hit["passage"]) for start, end in hit["highlights"])
    people = run(title.query, "--limit", "1").stdout
    assert best["title"] in people
    assert best["link"] in people
    assert run(title.query, "--gene", "NOSUCHGENE1").stdout == ""
    assert run("x", "--mode", "odd").exit_code == 2
    assert run("x", "--years", "2015-2010").exit_code == 2


def test_one_opener(home):
    with in_home(home), open_searcher(home.platform), pytest.raises(IndexInUseError, match="has it open"):
        ids(home)


def test_a_store_without_a_collection_says_what_to_do(tmp_path):
    empty = open_home(tmp_path / "home", write_world(tmp_path / "world"))
    with pytest.raises(BadInputError, match="core/retrieval/collection"), open_searcher(empty.platform):
        pass


def test_a_profile_without_retrieval_has_empty_tables(tmp_path):
    world = write_world(tmp_path / "world")
    profiles = yaml.safe_load(world.profiles.read_text())
    for name in ("literature", "embedding", "index", "retrieval", "agents"):
        profiles["embedded"][name] = None
    world.profiles.write_text(yaml.safe_dump(profiles))
    without = open_home(tmp_path / "home", world)
    without.run(RETRIEVAL)
    assert record(without) == {}
    for name in ("known_item", "source_recall", "symbol_grounding", "pmc_coverage"):
        table = pd.read_parquet(without.path(f"eval/retrieval/{name}"))
        assert table.empty or not table["cases"].any()
