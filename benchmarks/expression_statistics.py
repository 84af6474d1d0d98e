"""Expression statistics at 200 samples x 15,000 genes: CPU seconds against stand-ins for the original's way.

In one run: Lasso and mixed-model tuning over seven penalties and five folds, every gene tested in a mixed model, and
the memory each adds. The stand-ins do what the original does: scikit-learn's Lasso from zero at each penalty (its plain
and its rotated form), and a pseudo-inverse a gene (on fewer genes, scaled). Ours converge; theirs stop early at small
penalties, as the largest relative gaps show. Checks that both give the same p-values.

    python benchmarks/expression_statistics.py [--samples 200] [--genes 15000] [--loop-genes 1000] [--without-originals]
"""

import argparse
import json
import os
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import psutil
from scipy.stats import t as student

from genoplatform.expression.statistics.arrays import Samples, Scaling
from genoplatform.expression.statistics.folds import balanced_folds
from genoplatform.expression.statistics.kernel import Kernel, gene_kernel
from genoplatform.expression.statistics.lasso import fit_lasso
from genoplatform.expression.statistics.lasso_compat import fit_lasso_compat
from genoplatform.expression.statistics.mixed_compat import fit_mixed_compat
from genoplatform.expression.statistics.mixed_lasso import fit_mixed_lasso
from genoplatform.expression.statistics.mixed_test import lmm_test
from genoplatform.expression.statistics.null_model import fit_null, intercept_only
from genoplatform.expression.statistics.tuning import tune

GRID = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0]
RELATED = range(0, 15_000, 70)


def cohort(n: int, p: int, seed: int = 7) -> Samples:
    """Correlated genes (shared factors), families among samples, and a binary trait of a few genes."""
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(n, 20)) @ rng.normal(size=(20, p)) * 0.3
    x = factors + rng.normal(size=(n, p)) + 0.5 * rng.normal(size=(n // 4, p))[np.arange(n) // 4]
    y = (x[:, :10].sum(axis=1) + 2.0 * rng.normal(size=n) > 0).astype(float)
    return Samples(x, y, np.empty((n, 0)))


class Peak:
    """Largest resident memory while a call runs, sampled."""

    def __init__(self) -> None:
        self.process, self.largest, self.running = psutil.Process(os.getpid()), 0, True
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while self.running:
            self.largest = max(self.largest, self.process.memory_info().rss)
            time.sleep(0.005)

    def __enter__(self) -> "Peak":
        self.before = self.process.memory_info().rss
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.running = False
        self.thread.join()

    @property
    def added_mb(self) -> float:
        """By how much it rose."""
        return (self.largest - self.before) / 1e6


def measured(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """Result, CPU seconds (all threads) and added peak memory in MB."""
    with Peak() as peak:
        start = time.process_time()
        result = call()
        seconds = time.process_time() - start
    return result, seconds, peak.added_mb


def test_genes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    kernel = Kernel.of(gene_kernel(x))
    ones = intercept_only(len(y))
    return lmm_test(kernel, fit_null(kernel, y, ones).delta, x, y, ones).p


def test_genes_one_by_one(x: np.ndarray, y: np.ndarray, genes: int) -> np.ndarray:
    """A pseudo-inverse a gene, given the same null model."""
    kernel, n = Kernel.of(gene_kernel(x)), len(y)
    delta = fit_null(kernel, y, intercept_only(n)).delta
    root = np.sqrt(1.0 / (kernel.eigenvalues + delta))
    turned, target, ones = (kernel.vectors * root).T @ x, root * kernel.rotate(y), root * kernel.rotate(np.ones(n))
    p = np.empty(genes)
    for j in range(genes):
        a = np.column_stack([ones, turned[:, j]])
        inverse = np.linalg.pinv(a.T @ a)
        beta = inverse @ a.T @ target
        residual = target - a @ beta
        se = np.sqrt(residual @ residual / (n - 2) * inverse[1, 1])
        p[j] = 2 * student.sf(abs(beta[1] / se), n - 2)
    return p


def tuning_rows(samples: Samples, originals: bool) -> dict[str, dict[str, float]]:
    folds = balanced_folds(samples.y, None)
    fitters = {"lasso": fit_lasso, "mixed": fit_mixed_lasso}
    if originals:
        fitters |= {"lasso_original": fit_lasso_compat, "mixed_original": fit_mixed_compat}
    rows = {}
    for name, fitter in fitters.items():
        found, seconds, added = measured(lambda fitter=fitter: tune(fitter, samples, GRID, folds, RELATED))
        gap = found.table["largest_relative_gap"].max()
        rows[name] = {"cpu_s": round(seconds, 2), "added_mb": round(added), "largest_relative_gap": float(f"{gap:.1e}")}
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--genes", type=int, default=15_000)
    parser.add_argument("--loop-genes", type=int, default=1_000)
    parser.add_argument("--without-originals", action="store_true")
    options = parser.parse_args()
    samples = cohort(options.samples, options.genes)
    x = Scaling.of(samples.x).apply(samples.x)
    fit_lasso(samples, [1.0])  # imports and threads are not what is measured
    report: dict[str, Any] = {"samples": options.samples, "genes": options.genes, "x_mb": round(samples.x.nbytes / 1e6)}
    report |= tuning_rows(samples, not options.without_originals)
    p, seconds, added = measured(lambda: test_genes(x, samples.y))
    report["test"] = {"cpu_s": round(seconds, 3), "added_mb": round(added)}
    few = min(options.loop_genes, options.genes)
    slow, loop_seconds, _ = measured(lambda: test_genes_one_by_one(x, samples.y, few))
    np.testing.assert_allclose(p[:few], slow, rtol=1e-9)
    scaled = loop_seconds * options.genes / few
    report["test_original"] = {"cpu_s": round(scaled, 2)}
    report["ratios"] = {"test": round(scaled / seconds, 1)}
    for name in ("lasso", "mixed"):
        if f"{name}_original" in report:
            ratio = report[f"{name}_original"]["cpu_s"] / report[name]["cpu_s"]
            report["ratios"][name] = round(ratio, 1)
    most = max(report[name]["added_mb"] for name in ("lasso", "mixed", "test")) / report["x_mb"]
    report["largest_added_memory_in_x"] = round(most, 2)
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
