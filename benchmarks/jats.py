"""JATS to records: articles per second beside pubmed_parser and pmcgrab, on the same 122 files in the same process.

Each gives what its users take from an article: ids, title, abstract, authors, year and the body's text. pubmed_parser
has one function for the front and one for the paragraphs; pmcgrab gives the whole paper. Rounds take turns, and the
fastest round of each counts. Peers that are not installed are left out, saying so.

    pip install pubmed_parser pmcgrab; python benchmarks/jats.py [--home .genoplatform] [--rounds 5]
"""

import argparse
import importlib
import json
import logging
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from genoplatform.literature.jats import parse_article
from genoplatform.literature.members import iter_members
from genoplatform.resources.sources.fetch import SourceStore, mirror_from_environment

Reader = Callable[[Path], Any]


def ours(path: Path) -> str:
    article = parse_article(path.read_bytes(), ("pmc", "doi"))
    return "\n".join(section.text for section in article.sections)


def pubmed_parser(module: Any) -> Reader:
    def read(path: Path) -> str:
        front = module.parse_pubmed_xml(str(path))
        paragraphs = module.parse_pubmed_paragraph(str(path), all_paragraph=True)
        return "\n".join([front["abstract"], *(paragraph["text"] for paragraph in paragraphs)])

    return read


def pmcgrab(module: Any) -> Reader:
    return lambda path: json.dumps(module.process_single_local_xml(str(path)))


def readers() -> dict[str, Reader]:
    found: dict[str, Reader] = {"genoplatform": ours}
    for name, make in (("pubmed_parser", pubmed_parser), ("pmcgrab", pmcgrab)):
        try:
            found[name] = make(importlib.import_module(name))
        except ImportError as error:
            print(f"{name} is not installed ({error}): left out")
    return found


def best_seconds(readers: Mapping[str, Reader], files: list[Path], rounds: int) -> dict[str, float]:
    best = dict.fromkeys(readers, float("inf"))
    for _ in range(rounds):
        for name, read in readers.items():
            start = time.perf_counter()
            for path in files:
                read(path)
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, default=Path(".genoplatform"), help="cache of pinned sources")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    wheel = SourceStore(args.home, mirror_dir=mirror_from_environment()).fetch("plos-articles@0.11.1").path
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for member in iter_members(wheel):
            files.append(Path(folder, Path(member.name).name))
            files[-1].write_bytes(member.read())
        found = readers()
        characters = {name: sum(len(read(path)) for path in files) for name, read in found.items()}
        seconds = best_seconds(found, files, args.rounds)
    report: dict[str, Any] = {"articles": len(files)}
    for name, value in seconds.items():
        report[name] = {"articles_per_s": round(len(files) / value, 1), "characters": characters[name]}
    peers = [value for name, value in seconds.items() if name != "genoplatform"]
    if peers:
        report["times_the_faster_peer"] = round(min(peers) / seconds["genoplatform"], 2)
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
