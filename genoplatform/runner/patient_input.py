"""What a person hands in about one patient: observed and excluded HPO terms, and genes of interest."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from genoplatform.errors import BadInputError


@dataclass(frozen=True)
class Findings:
    """HPO ids as given, each once, in their order; `excluded` were looked for and not found."""

    observed: list[str]
    excluded: list[str]


def findings(hpo: str | None, phenopacket: Path | None) -> Findings:
    """Findings from a comma-separated list (observed only) or a phenopacket.

    Raises:
        BadInputError: the file is no phenopacket.
    """
    if hpo is not None:
        return Findings(list(dict.fromkeys(term.strip() for term in hpo.split(",") if term.strip())), [])
    from genoplatform.cohort.packet import PacketRejectedError, parse_packet

    path = Path(str(phenopacket))
    try:
        packet = parse_packet(json.loads(path.read_bytes()))
    except (OSError, ValueError, PacketRejectedError) as error:
        raise BadInputError(f"reading {path.name}", str(error), "give a GA4GH phenopacket as JSON") from error
    observed = dict.fromkeys(feature.hpo_id for feature in packet.features if not feature.excluded)
    excluded = dict.fromkeys(feature.hpo_id for feature in packet.features if feature.excluded)
    return Findings(list(observed), [term for term in excluded if term not in observed])


def wanted_genes(path: Path) -> list[str]:
    """Gene symbols of a text file, separated by white space.

    Raises:
        BadInputError: it cannot be read, or names no gene.
    """
    try:
        symbols = list(dict.fromkeys(path.read_text(encoding="utf-8").split()))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"reading {path.name}", str(error), "give a text file of gene symbols") from error
    if not symbols:
        raise BadInputError(f"reading {path.name}", "it names no gene", "give a text file of gene symbols")
    return symbols
