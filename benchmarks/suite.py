"""The whole inference suite: 8 systems (and 3 counterparts) x 1,047 cases x 2 cohorts, 10,000 draws, in one process.

For each cohort (standard and hard lists) the evaluation (metrics with both bootstraps, overlap shifts, contrasts with
permutations) and every analysis of the suite (difference-in-differences, mixed model, GEE, counterfactual,
standardisation, weights, density, zero density, recency, publication level). Cases are the released ones where
`--cases` names case_table.csv, else generated with the cohort's cluster sizes. Hits are generated: alike within a
publication, and lower where a system cannot lean on it.

    python benchmarks/suite.py [--draws 10000] [--cases case_table.csv --dates pmid_dates.json]
"""

import argparse
import json
import resource
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import norm

from genoplatform.inference.case_items import case_items, decontaminated_pairs
from genoplatform.inference.evaluate import evaluate_items
from genoplatform.inference.suite import panel_of, run_suite
from genoplatform.prioritisation.released import read_case_table
from genoplatform.prioritisation.systems import DECONTAMINATED

# Cases per publication -> publications of the 1,047-case cohort.
COHORT_SIZES = {1: 245, 2: 71, 3: 33, 4: 18, 5: 13, 6: 4, 7: 7, 8: 3, 9: 6, 10: 1, 11: 4, 12: 1, 14: 1, 15: 1, 16: 1}
COHORT_SIZES |= {17: 1, 20: 2, 28: 1, 35: 1, 42: 1}
POOLS = {"developmental": 464, "immunological": 390, "metabolic": 672, "neurological": 3144}
# system -> hit rate on exposed and on other cases
RATES = {
    "likelihood": (0.97, 0.62),
    "likelihood_decontaminated": (0.54, 0.62),
    "phenodigm": (0.96, 0.66),
    "phenodigm_decontaminated": (0.65, 0.66),
    "resnik": (0.95, 0.65),
    "resnik_decontaminated": (0.71, 0.65),
    "K": (0.66, 0.77),
    "S": (0.68, 0.86),
    "O": (0.45, 0.67),
    "L": (0.65, 0.82),
    "D": (0.45, 0.48),
}
REFERENCE = "likelihood"
CONTRASTS = [("S", "K"), ("S", "likelihood"), ("likelihood", "K"), ("resnik", "likelihood")]
COHORTS = {"standard": 0.0, "hard": -1.0}
"""Cohort -> how much harder, on the normal scale."""


def released(table: Path, dates: Path | None) -> pd.DataFrame:
    """The released cases; each case stands for a disease of its own, by gene."""
    cases = read_case_table(table, pmid_dates=dates)
    return cases.assign(disease_ids=[[case_id.split(":")[0]] for case_id in cases["case_id"]])


def generated(seed: int = 7) -> pd.DataFrame:
    """As many cases in publications of the same sizes, with every covariate the suite reads."""
    rng = np.random.default_rng(seed)
    sizes = rng.permutation(np.repeat(list(COHORT_SIZES), list(COHORT_SIZES.values())))
    code = np.repeat(np.arange(len(sizes)), sizes)
    exposed = (rng.random(len(sizes)) < 0.73).astype(int)[code]
    density = np.where((rng.random(len(sizes)) < 0.2)[code], 0, rng.integers(1, 175, len(code)))
    categories = rng.choice(list(POOLS), len(code))
    pools = pd.Series(POOLS)[categories].to_numpy() / pd.Series(categories).map(pd.Series(categories).value_counts())
    return pd.DataFrame(
        {
            "case_id": [f"GENE{i:04d}:PMID_{c}" for i, c in enumerate(code)],
            "cluster": [f"PMID:{c}" for c in code],
            "exposed": exposed,
            "category": categories,
            "rows_total": density + 12 * exposed,
            "density": density,
            "log_density": np.log1p(density),
            "publication_year": pd.array(rng.integers(2005, 2026, len(sizes))[code], dtype="Int64"),
            "disease_ids": [[f"OMIM:{c // 2}"] for c in code],
            "inclusion_probability": 1.0 / pools,
        }
    )


def ranks(cases: pd.DataFrame, harder: float, seed: int = 11) -> pd.DataFrame:
    """Ranks 1 to 50 of every system; a publication is easy or hard for all systems, and for each in its own way."""
    rng = np.random.default_rng(seed)
    code, labels = pd.factorize(cases["cluster"])
    common = rng.normal(size=len(labels))[code]
    tables = []
    for system, (present, absent) in RATES.items():
        latent = 0.6 * common + 0.5 * rng.normal(size=len(labels))[code] + np.sqrt(0.39) * rng.normal(size=len(cases))
        level = norm.ppf(np.where(cases["exposed"] == 1, present, absent)) + harder
        behind = np.clip(2 + (12 * (latent - level)), 2, 50).astype(int)
        table = {"system": system, "case_id": cases["case_id"], "rank": np.where(latent < level, 1, behind)}
        tables.append(pd.DataFrame(table))
    return pd.concat(tables, ignore_index=True).astype({"rank": "float64"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--dates", type=Path)
    options = parser.parse_args()
    cases = released(options.cases, options.dates) if options.cases else generated()
    cohorts = {name: ranks(cases, harder) for name, harder in COHORTS.items()}
    before = resource.getrusage(resource.RUSAGE_SELF)
    seconds: dict[str, float] = {}
    checked: dict[str, float] = {}
    started = time.perf_counter()
    for name, table in cohorts.items():
        start = time.perf_counter()
        items = case_items(cases, table, recency_boundary=2020)
        pairs = [*decontaminated_pairs(list(RATES)), *CONTRASTS]
        evaluate_items(items, pairs, n_boot=options.draws, n_perm=options.draws)
        middle = time.perf_counter()
        tables = run_suite(panel_of(cases, table, 2020), REFERENCE, CONTRASTS, draws=options.draws)
        seconds |= {f"{name}_evaluation_s": middle - start, f"{name}_analyses_s": time.perf_counter() - middle}
        side = tables["did_side_by_side"]
        assert tables["not_estimated"].empty
        checked[f"{name}_mixed_minus_raw"] = float((side["mixed"] - side["raw"]).abs().max())
    total, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF)
    report = {
        "cases": len(cases),
        "publications": int(cases["cluster"].nunique()),
        "systems": sum(not name.endswith(DECONTAMINATED) for name in RATES),
        "counterparts": sum(name.endswith(DECONTAMINATED) for name in RATES),
        "draws": options.draws,
        "whole_suite_s": round(total, 2),
        "cpu_s": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2),
        "peak_memory_mb": round(after.ru_maxrss / 1024, 1),
        **{name: round(value, 2) for name, value in seconds.items()},
        **{name: float(f"{value:.1e}") for name, value in checked.items()},
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
