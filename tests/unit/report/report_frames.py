"""A made-up benchmark of eight cases, with every number a test states written out here."""

import pandas as pd

from genoplatform.report import ReportInputs

METRIC_COLUMNS = [
    *("subset", "system", "metric", "n", "n_publications", "value", "count"),
    *("cluster_lo", "cluster_hi", "case_lo", "case_hi"),
]
CONTRAST_COLUMNS = [
    *("subset", "system_a", "system_b", "n", "n_publications", "correct_a", "correct_b", "delta"),
    *("cluster_lo", "cluster_hi", "case_lo", "case_hi", "b", "c", "p_mcnemar", "p_cluster", "p_holm", "p_bh"),
]
NAN = float("nan")


def cases(exposed=(1, 1, 1, 1, 1, 1, 0, 0)):
    n = len(exposed)
    return pd.DataFrame(
        {
            "case_id": [f"G{i}:PMID_{i}_OMIM_1" for i in range(n)],
            "cohort": "publication_profiles",
            "category": ["metabolic", "other"] * (n // 2),
            "stratum": ["metabolic|exposed"] * n,
            "disease_ids": [[f"OMIM:{i % 7}"] for i in range(n)],
            "cluster": [f"PMID:{i // 2}" for i in range(n)],
            "inclusion_probability": [0.25 if flag else 1.0 for flag in exposed],
            "exposed": exposed,
            "density": [0, 1, 2, 3, 4, 5, 6, 0][:n],
            "log_density": [0.0, 0.7, 1.1, 1.4, 1.6, 1.8, 1.9, 0.0][:n],
            "publication_year": pd.array([1999, 2001, 2005, None, 2010, 2015, 2021, 2023][:n], dtype="Int64"),
            "year_source": ["interpolated"] * n,
        }
    )


def ranks(base=(1, 1, 1, 1, 2, 1, 1, 3), removed=(1, 4, 8, 30, 2, NAN, 1, 3), system="resnik"):
    n = len(base)
    table = pd.DataFrame(
        {
            "system": [system] * n + [f"{system}_decontaminated"] * n,
            "case_id": list(cases()["case_id"][:n]) * 2,
            "rank": [float(r) for r in [*base, *removed]],
        }
    )
    return table.assign(n_candidates=50, tied=1, tie_rule="candidate_order")


def metrics(system="resnik"):
    rows = []
    values = {
        ("full", ""): (8, 4, 0.75),
        ("overlap_present", ""): (6, 3, 0.8333),
        ("overlap_absent", ""): (2, 1, 0.5),
        ("overlap_present", "_decontaminated"): (6, 3, 0.1667),
        ("overlap_absent", "_decontaminated"): (2, 1, 0.5),
    }
    for (subset, suffix), (n, publications, value) in values.items():
        ends = (NAN, NAN) if publications == 1 else (value - 0.1, value + 0.1)
        for metric in ("top1", "top5", "top10", "mrr", "ndcg10"):
            rows.append((subset, system + suffix, metric, n, publications, value, round(n * value), *ends, *ends))
    return pd.DataFrame(rows, columns=METRIC_COLUMNS)


def contrasts(a="resnik", b="resnik_decontaminated", delta=0.6667, lo=0.4, hi=0.9, only=(4, 0), p=0.0123):
    row = ("overlap_present", a, b, 6, 3, 5, 1, delta, lo, hi, lo, hi, *only, 0.125, p, p, p)
    return pd.DataFrame([row], columns=CONTRAST_COLUMNS)


def overlap_shift(system="resnik"):
    columns = ["system", "n_present", "n_absent", "present", "absent", "shift", "lo", "hi"]
    return pd.DataFrame([(system, 6, 2, 0.8333, 0.5, -0.3333, -0.6, -0.1)], columns=columns)


def evaluation(system="resnik"):
    return {"metrics": metrics(system), "contrasts": contrasts(), "overlap_shift": overlap_shift(system)}


def removed():
    table = pd.DataFrame({"case_id": cases()["case_id"], "causal_terms": [10, 10, 10, 10, 0, 10, 10, 10]})
    return table.assign(
        causal_terms_removed=[0, 2, 5, 9, 0, 10, 0, 0], edges_removed=1, genes_affected=1, genes_emptied=0
    )


def profile():
    return {
        "name": "embedded",
        "title": "A laptop",
        "slots": {"hpoa_knowledge": "hpoa@old", "hpoa_current": "hpoa@new", "phenopackets": None},
        "cohort": {"source": "publication_profiles", "recency_boundary": 2020, "sample_per_stratum": {"metabolic": 3}},
        "inference": {"bootstrap_draws": 10000, "permutation_draws": 10000, "seed": 42},
    }


def report_inputs(**changes):
    parts = {
        "profile": profile(),
        "cases": cases(),
        "funnel": pd.DataFrame(
            [("publications", 30, 0, ""), ("eligible", 20, 10, "few_terms"), ("sample", 8, 12, "not_drawn")],
            columns=["stage", "n", "dropped", "reason"],
        ),
        "strata": pd.DataFrame(
            [("metabolic|exposed", 12, 3, 0.25), ("metabolic|unexposed", 1, 1, 1.0)],
            columns=["stratum", "eligible", "drawn", "inclusion_probability"],
        ),
        "evaluations": {"hard": evaluation(), "standard": evaluation()},
        "ranks": {"hard": ranks(), "standard": ranks()},
        "removed": removed(),
        "provenance": [
            {
                "asset": "eval/prioritisation/ranks",
                "partition": "hard",
                "sha256": "a" * 64,
                "data_version": "b" * 64,
                "pins": ["hpoa@old " + "c" * 64],
            }
        ],
    }
    return ReportInputs(**{**parts, **changes})


def without_unexposed():
    """The same benchmark with no unexposed case, as the evaluation leaves it: no rows of that subset."""
    all_exposed = cases((1,) * 8)
    table = metrics()
    tables = {
        "metrics": table[table["subset"] != "overlap_absent"],
        "contrasts": contrasts(),
        "overlap_shift": overlap_shift().iloc[:0],
    }
    return report_inputs(cases=all_exposed, evaluations={"hard": tables}, ranks={"hard": ranks()})


def four_systems():
    """The same scores under the names of four systems."""
    names = ["resnik", "phenodigm", "likelihood_excluded", "likelihood"]
    tables = {
        "metrics": pd.concat([metrics(name) for name in names]),
        "contrasts": pd.concat([contrasts(name, f"{name}_decontaminated") for name in names]),
        "overlap_shift": pd.concat([overlap_shift(name) for name in names]),
    }
    listed = pd.concat([ranks(system=name) for name in names])
    return report_inputs(
        evaluations=dict.fromkeys(("hard", "standard"), tables), ranks=dict.fromkeys(("hard", "standard"), listed)
    )


def releases():
    """Eight cases with three releases and two systems: the first release holds two of them, the last all."""
    rows = []
    for release, overlap, top1 in (("2020-10-13", 0.25, 0.5), ("2023-04-05", 0.75, 0.625), ("2026-06-06", 1.0, 0.875)):
        ranked = 0.875 if release == "2020-10-13" else 1.0
        for system, less in (("likelihood", 0.0), ("resnik", 0.125)):
            value = top1 - less
            rows.append((release, system, 8, 4, overlap, ranked, value, value - 0.1, value + 0.1, 0.75, 0.7, 0.8))
    ends = [f"top{k}{end}" for k in (1, 10) for end in ("", "_lo", "_hi")]
    return pd.DataFrame(rows, columns=["release", "system", "n", "n_publications", "overlap_rate", "ranked", *ends])


def shifts(lo=-0.6, hi=-0.1):
    return overlap_shift().assign(lo=lo, hi=hi)


def side_by_side(**changes):
    row = {
        "system": "resnik",
        "reference": "likelihood",
        **{"raw": 0.0875, "raw_lo": 0.004, "raw_hi": 0.1696, "mixed": 0.0875, "mixed_se": 0.0123, "mixed_p": 1e-12},
        **{"odds_ratio": 4.4774, "odds_ratio_lo": 0.7956, "odds_ratio_hi": 25.1986, "odds_ratio_p": 0.089},
        **{"gee_converged": True, "counterfactual": 0.288},
    }
    return pd.DataFrame([row | changes])


def zero_density():
    rows = [
        (f"resnik{suffix}", stratum, n, n, round(n * rate), rate, rate - 0.05, rate + 0.05)
        for suffix, rates in (("", (0.9, 0.8, 0.5)), ("_decontaminated", (0.1, 0.4, 0.5)))
        for stratum, n, rate in zip("ZPA", (2, 4, 2), rates, strict=True)
    ]
    columns = ["system", "stratum", "n", "n_publications", "hits", "rate", "lo", "hi"]
    return pd.DataFrame(rows, columns=columns)


def analyses():
    """One list's analyses: what the page shows of them, and a table it does not know."""
    shift = {"system": "resnik", "crude": -0.3333, "crude_p": 0.002, "adjusted": -0.2222, "adjusted_p": 0.04}
    gradients = [("resnik", 0.1, -0.2, 0.3, 0.5, 0.0), ("resnik_decontaminated", -0.3, -0.5, -0.1, 0.01, -0.4)]
    return {
        "did_side_by_side": side_by_side(),
        "did_shifts": shifts(),
        "shifts_by_disease": shifts(-0.7, 0.05).assign(n_clusters=7, n_clusters_absent=2),
        "zero_density": zero_density(),
        "zero_gradients": pd.DataFrame(gradients, columns=["system", "gradient", "lo", "hi", "p", "versus_reference"]),
        "density_shift": pd.DataFrame([shift]),
        "quintiles": pd.DataFrame({"system": ["resnik"], "shift": [-0.1111], "bins_used": [4]}),
        "standardised": pd.DataFrame({"system": ["resnik"], "shift_std": [-0.0444]}),
        "not_estimated": pd.DataFrame({"analysis": ["recency"], "reason": ["no recent case <b>"]}),
        "something_else": pd.DataFrame({"a": [1]}),
    }
