"""Accepting a candidate: the one step that changes a pin, taken by a person."""

from __future__ import annotations

from genoplatform.errors import GenoplatformError
from genoplatform.provenance.atomic import remove, write_text
from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.candidates.record import Candidate, folder_of, read_candidate, write_candidate
from genoplatform.runner.candidates.stage import accepted_with
from genoplatform.settings.accepted import FILE_NAME, accepted_text


class CandidateRefusedError(GenoplatformError):
    """The candidate has findings that refuse it, or was tried for another profile."""


def accept(platform: PlatformResource, candidate: str, *, force: bool = False) -> Candidate:
    """Make a candidate's files pins of this home.

    Args:
        platform: home and profile.
        candidate: its id.
        force: although it was refused; the findings stay in its record.

    Raises:
        CandidateRefusedError: it was refused and is not forced; nothing is changed.
        BadInputError: no such candidate.
    """
    found = read_candidate(platform.home_path, candidate)
    profile = platform.settings().name
    if found.profile != profile:
        raise CandidateRefusedError(
            f"accepting {candidate} for profile {profile}",
            f"it was tried for profile {found.profile}",
            f"stage it again: genoplatform sources stage {found.feed} --version {found.version} --profile {profile}",
        )
    if found.errors and not force:
        names = "; ".join(f"{finding.name}: {finding.text}" for finding in found.errors)
        raise CandidateRefusedError(
            f"accepting {candidate}", names, "keep the pin, or accept it all the same with --force"
        )
    write_text(platform.home_path / FILE_NAME, accepted_text(accepted_with(platform, found)))
    accepted = found.model_copy(update={"state": "accepted"})
    write_candidate(platform.home_path, accepted)
    remove(folder_of(platform.home_path, candidate) / "home")  # its tables are made again, in the store
    return accepted


def revert(platform: PlatformResource, slot: str) -> str | None:
    """Give a slot back to what the package pins; returns that pin.

    Raises:
        CandidateRefusedError: nothing was accepted for it.
    """
    profile = platform.settings().name
    before = platform.accepted()
    if slot not in before.slots.get(profile, {}):
        accepted = ", ".join(before.slots.get(profile, {})) or "none"
        raise CandidateRefusedError(
            f"reverting slot {slot!r}", f"no accepted pin fills it; accepted: {accepted}", "name one of them"
        )
    write_text(platform.home_path / FILE_NAME, accepted_text(before.without_slot(profile, slot)))
    return platform.settings().slots.pin_of(slot)
