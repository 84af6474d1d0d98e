"""Small releases in the published layout, made up here: lists of three genes instead of fifty."""

import io
import json
import tarfile
import zipfile
from pathlib import Path

SIZE = 3
CELL_S, CELL_M = "eval_1050/cell_S_rerank_inside_plus_lea", "eval_1050/cell_M_lirical_hpo_only"


def entry(symbol: str, rank: int, confidence: float, *, causal: bool = False, **more) -> dict:
    return {
        "symbol": symbol,
        "is_causal": causal,
        "aggregate_confidence": confidence,
        "supporting_chunks": [f"chunk-{symbol}"],
        "final_rank": rank,
        **more,
    }


def ranking(*genes: str, causal: str = "CAUSE", confidence: tuple[float, ...] = (0.9, 0.5, 0.1)) -> bytes:
    """A list in rank order, written in another order: the order of the entries means nothing."""
    entries = [entry(gene, i + 1, confidence[i], causal=gene == causal) for i, gene in enumerate(genes)]
    return json.dumps(entries[::-1], indent=2).encode()


def release() -> dict[str, bytes]:
    """Two systems on two cases; M lacks the second."""
    return {
        f"{CELL_S}/CAUSE:PMID_1_a.json": ranking("CAUSE", "B", "A"),
        f"{CELL_S}/CAUSE:PMID_2_b.json": ranking("A", "CAUSE", "B", confidence=(0.2, 0.7, 0.7)),
        f"{CELL_M}/CAUSE:PMID_1_a.json": ranking("B", "A", "CAUSE"),
    }


def write_directory(root: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root


def write_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def write_tar(path: Path, files: dict[str, bytes]) -> Path:
    """Compressed as the name says."""
    with tarfile.open(path, f"w:{path.suffix.removeprefix('.')}") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path
