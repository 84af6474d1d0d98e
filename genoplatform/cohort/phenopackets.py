"""A release of phenopackets as tables: one record a case, one row a feature, and everything that was refused.

Here: reading a directory or archive, naming cases, counting. Case id = cohort directory + ":" + file stem;
the id inside the packet is not used, older releases fill it with something else.
Not here: containers (``archives``), the schema of one packet (``packet``), inclusion (``inclusion``).
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import pandas as pd

from genoplatform.cohort.archives import Skipped, iter_json
from genoplatform.cohort.packet import Packet, PacketRejectedError, parse_packet
from genoplatform.errors import EmptyResultError

RECORD_COLUMNS = (
    "case_id",
    "packet_id",
    "subject_id",
    "schema",
    "hpo_terms",
    "excluded_terms",
    "disease_ids",
    "disease_labels",
    "gene_symbols",
    "gene_hgnc_ids",
    "gene_variants",
    "gene_statuses",
    "n_measurements",
    "source_path",
)
FEATURE_COLUMNS = ("case_id", "position", "hpo_id", "label", "excluded")
ISSUE_COLUMNS = ("source_path", "reason", "detail")


@dataclass(frozen=True)
class PhenopacketRelease:
    """One release, read.

    Attributes:
        records: one row per packet, ``RECORD_COLUMNS``, sorted by case_id. hpo_terms and excluded_terms are the
            HP: ids in first-seen order without repeats; disease_ids/disease_labels the non-excluded diseases;
            the four gene lists are parallel, one entry per genomic interpretation that names a gene.
        features: one row per stated feature, ``FEATURE_COLUMNS``, repeats and other ontologies included.
        issues: one row per file not used: source_path, reason, detail.
        report: counts of files, records, refusals by reason, schemas and features.
    """

    records: pd.DataFrame
    features: pd.DataFrame
    issues: pd.DataFrame
    report: dict[str, int]


def read_phenopackets(path: Path) -> PhenopacketRelease:
    """Read every packet of a directory, .zip, .tar, .tar.gz, .tar.xz or .tar.bz2 without extracting it.

    Unreadable JSON, mixed schemas, repeated case ids and unsafe members are refused one by one, listed and
    counted; the rest is read.

    Raises:
        BadInputError: no such path, or a broken or truncated archive.
        EmptyResultError: not one usable packet.
    """
    issues: Skipped = []
    packets: dict[str, tuple[str, Packet]] = {}
    for source, packet in sorted(_parsed(path, issues), key=lambda item: item[0]):
        case_id = case_id_of(source)
        if case_id in packets:
            issues.append((source, "duplicate-case-id", f"{case_id} already read from {packets[case_id][0]}"))
        else:
            packets[case_id] = (source, packet)
    issue_frame = pd.DataFrame(sorted(issues), columns=list(ISSUE_COLUMNS), dtype="str")
    if not packets:
        found = dict(Counter(issue_frame["reason"])) or "no .json file"
        raise EmptyResultError(f"reading phenopackets from {path}", f"no usable packet ({found})")
    records, features = _tables(packets)
    return PhenopacketRelease(records, features, issue_frame, _report(records, features, issue_frame))


def case_id_of(source_path: str) -> str:
    """Case id of a packet's path: cohort directory, colon, file stem.

    The cohort directory is the parent, or the grandparent where the parent is called ``phenopackets``.
    """
    path = PurePosixPath(source_path)
    directory = path.parent.parent if path.parent.name == "phenopackets" else path.parent
    return f"{directory.name}:{path.stem}"


def _parsed(path: Path, issues: Skipped) -> list[tuple[str, Packet]]:
    out = []
    for source, content in iter_json(path, issues):
        try:
            out.append((source, parse_packet(json.loads(content))))
        except PacketRejectedError as error:
            issues.append((source, error.reason, error.detail))
        except (ValueError, RecursionError) as error:  # JSONDecodeError and UnicodeDecodeError are ValueErrors
            issues.append((source, "unreadable-json", f"{type(error).__name__}: {error}"[:200]))
    return out


def _tables(packets: dict[str, tuple[str, Packet]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    rows: list[tuple[Any, ...]] = []
    features: list[tuple[Any, ...]] = []
    for case_id in sorted(packets):
        source, packet = packets[case_id]
        rows.append(_record(case_id, source, packet))
        features.extend((case_id, i, f.hpo_id, f.label, f.excluded) for i, f in enumerate(packet.features))
    records = pd.DataFrame(rows, columns=list(RECORD_COLUMNS))
    long = pd.DataFrame(features, columns=list(FEATURE_COLUMNS))
    return records, long.astype({"position": "int64", "excluded": "bool"})


def _record(case_id: str, source: str, packet: Packet) -> tuple[Any, ...]:
    return (
        case_id,
        packet.packet_id,
        packet.subject_id,
        packet.schema,
        _terms(packet, excluded=False),
        _terms(packet, excluded=True),
        [d for d, _ in packet.diseases],
        [label for _, label in packet.diseases],
        [g.symbol for g in packet.genes],
        [g.hgnc_id for g in packet.genes],
        [g.variant for g in packet.genes],
        [g.status for g in packet.genes],
        packet.measurements,
        source,
    )


def _terms(packet: Packet, *, excluded: bool) -> list[str]:
    ids = (f.hpo_id for f in packet.features if f.excluded is excluded and f.hpo_id.startswith("HP:"))
    return list(dict.fromkeys(ids))


def _report(records: pd.DataFrame, features: pd.DataFrame, issues: pd.DataFrame) -> dict[str, int]:
    stems = records["case_id"].str.split(":", n=1).str[1]
    report = {
        "files": len(records) + len(issues),
        "records": len(records),
        "refused": len(issues),
        "features": len(features),
        "features_excluded": int(features["excluded"].sum()),
        "features_not_hpo": int((~features["hpo_id"].str.startswith("HP:")).sum()),
        "features_repeated": int(features.duplicated(["case_id", "hpo_id", "excluded"]).sum()),
        "packet_id_differs_from_file": int((stems != records["packet_id"]).sum()),
    }
    report |= {f"schema_{k}": v for k, v in sorted(Counter(records["schema"]).items())}
    return report | {f"refused_{k}": v for k, v in sorted(Counter(issues["reason"]).items())}
