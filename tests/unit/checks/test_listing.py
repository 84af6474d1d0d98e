"""What `checks list` shows: every declared check with its last outcome on the bytes that lie there."""

import pandas as pd
import pytest

from genoplatform.dbt_like_checks.declared import declared_tables
from genoplatform.dbt_like_checks.listing import failing_rows, find_checks, list_checks
from genoplatform.dbt_like_checks.results import check_results
from genoplatform.errors import SettingsError
from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.formats import FORMATS
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import Envelope, write_with_provenance

ASSET = "core/ontology/disease_mondo"


@pytest.fixture
def platform(tmp_path):
    return PlatformResource(home=str(tmp_path / "home"), profile="embedded", offline=True)


def put(platform, frame):
    path = platform.artefact(ASSET, None, "parquet")
    write_with_provenance(path, FORMATS["parquet"], ASSET, None, Envelope(frame, content_sha256(frame), "1"))


def states(platform):
    return {check.name.rsplit("_", 1)[0]: check.state for check in list_checks(platform, [ASSET])}


def test_states_follow_the_store(platform):
    assert set(states(platform).values()) == {"not made"}
    put(platform, pd.DataFrame({"disease_id": ["OMIM:1", "OMIM:1"], "mondo_id": ["MONDO:1", "MONDO:1"]}))
    assert set(states(platform).values()) == {"not run"}
    tests = [test for test in declared_tables()[ASSET].declared_tests() if test.test != "relationships"]
    list(check_results(platform, declared_tables()[ASSET], tests))
    found = states(platform)
    assert found["unique_combination"] == found["row_count"] == "failed"
    assert found["not_null_disease_id"] == "passed"
    assert found["relationships_mondo_id"] == "not run"
    put(platform, pd.DataFrame({"disease_id": ["OMIM:1"], "mondo_id": ["MONDO:1"]}))
    assert set(states(platform).values()) == {"not run"}, "outcomes of other bytes say nothing"


def test_a_failed_check_has_its_rows_file_and_keys(platform):
    put(platform, pd.DataFrame({"disease_id": ["OMIM:1", "OMIM:1", "OMIM:2"], "mondo_id": ["M", "M", "M"]}))
    tests = [test for test in declared_tables()[ASSET].declared_tests() if test.test == "unique_combination"]
    list(check_results(platform, declared_tables()[ASSET], tests))
    (check,) = find_checks(list_checks(platform, [ASSET]), "unique_comb")
    assert (check.state, check.failing_rows) == ("failed", 2)
    ((path, keys),) = failing_rows(platform, check, 1)
    assert keys == [{"artefact": "disease_mondo", "disease_id": "OMIM:1", "mondo_id": "M"}]
    assert path.is_file()
    assert path.is_relative_to(platform.home_path / "failures")


def test_checks_are_found_by_name_by_asset_and_name_or_by_a_start(platform):
    checks = list_checks(platform)
    one = checks[0]
    assert find_checks(checks, f"{one.asset} {one.name}") == [one]
    assert one in find_checks(checks, one.name)
    claims = find_checks(checks, "claims")
    assert len(claims) == len({check.asset for check in claims}) > 3
    assert find_checks(checks, "eval/inference/evaluation claims") == [
        c for c in claims if c.asset.endswith("evaluation")
    ]
    with pytest.raises(SettingsError, match="checks list"):
        find_checks(checks, "no_such_check")
    with pytest.raises(SettingsError, match="no checks"):
        list_checks(platform, ["core/nothing/here"])


def test_only_drift_can_be_accepted_and_only_by_name(platform, monkeypatch):
    """A release that legitimately halves: every other blocking check passes, a person accepts, the guard is content."""
    from genoplatform.errors import BadInputError
    from genoplatform.runner.recheck import accept_drift

    mondo = pd.DataFrame({"id": [f"MONDO:{n:07d}" for n in range(12_000)]})
    other = platform.artefact("core/ontology/mondo_terms", None, "parquet")
    mondo_envelope = Envelope(mondo, content_sha256(mondo), "1")
    write_with_provenance(other, FORMATS["parquet"], "core/ontology/mondo_terms", None, mondo_envelope)
    whole = pd.DataFrame({"disease_id": [f"OMIM:{n}" for n in range(12_000)], "mondo_id": mondo["id"]})
    table = declared_tables()[ASSET]
    put(platform, whole)
    assert all(result.passed for result in check_results(platform, table, table.declared_tests()))
    put(platform, whole.iloc[:6_000])
    failed = [
        result.check_name for result in check_results(platform, table, table.declared_tests()) if not result.passed
    ]
    assert [name.split("_")[0] for name in failed] == ["drift"]
    assert accept_drift(platform, ASSET) == [ASSET]
    assert set(states(platform).values()) == {"passed"}
    put(platform, whole.iloc[:100])
    list(check_results(platform, table, table.declared_tests()))
    with pytest.raises(BadInputError, match=r"row_count_.* has not passed"):
        accept_drift(platform, ASSET)
    with pytest.raises(BadInputError, match="no drift test"):
        accept_drift(platform, "eval/prioritisation/ranks")
    with pytest.raises(BadInputError, match="not in the store"):
        accept_drift(platform, "core/ontology/genes")
