"""The publishing guard: what failed, never ran, ran on other bytes or is missing, anywhere upstream, is named."""

import json

import dagster as dg
import pandas as pd
import pytest

from genoplatform.dbt_like_checks.guard import Obstacle, PublishingGuard, UnprovenError
from genoplatform.dbt_like_checks.record import record_checks
from genoplatform.provenance import CheckOutcome, read_sidecar
from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.sidecar import checks_path
from genoplatform.resources.claims import CLAIMS_CHECK, claims_basis
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import Envelope, write_with_provenance

TERMS, CASES, SCORES = "core/test/terms", "core/test/cases", "eval/test/scores"
GUARD = PublishingGuard({TERMS: frozenset({"unique_id"}), SCORES: frozenset({"not_null_x", "claims"})})


@pytest.fixture
def platform(tmp_path):
    return PlatformResource(home=str(tmp_path / "home"), profile="embedded", offline=True)


@pytest.fixture
def paths(platform):
    """terms -> cases -> scores [hard], checked where there is something to check, all passed."""
    found = {}
    for asset, partition, above in ((TERMS, None, []), (CASES, None, [TERMS]), (SCORES, "hard", [CASES])):
        path = platform.artefact(asset, partition, "parquet")
        frame = pd.DataFrame({"x": [asset]})
        envelope = Envelope(
            frame, content_sha256(frame), "1", inputs=[read_sidecar(found[name]).reference() for name in above]
        )
        write_with_provenance(path, FORMATS["parquet"], asset, partition, envelope)
        found[asset] = path
    passed(platform, found[TERMS], "unique_id")
    passed(platform, found[SCORES], "not_null_x", "claims")
    return found


def passed(platform, path, *names, **changes):
    outcome = {"severity": "error", "passed": True, **changes}
    basis = {CLAIMS_CHECK: claims_basis(platform)}
    record_checks(path, [CheckOutcome(name=n, **{"basis": basis.get(n, ""), **outcome}) for n in names], names)


def obstacles(platform):
    return [str(item) for item in GUARD.obstacles(platform, [(SCORES, "hard")])]


def test_a_proven_tree_may_be_published(platform, paths):
    assert obstacles(platform) == []
    GUARD.refuse(platform, "out/test/report", [read_sidecar(paths[SCORES]).reference()])


def test_a_failed_check_two_steps_up_is_named_with_its_asset(platform, paths):
    """The table in between is unchecked and innocent: a guard of direct inputs would publish."""
    passed(platform, paths[TERMS], "unique_id", passed=False, detail="2 of 9 rows fail")
    with pytest.raises(UnprovenError) as caught:
        GUARD.refuse(platform, "out/test/report", [read_sidecar(paths[SCORES]).reference()])
    assert caught.value.found == "core/test/terms unique_id failed: 2 of 9 rows fail"
    assert "out/test/report" in caught.value.tried


def test_a_failed_warning_is_no_obstacle(platform, paths):
    passed(platform, paths[TERMS], "unique_id", passed=False, severity="warn")
    assert obstacles(platform) == []


def test_what_never_ran_has_not_passed(platform, paths):
    checks_path(paths[TERMS]).unlink()
    assert obstacles(platform) == ["core/test/terms unique_id has no result for the present state"]
    passed(platform, paths[SCORES], "claims")
    assert obstacles(platform)[0] == "eval/test/scores[hard] not_null_x has no result for the present state"


def test_what_ran_on_other_bytes_has_not_passed(platform, paths):
    record = json.loads(checks_path(paths[TERMS]).read_bytes())
    checks_path(paths[TERMS]).write_text(json.dumps(record | {"sha256": "0" * 64}))
    assert obstacles(platform) == ["core/test/terms unique_id has no result for the present state"]


def test_an_unreadable_record_and_other_claims_have_not_passed(platform, paths):
    checks_path(paths[TERMS]).write_text("{")
    passed(platform, paths[SCORES], "not_null_x", "claims", basis="other claims")
    first, second = obstacles(platform)
    assert first == "eval/test/scores[hard] claims has no result for the claims in force"
    assert second.startswith("core/test/terms has an unreadable check record")


def test_a_missing_artefact_is_an_obstacle(platform, paths):
    paths[CASES].unlink()
    assert GUARD.obstacles(platform, [(SCORES, "hard")]) == [Obstacle(CASES, "", "is not in the store")]


def test_many_obstacles_are_counted():
    guard = PublishingGuard({})
    lone = PlatformResource(home="/nonexistent", profile="embedded")
    refs = [(f"core/test/t{n}", None) for n in range(7)]
    assert len(guard.obstacles(lone, refs)) == 7


def test_the_guard_knows_the_blocking_checks_of_its_code_location():
    specs = [
        dg.AssetCheckSpec("stops", asset=["core", "test", "terms"], blocking=True),
        dg.AssetCheckSpec("tells", asset=["core", "test", "terms"]),
    ]

    @dg.multi_asset_check(specs=specs)
    def checks():
        yield dg.AssetCheckResult(passed=True, check_name="stops")

    assert PublishingGuard.of([checks]).blocking == {TERMS: frozenset({"stops"})}
