"""Preprocessing speed and memory: one synthetic series of 100 samples and 30,000 probes, from files to the linked CSV.

Makes the series (matrix about 12 MB, family SOFT about 21 MB, both gzip), runs every step in a process of its own and
prints CPU seconds and peak memory by step, beside what the benchmark's original functions took on such a series
(specification, measured: 39 CPU-s, 988 MB). Two ratios are taken in the same run on the same files: reading the
platform's annotation against GEOparse, which reads the whole family file, and missing values against the same rules on
a wide pandas table.

    python benchmarks/expression_preprocess.py [--probes 30000] [--samples 100] [--geoparse]
"""

import argparse
import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from genoplatform.expression.aliases import aliases_of, dictionary_table
from genoplatform.expression.decisions import CohortDecisions, Variable
from genoplatform.expression.export import ExportedCohort, export_trait
from genoplatform.expression.preprocess import clinical_table, gene_table, link
from genoplatform.expression.preprocess.missing import handle_missing
from genoplatform.expression.readers.annotation import read_annotation
from genoplatform.expression.readers.cohort import read_expression, read_facts
from genoplatform.expression.readers.family_soft import read_family_soft
from genoplatform.expression.readers.platform_choice import CohortSource
from genoplatform.expression.series_tables import read_chosen_annotation
from genoplatform.settings.expression import ExpressionSettings

ORIGINAL_CPU_S = {
    "facts": 0.16, "values": 0.27, "annotation": 6.7, "genes": 0.22, "link": 23.1, "export": 7.6,
}  # fmt: skip
KEY = "Trait|GSE1"
GENES = 17_000


def make_series(folder: Path, probes: int, samples: int) -> None:
    """Matrix and family SOFT of one platform; one probe in twelve names two genes, one in ten none."""
    rng = np.random.default_rng(0)
    values = np.round(rng.normal(8, 2, (probes, samples)), 4)
    names = [f"GSM{1000 + i}" for i in range(samples)]
    ids = [f"{i}_at" for i in range(probes)]
    rows = ["\t".join([name, *map(str, row)]) for name, row in zip(ids, values.tolist(), strict=True)]
    disease = [f'"disease state: {"case" if i % 2 else "control"}"' for i in range(samples)]
    head = ['!Series_title\t"expression profiling"', "\t".join(["!Sample_geo_accession", *(f'"{n}"' for n in names)])]
    head += ["\t".join(["!Sample_characteristics_ch1", *disease]), "!series_matrix_table_begin"]
    matrix = "\n".join([*head, "\t".join(["ID_REF", *names]), *rows, "!series_matrix_table_end", ""])
    (folder / "GSE1_series_matrix.txt.gz").write_bytes(gzip.compress(matrix.encode(), 6))
    genes = [
        ("" if i % 10 == 0 else f"GENE{i % GENES}") + (f" /// GENE{(i + 7) % GENES}" if i % 12 == 0 else "")
        for i in range(probes)
    ]
    text = ["^SERIES = GSE1", "!Series_title = synthetic", "^PLATFORM = GPL1", "!Platform_title = synthetic"]
    text += ["#ID = id", "#Title = title", "#Gene Symbol = symbol", "!platform_table_begin", "ID\tTitle\tGene Symbol"]
    text += [f"{name}\ta probe of {gene}\t{gene}" for name, gene in zip(ids, genes, strict=True)]
    text += ["!platform_table_end"]
    with gzip.open(folder / "GSE1_family.soft.gz", "wt", compresslevel=6) as out:
        out.write("\n".join(text) + "\n")
        for i, name in enumerate(names):
            rows = [f"{probe}\t{value}" for probe, value in zip(ids, values[:, i].tolist(), strict=True)]
            start = [f"^SAMPLE = {name}", "!Sample_platform_id = GPL1", "#ID_REF =", "#VALUE =", "!sample_table_begin"]
            out.write("\n".join([*start, "ID_REF\tVALUE", *rows, "!sample_table_end", ""]))


def chain(folder: Path) -> dict[str, Any]:
    """Every step once, with CPU seconds; run in a fresh process, whose peak memory is the chain's."""
    started = peak_mb()

    seconds: dict[str, float] = {}

    def step(name: str, work: Callable[[], Any]) -> Any:
        start = time.process_time()
        result = work()
        seconds[name] = round(time.process_time() - start, 3)
        return result

    source, settings = CohortSource(KEY, folder), ExpressionSettings()
    codes = {"disease state: case": 1.0, "disease state: control": 0.0}
    trait = Variable(source="characteristics", key="disease state", row=0, kind="binary", codes=codes)
    decisions = CohortDecisions(
        trait="Trait", cohort="GSE1", is_gene_available=True, trait_variable=trait, needs_mapping=True,
        id_column="ID", gene_column="Gene Symbol", curator="benchmark",
    )  # fmt: skip
    aliases = aliases_of(dictionary_table({f"GENE{i}": f"GENE{i}" for i in range(GENES)}))
    imported = peak_mb()
    facts = step("facts", lambda: read_facts(source))

    def genes_of_files() -> Any:
        mapping, _ = step("annotation", lambda: read_chosen_annotation(source, "GPL1", decisions, "sound"))
        measured = step("values", lambda: read_expression(source, facts.platform))
        return step("genes", lambda: gene_table(measured, mapping, decisions, aliases, settings))

    genes = genes_of_files()
    clinical = clinical_table(facts, decisions, settings)
    found = step("link", lambda: link(genes, clinical, decisions, settings))
    assert found.record.is_usable
    record, table = found.record, clinical.table
    item = ExportedCohort(record, genes, table, clinical.available, found.cohort)
    made = peak_mb()
    step("export", lambda: export_trait(folder / "out", [item]))
    return {
        "cpu_s": seconds,
        "total_cpu_s": round(sum(seconds.values()), 2),
        "genes": record.genes,
        "peak_mb": {"interpreter": started, "imports": imported, "preprocessing": made, "with export": peak_mb()},
    }


