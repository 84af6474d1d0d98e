"""Where the cohorts of a profile lie, and which there are: a directory of the user's, or one pinned file."""

import os
from pathlib import Path

from genoplatform.errors import SettingsError
from genoplatform.expression.layout import cohort_directory, cohort_keys, listed_accessions, split_key
from genoplatform.resources.geo import GeoResource
from genoplatform.settings.profiles import DIRECTORY_PREFIX, Profile


def cohorts_root(settings: Profile) -> Path | None:
    """The user's directory of cohorts; None where the profile pins a file, has none, or the variable is not set.

    Raises:
        SettingsError: the variable names no directory.
    """
    slot = settings.slots.expression_cohorts
    if slot is None or not slot.startswith(DIRECTORY_PREFIX):
        return None
    variable = slot.removeprefix(DIRECTORY_PREFIX).partition("/")[0]
    named = os.environ.get(variable)
    if not named:
        return None
    if not Path(named).is_dir():
        raise SettingsError("looking for expression cohorts", f"{variable}={named!r}", "name an existing directory")
    return Path(named)


def expression_cohort_keys(settings: Profile) -> list[str]:
    """`Trait|Cohort` of every cohort of the profile."""
    slot, declared = settings.slots.expression_cohorts, settings.expression
    if slot is None or declared is None:
        return []
    if not slot.startswith(DIRECTORY_PREFIX):
        return [declared.cohort_of_pin] if declared.cohort_of_pin else []
    root = cohorts_root(settings)
    return cohort_keys(root) if root is not None else []


def obtain_if_listed(settings: Profile, key: str, geo: GeoResource) -> None:
    """Bring a series from GEO if the directory lists its accession and does not hold it yet."""
    root = cohorts_root(settings)
    if root is None or split_key(key) not in listed_accessions(root):
        return
    folder = cohort_directory(root, key)
    if not folder.is_dir():
        geo.obtain(split_key(key)[1], folder)
