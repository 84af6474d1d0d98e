"""The profile's section on literature: what the shipped ones declare, and what is refused."""

import pytest
from pydantic import ValidationError

from genoplatform.settings.literature import LiteratureSettings
from genoplatform.settings.profiles import load_profiles

GOOD = {
    "identified_by": ["pmc"],
    "only_relevant": True,
    "retractions": "all_packages",
    "window_tokens": 512,
    "overlap_tokens": 50,
    "shard_rows": 10,
}


def test_the_workstation_profile_declares_the_papers_corpus():
    """rare_disease.md sections 1.2, 1.3, 2.1 and 2.3."""
    declared = load_profiles()["workstation"].literature
    assert declared.identified_by == ["pmc"]
    assert declared.only_relevant
    assert (declared.window_tokens, declared.overlap_tokens, declared.shard_rows) == (512, 50, 200_000)


def test_the_embedded_profile_falls_back_to_dois_and_keeps_everything():
    declared = load_profiles()["embedded"].literature
    assert declared.identified_by == ["pmc", "pmcid", "doi"]
    assert not declared.only_relevant
    assert (declared.window_tokens, declared.overlap_tokens) == (512, 50)
    assert load_profiles()["released"].literature is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"identified_by": []}, "identified_by"),
        ({"identified_by": ["isbn"]}, "identified_by"),
        ({"overlap_tokens": 512}, "overlap_tokens must be less"),
        ({"window_tokens": 0}, "window_tokens"),
        ({"retractions": "never"}, "retractions"),
        ({"shards": 1}, "shards"),
    ],
)
def test_what_is_refused(change, fault):
    LiteratureSettings(**GOOD)
    with pytest.raises(ValidationError, match=fault):
        LiteratureSettings(**GOOD | change)
