"""Which problems a profile has: the declared ones, else those of its catalogue, else one a trait with a cohort."""

import json

from genoplatform.errors import BadInputError, SettingsError
from genoplatform.expression.layout import split_key
from genoplatform.resources.expression_cohorts import expression_cohort_keys
from genoplatform.resources.platform import PlatformResource

SLOT = "expression_problems"


def expression_problem_keys(platform: PlatformResource) -> list[str]:
    """`Trait|Condition` of every problem of the profile."""
    profile = platform.settings()
    declared = profile.expression_statistics
    if declared is None or profile.slots.expression_cohorts is None:
        return []
    if declared.problems:
        return list(declared.problems)
    traits = sorted({split_key(key)[0] for key in expression_cohort_keys(profile)})
    conditions = _conditions(platform) if traits else {}
    keys = []
    for trait in traits:
        asked = conditions.get(declared.known_traits.get(trait, trait), [])
        keys += [f"{trait}|None", *(f"{trait}|{condition}" for condition in asked if condition != trait)]
    return keys


def _conditions(platform: PlatformResource) -> dict[str, list[str]]:
    """Conditions of each trait of the catalogue; none where the profile has no catalogue, or not here."""
    try:
        pin = platform.pin(SLOT)
    except SettingsError:  # a user's directory that is not named
        return {}
    path = platform.locate(pin) if pin is not None else None
    if path is None:
        return {}
    try:
        content = json.loads(path.read_bytes())
        return {trait: list(entry["conditions"]) for trait, entry in content.items()}
    except (ValueError, AttributeError, TypeError, KeyError) as error:
        raise BadInputError(f"reading the problem catalogue {path.name}", repr(error), "see expression A.2") from error
