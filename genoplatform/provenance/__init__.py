"""Provenance: atomic writes, content digests, typed formats, sidecars, the offline audit. Stands alone, no Dagster."""

from genoplatform.provenance.digests import (
    UnsupportedTypeError,
    canonical_json,
    file_sha256,
    tree_bytes,
    tree_sha256,
)
from genoplatform.provenance.sidecar import CheckOutcome, CheckRecord, InputRef, PinRef, Sidecar, read_sidecar
from genoplatform.provenance.verify import AuditReport, Finding, verify_store

__all__ = [
    "AuditReport",
    "CheckOutcome",
    "CheckRecord",
    "Finding",
    "InputRef",
    "PinRef",
    "Sidecar",
    "UnsupportedTypeError",
    "canonical_json",
    "file_sha256",
    "read_sidecar",
    "tree_bytes",
    "tree_sha256",
    "verify_store",
]
