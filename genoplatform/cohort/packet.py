"""One phenopacket: which schema it follows and what it says.

Here: telling v1 from v2 by their fields and reading either into the same record.
Not here: files and archives (``archives``), tables (``phenopackets``), judging terms (``term_issues``).
Source: GA4GH phenopacket schema 1.0 and 2.0 field names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

# Fields that exist in one schema only. A reader that ignores unknown fields turns an excluded term into an
# observed one when it meets the other schema, so a packet with fields of both is refused.
V1_ONLY = {
    "packet": {"genes", "variants", "htsFiles"},
    "subject": {"ageAtCollection", "ageRangeAtCollection"},
    "feature": {"negated", "ageOfOnset", "ageRangeOfOnset", "classOfOnset"},
    "disease": {"ageOfOnset", "ageRangeOfOnset", "classOfOnset"},
}
V2_ONLY = {
    "packet": {"interpretations", "measurements", "medicalActions", "files"},
    "subject": {"timeAtLastEncounter", "vitalStatus", "gender"},
    "feature": {"excluded", "onset", "resolution"},
    "disease": {"excluded", "onset", "resolution", "primarySite", "laterality"},
}
_MARKS = ("phenotypicFeatures", "diseases", "subject", "interpretations", "genes", "variants", "metaData")


class PacketRejectedError(ValueError):
    """A JSON document that cannot be used as one phenopacket; ``reason`` is a short counted key."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}")


@dataclass(frozen=True, slots=True)
class Feature:
    """One phenotypic feature as stated."""

    hpo_id: str
    label: str
    excluded: bool


@dataclass(frozen=True, slots=True)
class GeneCall:
    """One gene named by the packet: symbol, HGNC id or "", variant label or id, interpretation status."""

    symbol: str
    hgnc_id: str
    variant: str
    status: str


@dataclass(frozen=True, slots=True)
class Packet:
    """What one phenopacket says; diseases are the non-excluded (id, label) pairs."""

    packet_id: str
    subject_id: str
    schema: str
    features: list[Feature]
    diseases: list[tuple[str, str]]
    genes: list[GeneCall]
    measurements: int


def parse_packet(document: object) -> Packet:
    """Read one decoded JSON document.

    Raises:
        PacketRejectedError: not-an-object, not-a-phenopacket, family-or-cohort, mixed-schema, malformed.
    """
    packet = _as_packet(document)
    features, diseases = _objects(packet, "phenotypicFeatures"), _objects(packet, "diseases")
    subject = packet.get("subject") or {}
    if not isinstance(subject, dict):
        raise PacketRejectedError("malformed", "subject is not an object")
    schema = _schema(packet, subject, features, diseases)
    flag = "negated" if schema == "v1" else "excluded"
    return Packet(
        packet_id=str(packet.get("id", "")),
        subject_id=str(subject.get("id", "")),
        schema=schema,
        features=[_feature(f, flag) for f in features],
        diseases=_diseases(diseases, schema),
        genes=_v1_genes(packet) if schema == "v1" else _v2_genes(packet),
        measurements=len(_objects(packet, "measurements")),
    )


def _as_packet(document: object) -> Json:
    if not isinstance(document, dict):
        raise PacketRejectedError("not-an-object", f"top level is {type(document).__name__}")
    packet = _camel(document) if any("_" in key for key in document) else document
    if "proband" in packet or "members" in packet:
        raise PacketRejectedError("family-or-cohort", "a family or cohort message, not one person's packet")
    if not any(mark in packet for mark in _MARKS):
        raise PacketRejectedError("not-a-phenopacket", f"fields {sorted(packet)[:6]}")
    return packet


def _camel(value: Any) -> Any:
    """Protobuf JSON may keep snake_case field names; both spellings are valid input."""
    if isinstance(value, dict):
        return {re.sub(r"_([a-z0-9])", lambda m: m[1].upper(), k): _camel(v) for k, v in value.items()}
    return [_camel(v) for v in value] if isinstance(value, list) else value


def _objects(parent: Json, key: str) -> list[Json]:
    items = parent.get(key)
    if items is None:
        return []
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise PacketRejectedError("malformed", f"{key} is not a list of objects")
    return items


def _schema(packet: Json, subject: Json, features: list[Json], diseases: list[Json]) -> str:
    parts: tuple[tuple[str, Iterable[Json]], ...] = (
        ("packet", (packet,)),
        ("subject", (subject,)),
        ("feature", features),
        ("disease", diseases),
    )
    seen = {
        version: sorted({key for part, objects in parts for o in objects for key in o.keys() & only[part]})
        for version, only in (("v1", V1_ONLY), ("v2", V2_ONLY))
    }
    meta = packet.get("metaData")
    declared = str(meta.get("phenopacketSchemaVersion", "")) if isinstance(meta, dict) else ""
    version = {"1": "v1", "2": "v2"}.get(declared[:1])
    if version:
        seen[version] = [*seen[version], f"phenopacketSchemaVersion {declared}"]
    if seen["v1"] and seen["v2"]:
        raise PacketRejectedError("mixed-schema", f"v1: {', '.join(seen['v1'])}; v2: {', '.join(seen['v2'])}")
    return next((v for v in ("v1", "v2") if seen[v]), "undetermined")


def _flag(item: Json, key: str) -> bool:
    value = item.get(key, False)
    if not isinstance(value, bool):
        raise PacketRejectedError("malformed", f"{key} is {value!r}, not true or false")
    return value


def _text(item: object, key: str) -> str:
    value = item.get(key, "") if isinstance(item, dict) else ""
    if not isinstance(value, str):
        raise PacketRejectedError("malformed", f"{key} is {value!r}, not text")
    return value


def _feature(item: Json, flag: str) -> Feature:
    term = item.get("type")
    return Feature(_text(term, "id").strip(), _text(term, "label"), _flag(item, flag))


def _diseases(items: list[Json], schema: str) -> list[tuple[str, str]]:
    kept = [d.get("term") for d in items if schema == "v1" or not _flag(d, "excluded")]
    pairs = [(_text(term, "id").strip(), _text(term, "label")) for term in kept]
    return [pair for pair in pairs if pair[0]]


def _v1_genes(packet: Json) -> list[GeneCall]:
    genes = [(_text(g, "symbol").strip(), _text(g, "id")) for g in _objects(packet, "genes")]
    return [GeneCall(symbol, _hgnc(gene_id), "", "") for symbol, gene_id in genes if symbol]


def _v2_genes(packet: Json) -> list[GeneCall]:
    calls: list[GeneCall] = []
    for interpretation in _objects(packet, "interpretations"):
        diagnosis = interpretation.get("diagnosis") or {}
        for genomic in _objects(diagnosis, "genomicInterpretations"):
            descriptor = (genomic.get("variantInterpretation") or {}).get("variationDescriptor") or {}
            gene = descriptor.get("geneContext") or genomic.get("gene") or {}
            symbol = _text(gene, "symbol").strip()
            if symbol:
                variant = _text(descriptor, "label") or _text(descriptor, "id")
                status = _text(genomic, "interpretationStatus")
                calls.append(GeneCall(symbol, _hgnc(_text(gene, "valueId")), variant, status))
    return calls


def _hgnc(identifier: str) -> str:
    return identifier if identifier.startswith("HGNC:") else ""
