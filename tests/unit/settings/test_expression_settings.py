"""The declared parameters of expression preprocessing: bounds, rules and patterns are checked when settings load."""

import pytest
from pydantic import ValidationError

from genoplatform.settings.expression import ExpressionSettings


@pytest.mark.parametrize(
    "wrong",
    [
        {"rules": "v3"},
        {"gene_missing": 1.5},
        {"rare_count": -1},
        {"subjects": {"T|GSE1": "("}},
        {"subjects": {"T|GSE1": r"\d+"}},
        {"unknown": 1},
    ],
)
def test_what_is_refused(wrong):
    with pytest.raises(ValidationError):
        ExpressionSettings.model_validate(wrong)


def test_defaults_are_the_specifications():
    """expression.md B.9 and B.10."""
    declared = ExpressionSettings(subjects={"T|GSE1": r"[NC](\d+)"})
    assert (declared.rules, declared.gene_missing, declared.sample_missing) == ("sound", 0.2, 0.05)
    assert (declared.rare_share, declared.rare_count, declared.min_genes) == (0.1, 5, 100)