def peak_mb() -> int:
    """Peak resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def in_fresh_process(folder: Path, name: str) -> dict[str, Any]:
    command = [sys.executable, __file__, "--step", name, "--folder", str(folder)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def geoparse(folder: Path) -> dict[str, Any]:
    """GEOparse on the family file, which is the only way it gives the annotation."""
    import GEOparse  # noqa: PLC0415 - only where asked for

    GEOparse.GEOparse.logger.setLevel("ERROR")
    start = time.process_time()
    series = GEOparse.get_GEO(filepath=str(folder / "GSE1_family.soft.gz"), silent=True)
    return {
        "cpu_s": round(time.process_time() - start, 2),
        "rows": len(series.gpls["GPL1"].table),
        "peak_mb": peak_mb(),
    }


def ours(folder: Path) -> dict[str, Any]:
    """Our readers on the same file: the annotation alone, and everything that GEOparse brings."""

    start = time.process_time()
    annotation = read_annotation(folder / "GSE1_family.soft.gz", "GPL1")
    between = time.process_time()
    soft = read_family_soft(folder / "GSE1_family.soft.gz", with_values=True)
    whole = time.process_time() - between
    assert annotation is not None
    rows = len(annotation.table)
    cpu = {"annotation_cpu_s": round(between - start, 3), "whole_file_cpu_s": round(whole, 2)}
    return {**cpu, "rows": rows, "samples": len(soft.tables["GPL1"].samples), "peak_mb": peak_mb()}


def missing_values(samples: int) -> dict[str, float]:
    """The missing-value rules on arrays, and on the wide table of samples x genes that pandas users write."""

    rng = np.random.default_rng(1)
    values = np.where(rng.random((GENES, samples)) < 0.005, np.nan, rng.normal(size=(GENES, samples)))
    genes, clinical = (
        [f"G{i}" for i in range(GENES)],
        pd.DataFrame({"Trait": rng.integers(0, 2, samples).astype(float)}),
    )
    start = time.process_time()
    found = handle_missing(clinical, genes, values, "Trait", ExpressionSettings())
    arrays = time.process_time() - start
    wide = clinical.join(pd.DataFrame(values.T, columns=genes))
    start = time.process_time()
    wide = wide.loc[:, ["Trait", *(gene for gene in genes if wide[gene].isna().mean() <= 0.2)]]
    wide = wide[wide[wide.columns[1:]].isna().mean(axis=1) <= 0.05]
    for gene in wide.columns[1:]:
        wide[gene] = wide[gene].fillna(wide[gene].mean())
    columns = time.process_time() - start
    np.testing.assert_allclose(wide[found.genes].to_numpy().T, found.values, rtol=1e-12)
    return {
        "arrays_cpu_s": round(arrays, 3),
        "pandas_columns_cpu_s": round(columns, 2),
        "ratio": round(columns / arrays, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probes", type=int, default=30_000)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--geoparse", action="store_true", help="also time GEOparse on the family file (a minute)")
    parser.add_argument("--step", choices=["chain", "geoparse", "ours"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        print(json.dumps({"chain": chain, "geoparse": geoparse, "ours": ours}[given.step](given.folder)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_series(folder, given.probes, given.samples)
        sizes = {path.name: round(path.stat().st_size / 1e6, 1) for path in sorted(folder.iterdir())}
        report: dict[str, Any] = {"files_mb": sizes, "chain": in_fresh_process(folder, "chain")}
        report["original_cpu_s"] = ORIGINAL_CPU_S | {"peak_mb": 988}
        report["soft"] = {"ours": in_fresh_process(folder, "ours")}
        if given.geoparse:
            theirs = in_fresh_process(folder, "geoparse")
            report["soft"] |= {"geoparse": theirs} | {
                f"ratio_{what}": round(theirs["cpu_s"] / report["soft"]["ours"][f"{what}_cpu_s"], 1)
                for what in ("annotation", "whole_file")
            }
        report["missing_values"] = missing_values(given.samples)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
