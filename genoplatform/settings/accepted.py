"""Pins that a person accepted in a home, on top of the package's: which new bytes, and which slots they fill.

The package's pins are what a checkout says; a home's `pins.yml` is what its keeper accepted since. It is data of the
home: committed to nobody's repository, removed with one command, and named by hash in every sidecar that rests on it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from genoplatform.errors import SettingsError
from genoplatform.settings.profiles import Profile
from genoplatform.settings.sources import Source, SourceCatalogue
from genoplatform.settings.yaml_text import read_mapping

FILE_NAME = "pins.yml"


class AcceptedPins(BaseModel):
    """Accepted sources, and the slots they fill by profile (profile -> slot -> source id)."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    format: Literal["genoplatform-pins/1"] = "genoplatform-pins/1"
    sources: tuple[Source, ...] = ()
    slots: dict[str, dict[str, str]] = {}

    def with_pins(self, sources: tuple[Source, ...], slots: dict[str, dict[str, str]]) -> AcceptedPins:
        """These and further ones; a source or slot that is named again is replaced."""
        named = {source.id for source in sources}
        kept = tuple(source for source in self.sources if source.id not in named)
        profiles = {*self.slots, *slots}
        merged = {name: self.slots.get(name, {}) | slots.get(name, {}) for name in sorted(profiles)}
        return AcceptedPins(sources=kept + sources, slots=merged)

    def without_slot(self, profile: str, slot: str) -> AcceptedPins:
        """These, with a slot back to what the package pins."""
        left = {
            name: {key: pin for key, pin in filled.items() if (name, key) != (profile, slot)}
            for name, filled in self.slots.items()
        }
        return AcceptedPins(sources=self.sources, slots={name: filled for name, filled in left.items() if filled})

    def applied_to(self, profile: Profile) -> Profile:
        """The profile with its accepted slots."""
        filled = self.slots.get(profile.name)
        if not filled:
            return profile
        return profile.model_copy(update={"slots": profile.slots.model_copy(update=filled)})

    def added_to(self, catalogue: SourceCatalogue) -> SourceCatalogue:
        """The catalogue with the accepted sources; the package's own ids stay what they are."""
        known = set(catalogue.ids)
        return SourceCatalogue((*catalogue.sources, *(source for source in self.sources if source.id not in known)))


def read_accepted(path: Path) -> AcceptedPins:
    """What a home accepted; nothing where it has no such file.

    Raises:
        SettingsError: the file is not what `write_accepted` writes.
    """
    if not path.is_file():
        return AcceptedPins()
    try:
        return AcceptedPins.model_validate(read_mapping(path))
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise SettingsError(
            f"reading {path}", faults, "restore it, or remove it to go back to the package's pins"
        ) from error


def accepted_text(accepted: AcceptedPins) -> str:
    """The file's content."""
    plain = accepted.model_dump(mode="json")
    return "# Pins accepted in this home, by `genoplatform sources accept`.\n" + yaml.safe_dump(plain, sort_keys=False)
