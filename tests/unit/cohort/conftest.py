"""A twelve-term HPO and packets small enough to read in the test that uses them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from genoplatform.ontology.graph import OntologyGraph

# id: (parents, obsolete, replaced_by, consider)
TERMS: dict[str, tuple[list[str], bool, list[str], list[str]]] = {
    "HP:0000001": ([], False, [], []),
    "HP:0000118": (["HP:0000001"], False, [], []),
    "HP:0000005": (["HP:0000001"], False, [], []),  # inheritance: not a phenotype
    "HP:0000100": (["HP:0000118"], False, [], []),  # seizure
    "HP:0000101": (["HP:0000100"], False, [], []),  # focal seizure
    "HP:0000102": (["HP:0000101"], False, [], []),  # focal motor seizure
    "HP:0000200": (["HP:0000118"], False, [], []),  # growth
    "HP:0000201": (["HP:0000200"], False, [], []),
    "HP:0000300": (["HP:0000118"], False, [], []),
    "HP:0000900": ([], True, ["HP:0000201"], []),
    "HP:0000901": ([], True, ["HP:0000201", "HP:0000300"], []),
    "HP:0000902": ([], True, [], []),
}


@pytest.fixture(scope="session")
def graph() -> OntologyGraph:
    rows = [
        {"id": i, "name": i, "obsolete": o, "replaced_by": r, "consider": c, "alt_ids": [], "synonyms": []}
        for i, (_, o, r, c) in TERMS.items()
    ]
    edges = [(i, p, n) for i, (parents, *_) in TERMS.items() for n, p in enumerate(parents)]
    return OntologyGraph.from_tables(pd.DataFrame(rows), pd.DataFrame(edges, columns=["child", "parent", "order"]))


def make_packet(
    observed: tuple[str, ...] = ("HP:0000101", "HP:0000201", "HP:0000300"),
    excluded: tuple[str, ...] = (),
    diseases: tuple[str, ...] = ("OMIM:100001",),
    genes: tuple[tuple[str, str], ...] = (("AAA", "CAUSATIVE"),),
    **extra: Any,
) -> dict[str, Any]:
    """A v2 phenopacket."""
    features: list[dict[str, Any]] = [{"type": {"id": t, "label": f"label {t}"}} for t in observed]
    features += [{"type": {"id": t, "label": f"label {t}"}, "excluded": True} for t in excluded]
    calls = [
        {
            "interpretationStatus": status,
            "variantInterpretation": {
                "variationDescriptor": {"id": "v1", "geneContext": {"valueId": "HGNC:1", "symbol": symbol}}
            },
        }
        for symbol, status in genes
    ]
    return {
        "id": "packet",
        "subject": {"id": "someone", "timeAtLastEncounter": {"age": {"iso8601duration": "P3Y"}}},
        "phenotypicFeatures": features,
        "diseases": [{"term": {"id": d, "label": f"disease {d}"}} for d in diseases],
        "interpretations": [{"id": "i", "diagnosis": {"genomicInterpretations": calls}}],
        "metaData": {"phenopacketSchemaVersion": "2.0.2"},
    } | extra


@pytest.fixture
def packet() -> Callable[..., dict[str, Any]]:
    return make_packet


@pytest.fixture
def write_packets(tmp_path: Path) -> Callable[[dict[str, Any]], Path]:
    """Write {relative path: document, text or bytes} under a directory and return it."""

    def write(files: dict[str, Any]) -> Path:
        root = tmp_path / "release"
        for name, content in files.items():
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            data = content if isinstance(content, bytes | str) else json.dumps(content)
            target.write_bytes(data if isinstance(data, bytes) else data.encode())
        return root

    return write


@pytest.fixture
def mondo() -> tuple[pd.DataFrame, pd.DataFrame]:
    """(mapping, reflexive ancestors): one disease per category, one chromosomal, one under none, one under two."""
    under = {
        "MONDO:0000001": ["MONDO:0005071"],  # neurological
        "MONDO:0000002": ["MONDO:0005066"],  # metabolic
        "MONDO:0000003": ["MONDO:0005046"],  # immunological
        "MONDO:0000004": ["MONDO:0019118"],  # developmental, by its second root
        "MONDO:0000005": ["MONDO:0019042"],  # chromosomal
        "MONDO:0000006": [],
        "MONDO:0000007": ["MONDO:0005046", "MONDO:0005071"],  # both: neurological has priority
        "MONDO:0044970": [],  # mitochondrial, the root itself
    }
    pairs = [(i, a) for i, parents in under.items() for a in [i, *parents]]
    ancestors = pd.DataFrame(sorted(pairs), columns=["id", "ancestor"])
    mapping = pd.DataFrame(
        {"mondo_id": [f"MONDO:000000{i}" for i in range(1, 8)], "disease_id": [f"OMIM:10000{i}" for i in range(1, 8)]}
    )
    return mapping, ancestors
