"""The PLOS articles of the embedded profile as chunks, for benchmarks; run by itself it says what they are."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from genoplatform.literature.chunk_table import iter_chunks
from genoplatform.literature.chunking import chunk_package
from genoplatform.literature.packages import Package
from genoplatform.literature.precedence import decide, kept_positions
from genoplatform.literature.reading import ReadOptions, read_package
from genoplatform.literature.staging import Staging
from genoplatform.literature.windows import Chunker, Windowing
from genoplatform.resources.sources.fetch import SourceStore, mirror_from_environment

NAME, TOKENIZER, MODEL = "plos-articles@0.11.1", "minilm-tokenizer@0.1.0", "minilm-int8@1.0.0"


@dataclass(frozen=True)
class Corpus:
    """Chunk directory, and the pinned files of the embedder."""

    chunks: Path
    tokenizer: Path
    model: Path

    def texts(self) -> list[str]:
        """Every chunk's text, in order."""
        return [text for batch in iter_chunks(self.chunks, ["text"]) for text in batch["text"].to_pylist()]

    def sample(self, number: int, seed: int) -> list[str]:
        """Texts drawn without replacement."""
        texts = self.texts()
        chosen = np.random.default_rng(seed).choice(len(texts), min(number, len(texts)), replace=False)
        return [texts[position] for position in sorted(chosen)]

    def tokens(self, texts: list[str]) -> int:
        """Tokens a model of 512 sees of some texts."""
        tokenizer = Tokenizer.from_file(str(self.tokenizer))
        tokenizer.no_padding()
        tokenizer.enable_truncation(512)
        return sum(len(encoding.ids) for encoding in tokenizer.encode_batch(texts))


def plos_corpus(folder: Path) -> Corpus:
    """Read and chunk the articles below `folder`."""
    store = SourceStore(Path(".genoplatform"), mirror_dir=mirror_from_environment())
    package, tokenizer, model = (store.fetch(name).path for name in (NAME, TOKENIZER, MODEL))
    read, decided, made = (Staging(folder / name, {}) for name in ("read", "decided", "chunks"))
    read_package(package, Package.named(NAME), read, ReadOptions(["pmc", "pmcid", "doi"], False))
    decide({NAME: read.folder}, decided, only_relevant=False, retracted_everywhere=True)
    chunker = Chunker(tokenizer, Windowing(512, 50))
    chunk_package(read.folder, kept_positions(decided.folder, NAME), "local", chunker, made, shard_rows=1000)
    return Corpus(made.folder, tokenizer, model)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        corpus = plos_corpus(Path(scratch))
        lengths = corpus.texts()
        print(f"{len(lengths)} chunks, {corpus.tokens(lengths) / len(lengths):.0f} tokens each as a model sees them")
