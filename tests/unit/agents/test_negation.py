"""What a sentence denies, and how far a cue reaches."""

import pytest

from genoplatform.agents.negation import denied


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no variant in aaa1 was found", True),
        ("we found a variant in aaa1", False),
        ("aaa1 was ruled out by sequencing", True),
        ("aaa1 was not mutated", True),
        ("sequencing excluded aaa1", True),
        ("there was no doubt that aaa1 is causal", False),
        ("not only aaa1 but its partner", False),
        ("the test was negative. aaa1 was mutated", False),  # another sentence
        ("no fever, but a variant in aaa1", False),  # the cue ends at "but"
        ("without other findings; aaa1 was mutated", False),
        ("neither aaa1 nor its partner", True),
        ("aaa1 did not segregate with the disease", True),
        ("aaa1 cannot explain the phenotype", True),
        ("variants in aaa1 are unlikely to explain it", True),
        ("patients lacked aaa1 variants", True),
        ("no " + "very " * 20 + "distant aaa1", False),  # out of reach
    ],
)
def test_denied(text, expected):
    start = text.index("aaa1")
    assert denied(text, start, start + 4) is expected
