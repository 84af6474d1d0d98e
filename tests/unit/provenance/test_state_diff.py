"""`audit diff` and `audit lineage`: causes are told from what only follows, and the tree shows versions and pins."""

import pandas as pd
import pytest
from small_store import CODE, CORE, HARD, RAW, REPORT, STANDARD, SmallStore

from genoplatform.errors import BadInputError
from genoplatform.provenance import PinRef
from genoplatform.provenance.crate import CrateFacts, export_crate
from genoplatform.provenance.diff import diff_graphs
from genoplatform.provenance.graph import read_graph, upstream
from genoplatform.provenance.lineage import lineage_rows, lineage_text
from genoplatform.provenance.sidecar import sidecar_path


@pytest.fixture
def stores(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    return SmallStore(tmp_path / "a"), SmallStore(tmp_path / "b")


def changes(stores, **arguments):
    a, b = (read_graph(store.root) for store in stores)
    return {item.artefact: item for item in diff_graphs(a, b, **arguments)}


def test_two_equal_states_have_no_difference(stores):
    assert changes(stores) == {}


def test_a_new_pin_is_the_cause_and_the_rest_follows(stores):
    _, b = stores
    newer = PinRef(source_id="terms@2", file_name="terms.obo", sha256="2" * 64, bytes=3)
    b.put(RAW, newer.model_dump(mode="json"), pin=newer)
    b.put(CORE, pd.DataFrame({"id": ["a", "b", "c"], "n": [1, 2, 3]}))
    b.put(STANDARD, pd.DataFrame({"score": [0.75, None]}))
    b.put(HARD, pd.DataFrame({"score": [0.25, None]}))
    found = changes(stores, row_difference=lambda old, new: (1, 2))
    assert list(found) == ["raw/ontology/terms", "core/ontology/terms", "eval/ranks/scores[standard]"]
    assert found["raw/ontology/terms"].status == "changed"
    assert found["raw/ontology/terms"].words.startswith("pin: terms@1 (")
    assert "-> terms@2 (222222222222)" in found["raw/ontology/terms"].words
    core = found["core/ontology/terms"]
    assert (core.status, core.inputs, core.rows) == ("follows", ["raw/ontology/terms"], (2, 3))
    assert core.words == "from raw/ontology/terms; rows 2 -> 3; 1 rows gone, 2 new"


def test_code_and_parameters_are_named_with_both_values(stores):
    a, b = stores
    a.put(HARD, pd.DataFrame({"score": [0.25, None]}), parameters={"draw": {"seed": 1, "n": 5}})
    b.put(HARD, pd.DataFrame({"score": [0.5, None]}), parameters={"draw": {"seed": 2}}, code_version="2")
    change = changes(stores)["eval/ranks/scores[hard]"]
    assert change.status == "changed"
    assert change.causes == [
        ("code", "version 1 -> 2"),
        ("parameter", "draw.n 5 -> unset"),
        ("parameter", "draw.seed 1 -> 2"),
    ]


def test_a_change_of_code_without_a_version_is_said_and_one_of_nothing_is_unexplained(stores):
    _, b = stores
    b.put(
        HARD,
        pd.DataFrame({"score": [0.5]}),
        code=CODE.model_copy(update={"source_sha256": "1" * 64, "commit": "c" * 40}),
    )
    b.put(STANDARD, pd.DataFrame({"score": [1.5]}))
    found = changes(stores)
    assert found["eval/ranks/scores[hard]"].causes == [
        ("source code", "no commit -> cccccccccccc, without a new code version")
    ]
    assert found["eval/ranks/scores[standard]"].status == "unexplained"


def test_the_same_content_by_other_code_is_told_apart(stores):
    stores[1].put(CORE, pd.DataFrame({"id": ["a", "b"], "n": [1, 2]}), code_version="2")
    assert {name: item.status for name, item in changes(stores).items()} == {"core/ontology/terms": "same content"}


def test_artefacts_of_one_state_only(stores):
    a, b = stores
    for store, node in ((a, HARD), (b, STANDARD)):
        sidecar_path(store.path(node)).unlink()
    found = {name: item.status for name, item in changes(stores).items()}
    assert found == {"eval/ranks/scores[standard]": "only in A", "eval/ranks/scores[hard]": "only in B"}


def test_a_crate_is_a_state_too(stores, tmp_path):
    a, b = stores
    export_crate(a.root, REPORT[0], tmp_path / "crate", CrateFacts("small", "2026-01-02", {}))
    assert diff_graphs(read_graph(tmp_path / "crate"), read_graph(b.root)) == []


def test_nothing_to_read_is_said(tmp_path):
    with pytest.raises(BadInputError, match="no provenance records"):
        read_graph(tmp_path / "nowhere")


def test_upstream_puts_inputs_first(stores):
    graph = read_graph(stores[0].root)
    assert upstream(graph, [REPORT]) == [RAW, CORE, HARD, STANDARD, REPORT]
    assert upstream(graph, [HARD]) == [RAW, CORE, HARD]


def test_lineage_shows_versions_rows_checks_and_pins(stores):
    store = stores[0]
    store.check(CORE, ("unique", "error", True), ("row_count", "error", False))
    graph = read_graph(store.root)
    core = store.sidecar(CORE).data_version[:12]
    raw = store.sidecar(RAW).data_version[:12]
    lines = list(lineage_text(graph, HARD[0]))
    assert lines[1:] == [
        f"└─ core/ontology/terms  code 1  data {core}  2 rows  2 checks, 1 FAILED",
        f"   └─ raw/ontology/terms  code 1  data {raw}  pin terms@1",
        *lines[3:],
    ]
    assert lines[3].startswith("eval/ranks/scores[standard]  code 1")
    assert lines[4].endswith("(above)")
    rows = {row["artefact"]: row for row in lineage_rows(graph, "eval/ranks/scores[hard]")}
    assert list(rows) == ["raw/ontology/terms", "core/ontology/terms", "eval/ranks/scores[hard]"]
    assert rows["core/ontology/terms"]["checks"] == {"passed": 1, "failed": ["row_count"]}
    assert rows["raw/ontology/terms"]["pin"]["source_id"] == "terms@1"
    assert rows["core/ontology/terms"]["rows"] == 2
    with pytest.raises(BadInputError, match="not there"):
        lineage_rows(graph, "core/ontology/none")
