"""The platform resource: which home and which profile a run works in, and the way to its store and its pinned bytes."""

import functools
import os
from pathlib import Path

import dagster as dg

from genoplatform.errors import SettingsError
from genoplatform.expression.layout import existing_cohort
from genoplatform.provenance import PinRef, file_sha256, tree_bytes
from genoplatform.provenance.layout import artefact_path, store_root
from genoplatform.resources.literature_packages import package_view
from genoplatform.resources.sources.fetch import SourceStore, mirror_from_environment
from genoplatform.settings.accepted import FILE_NAME, AcceptedPins, read_accepted
from genoplatform.settings.profiles import DIRECTORY_PREFIX, PROFILES_FILE, Profile, load_profile
from genoplatform.settings.sources import SourceCatalogue, load_catalogue

HOME_VARIABLE = "GENOPLATFORM_HOME"
PROFILE_VARIABLE = "GENOPLATFORM_PROFILE"
DEFAULT_HOME = ".genoplatform"
DEFAULT_PROFILE = "embedded"


class PlatformResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Home and profile of a run.

    Empty fields are taken from the environment when a run starts (never at import): `GENOPLATFORM_HOME`, else
    `.genoplatform`; `GENOPLATFORM_PROFILE`, else `embedded`. `profiles_file` and `catalogue` name settings files of
    one's own in the place of the package's.
    """

    home: str = ""
    profile: str = ""
    profiles_file: str = ""
    catalogue: str = ""
    offline: bool = False

    @property
    def home_path(self) -> Path:
        """Absolute path of the home directory."""
        return Path(self.home or os.environ.get(HOME_VARIABLE) or DEFAULT_HOME).resolve()

    def settings(self) -> Profile:
        """The profile in force."""
        name = self.profile or os.environ.get(PROFILE_VARIABLE) or DEFAULT_PROFILE
        path = Path(self.profiles_file) if self.profiles_file else PROFILES_FILE
        return self.accepted().applied_to(_profile(name, path, _state(path)))

    def at(self, home: Path) -> "PlatformResource":
        """The same profile in another home (a copy of a Dagster resource would keep the first one's configuration)."""
        return PlatformResource(
            home=str(home),
            profile=self.profile,
            profiles_file=self.profiles_file,
            catalogue=self.catalogue,
            offline=self.offline,
        )

    def accepted(self) -> AcceptedPins:
        """Pins that were accepted in this home, beside the package's."""
        path = self.home_path / FILE_NAME
        return _accepted(path, _state(path))

    def store(self) -> Path:
        """Root of the profile's store."""
        return store_root(self.home_path, self.settings().name)

    def artefact(self, asset: str, partition: str | None, kind: str) -> Path:
        """Path of one artefact in the store."""
        return artefact_path(self.store(), asset, partition, kind)

    def work_dir(self, asset: str, partition: str | None = None) -> Path:
        """Where an asset's body stages what is too large for memory; it outlives a crash, so that a run can resume."""
        path = (
            self.home_path
            / "work"
            / self.settings().name
            / Path(*asset.split("/"), *([partition] if partition else []))
        )
        path.mkdir(parents=True, exist_ok=True)
        return path

    def sources(self) -> SourceStore:
        """The pinned sources, cached under the home."""
        path = Path(self.catalogue) if self.catalogue else None
        catalogue = self.accepted().added_to(_catalogue(path, _state(path)))
        return SourceStore(self.home_path, catalogue, mirror_dir=mirror_from_environment(), offline=self.offline)

    def pin(self, slot: str, partition: str | None = None) -> PinRef | None:
        """Obtain the bytes that fill `slot` and name them; None where the profile leaves the slot empty."""
        value = self.settings().slots.pin_of(slot, partition)
        if value is None:
            return None
        if value.startswith(DIRECTORY_PREFIX):
            path = self._user_directory(value)
            return PinRef(
                source_id=value, kind="directory", file_name=path.name, sha256=file_sha256(path), bytes=tree_bytes(path)
            )
        path = self.sources().fetch(value).path
        return PinRef(source_id=value, file_name=path.name, sha256=file_sha256(path), bytes=path.stat().st_size)

    def locate(self, pin: PinRef) -> Path | None:
        """Where a pin's bytes lie on this machine, unverified; None if they are not here."""
        if pin.kind == "directory":
            try:
                return self._user_directory(pin.source_id)
            except SettingsError:
                return None
        sources = self.sources()
        if pin.source_id not in sources.catalogue.ids:
            return None
        recorded = sources.catalogue.get(pin.source_id).model_copy(update={"sha256": pin.sha256, "file": pin.file_name})
        path = sources.cache.location(recorded)
        return path if path.is_file() else None

    def _user_directory(self, value: str) -> Path:
        variable, _, inside = value.removeprefix(DIRECTORY_PREFIX).partition("/")
        path = Path(os.environ.get(variable, ""))
        if not os.environ.get(variable) or not path.exists():
            raise SettingsError(
                f"opening the user's directory for {value!r}",
                f"{variable}={os.environ.get(variable)!r}",
                f"set {variable} to an existing directory or archive",
            )
        if "|" in inside:
            return existing_cohort(path, inside)
        return package_view(path, inside, self.home_path / "views" / variable) if inside else path


# Planning and auditing ask for both once a slot, and parsing the YAML takes most of a second.
def _state(path: Path | None) -> int:
    return path.stat().st_mtime_ns if path is not None and path.is_file() else 0


@functools.lru_cache(maxsize=8)
def _profile(name: str, path: Path, state: int) -> Profile:
    return load_profile(name, path)


@functools.lru_cache(maxsize=8)
def _accepted(path: Path, state: int) -> AcceptedPins:
    return read_accepted(path)


@functools.lru_cache(maxsize=2)
def _catalogue(path: Path | None, state: int) -> SourceCatalogue:
    return load_catalogue(path)
