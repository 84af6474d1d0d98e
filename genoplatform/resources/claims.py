"""Claimed numbers against the store: the profile's claims file, and the tables its claims speak of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from genoplatform.errors import SettingsError
from genoplatform.provenance import file_sha256
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.sidecar import sidecar_path
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import read_verified

if TYPE_CHECKING:
    import pandas as pd

CLAIMS_CHECK = "claims"
CLAIMS = Path(__file__).parents[1] / "settings" / "claims"
# Assets that claims may speak of, and how each lies in the store.
CLAIMED_ASSETS = {
    "eval/inference/evaluation": "tables",
    "eval/inference/analyses": "tables",
    "eval/inference/lopo": "tables",
    "eval/inference/judge": "tables",
    "eval/inference/release_series": "parquet",
}


_HINT = f"claims speak of {', '.join(CLAIMED_ASSETS)}"


def claims_file(platform: PlatformResource) -> Path | None:
    """The claims of the profile; None where it claims nothing. A relative name is one of the package's own files."""
    name = platform.settings().claims
    return CLAIMS / name if name else None


def claims_basis(platform: PlatformResource) -> str:
    """Digest of the profile's claims file, "" without one: claims that changed have to be checked again."""
    path = claims_file(platform)
    return file_sha256(path) if path else ""


def claimed_tables(platform: PlatformResource, asset: str) -> dict[str, pd.DataFrame]:
    """Tables of one asset by the names claims call them: `asset[partition].table`, or `asset` for a single table."""
    kind = CLAIMED_ASSETS[asset]
    single = platform.artefact(asset, None, kind)
    if kind == "parquet":
        return {asset: read_verified(single, FORMATS[kind])} if sidecar_path(single).is_file() else {}
    found: dict[str, Any] = {}
    for path in sorted(single.with_suffix("").glob(f"*{FORMATS[kind].suffix}")):
        if sidecar_path(path).is_file():
            tables = read_verified(path, FORMATS[kind])
            found |= {f"{asset}[{path.stem}].{name}": table for name, table in tables.items()}
    return found


def audited_claims(platform: PlatformResource, asset: str | None = None) -> pd.DataFrame:
    """Every claim of the profile (about one asset), compared with the store; see `inference.claims.audit_claims`.

    Raises:
        SettingsError: the claims file cannot be used.
    """
    from genoplatform.inference.claims import audit_claims, read_claims

    path = claims_file(platform)
    claims = read_claims(path) if path else []
    if strangers := sorted({name for item in claims if (name := _asset_of(item.artefact)) not in CLAIMED_ASSETS}):
        raise SettingsError(f"reading {path.name if path else 'claims'}", f"no such asset: {strangers}", _HINT)
    assets = [asset] if asset else list(CLAIMED_ASSETS)
    if asset:
        claims = [item for item in claims if _asset_of(item.artefact) == asset]
    tables: dict[str, Any] = {}
    for name in assets:
        tables |= claimed_tables(platform, name)
    return audit_claims(claims, tables)


def _asset_of(artefact: str) -> str:
    return artefact.split("[", 1)[0].split(".", 1)[0]
