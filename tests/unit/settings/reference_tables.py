"""The published values as artefact tables, straight from the shared reference files: what the claims file must equal.

Each function builds the tables of one group of analyses under the names the claims call them by.
"""

import json
from pathlib import Path

import pandas as pd

from genoplatform.inference.claims import named_tables

Tables = dict[str, pd.DataFrame]
EVALUATION, ANALYSES, JUDGE, LOPO = (f"eval/inference/{name}" for name in ("evaluation", "analyses", "judge", "lopo"))
METRICS = ("top1", "top5", "top10", "mrr", "ndcg10")


def reference_tables(released: Path) -> Tables:
    ref = json.loads((released / "reference_values.json").read_text())
    tables: Tables = {}
    for difficulty in ("standard", "hard"):
        evaluation = {"metrics": metrics(ref, difficulty), "contrasts": contrasts(ref, difficulty)}
        analyses = {
            "results_table": pd.read_csv(released / f"results_table_{difficulty}.csv").rename(
                {"cell": "system"}, axis=1
            ),
            "multiplicity": multiplicity(ref, difficulty),
            "difficulty_split": difficulty_split(released),
        }
        tables |= named_tables(EVALUATION, difficulty, evaluation) | named_tables(ANALYSES, difficulty, analyses)
        tables |= named_tables(JUDGE, difficulty, {"means": judge_means(ref, difficulty)})
    shifts = pd.DataFrame([{"system": k, **v} for k, v in ref["wp3_did"]["per_system"].items()])
    resnik = pd.DataFrame([{"system": "R", "shift": ref["c2_resnik_ci"]["overlap_shift_standard"]}])
    standard = named_tables(EVALUATION, "standard", {"overlap_shift": pd.concat([shifts, resnik])})
    others = did(ref) | weighted(ref) | density(ref) | zero_density(ref) | audits(ref) | recency(ref)
    others |= {"did_shifts": shifts, "publication_level": publication_level(ref)}
    standard |= named_tables(ANALYSES, "standard", others) | named_tables(JUDGE, "standard", judge(ref))
    return tables | standard | named_tables(LOPO, "standard", lopo(ref))


def metrics(ref: dict, difficulty: str) -> pd.DataFrame:
    rows = []
    for system, subsets in ref["stratum_table_wp7"][difficulty].items():
        for subset, values in subsets.items():
            top1 = ref["wp4_point_ci"][difficulty].get(system, {}).get(subset)
            if system == "R" and subset in ref["c2_resnik_ci"][difficulty]:
                top1 = {"cluster": ref["c2_resnik_ci"][difficulty][subset], "case": [None, None]}
            for i, metric in enumerate(METRICS):
                row = {"system": system, "subset": subset, "metric": metric, "n": values["n"]}
                row |= {"n_publications": values["n_pub"], "value": values[metric]}
                row["count"] = values["counts"][i] if i < 3 else None
                if metric == "top1" and top1:
                    row |= dict(zip(("cluster_lo", "cluster_hi"), top1["cluster"], strict=True))
                    row |= dict(zip(("case_lo", "case_hi"), top1["case"], strict=True))
                rows.append(row)
    return pd.DataFrame(rows)


def contrasts(ref: dict, difficulty: str) -> pd.DataFrame:
    rows = []
    for key, values in ref["wp4_contrasts"].items():
        home, subset, pair = key.split("/")
        if home == difficulty:
            a, b = pair.split("-")
            rows.append({"subset": subset, "system_a": a, "system_b": b, **values})
    return pd.DataFrame(rows).rename({"n_pub": "n_publications", "cl_lo": "cluster_lo", "cl_hi": "cluster_hi"}, axis=1)


def multiplicity(ref: dict, difficulty: str) -> pd.DataFrame:
    rows = []
    for family, values in ref["wp4_multiplicity"].items():
        if family != "basis" and family.endswith("hard") == (difficulty == "hard"):
            for key in values["raw"]:
                subset, _, pair = ("overlap_absent " + key if " " not in key else key).partition(" ")
                a, b = pair.split("-")
                ps = {f"p_{name}": values[source][key] for name, source in zip(_P, ("raw", "holm", "bh"), strict=True)}
                rows.append({"family": family, "subset": subset, "system_a": a, "system_b": b, **ps})
    return pd.DataFrame(rows)


_P = ("cluster", "holm", "bh")


def difficulty_split(released: Path) -> pd.DataFrame:
    variants = json.loads((released / "difficulty_tie_split.json").read_text())["variants"]
    return pd.DataFrame([{"difficulty": name, **values} for name, values in variants.items()])


def publication_level(ref: dict) -> pd.DataFrame:
    rows = [dict(zip(("first", "second"), k.split("-"), strict=True)) | v for k, v in ref["wp4b"].items()]
    names = {"mean_a": "mean_first", "mean_b": "mean_second", "diff": "difference", "n_discordant_pubs": "n_discordant"}
    return pd.DataFrame(rows).rename(names, axis=1)


def did(ref: dict) -> Tables:
    published = ref["wp3_did"]
    mixed = pd.DataFrame([{"system": k, **v} for k, v in published["mixedlm"]["terms"].items()])
    mixed = mixed.assign(reference="M", n_obs=published["mixedlm"]["n_obs"], n_groups=published["mixedlm"]["n_groups"])
    gee = pd.DataFrame([{"system": k, **v, "reference": "M"} for k, v in published["gee_logit"].items()])
    standard, sizes = published["direct_standardisation"], ref["cohort"]["category_by_overlap"]
    strata = [
        {"system": system, "exposed": flag, "category": category, "n": sizes[category][j],
         "hits": values[f"{side}_counts"][i], "rate": values[f"{side}_by_cat"][i]}
        for system, values in standard["systems"].items()
        for j, (flag, side) in enumerate(((1, "present"), (0, "absent")))
        for i, category in enumerate(standard["order"])
    ]  # fmt: skip
    return {
        "did_mixed": mixed,
        "did_differences": mixed.rename({"coef": "difference"}, axis=1),
        "did_gee": gee.rename({"or": "odds_ratio", "or_lo": "lo", "or_hi": "hi"}, axis=1),
        "standardised": pd.DataFrame([{"system": k, **v} for k, v in standard["systems"].items()]),
        "standardised_strata": pd.DataFrame(strata),
    }


def weighted(ref: dict) -> Tables:
    published = ref["wp5_design_weighted"]
    rates = [(k, s, v) for k, subsets in published["estimates"].items() for s, v in subsets.items()]
    rows = [{"system": system, "subset": subset, **v, **_ends(v)} for system, subset, v in rates]
    deltas = []
    for key, values in published["deltas"].items():
        pair, subset = key.split("/")
        head = dict(zip(("first", "second"), pair.split("-"), strict=True))
        deltas.append({**head, "subset": subset, "unweighted": values["u"], "ht": values["ht"], **_ends(values)})
    return {"weighted": pd.DataFrame(rows), "weighted_deltas": pd.DataFrame(deltas)}


def _ends(values: dict) -> dict[str, float]:
    return dict(zip(("u_lo", "u_hi", "ht_lo", "ht_hi"), (*values["u_ci"], *values["ht_ci"]), strict=True))


def density(ref: dict) -> Tables:
    published = ref["wp6_density"]
    overlap = [
        {"column": column, "group": group, **published["by_stratum"][key][group],
         "mwu_u": published["by_stratum"][key]["mwu_U"], "mwu_p": published["by_stratum"][key]["mwu_p"]}
        for column, key in (("rows_total", "total"), ("density", "own_excluded"))
        for group in ("present", "absent")
    ]  # fmt: skip
    names = {"adj": "adjusted", "adj_se": "adjusted_se", "adj_p": "adjusted_p", "logdens": "log_density"}
    names |= {"logdens_p": "log_density_p", "pct_attenuation": "attenuation"}
    gee = pd.DataFrame([{"system": k, **v} for k, v in published["gee"].items()]).rename(names, axis=1)
    interaction = [
        {"system": k, "reference": "M"}
        | dict(zip(("crude", "crude_se", "crude_p"), crude, strict=True))
        | dict(zip(("adjusted", "adjusted_se", "adjusted_p"), published["interaction_adjusted"][k], strict=True))
        for k, crude in published["interaction_crude"].items()
    ]
    quintiles = published["quintiles"]
    strata = [
        {"system": k, "bin": b + 1, "density_min": quintiles["range"][b][0], "density_max": quintiles["range"][b][1],
         "n_present": quintiles["n_present"][b], "n_absent": quintiles["n_absent"][b],
         "present": quintiles[k]["p"][b], "absent": quintiles[k]["a"][b]}
        for k in "MKSO" for b in range(5)
    ]  # fmt: skip
    return {
        "density_by_overlap": pd.DataFrame(overlap),
        "density_shift": gee,
        "density_interaction": pd.DataFrame(interaction),
        "quintile_strata": pd.DataFrame(strata),
        "quintiles": pd.DataFrame([{"system": k, "shift": quintiles[k]["pooled"]} for k in "MKSO"]),
    }


def zero_density(ref: dict) -> Tables:
    published = ref["a1_zero_density"]
    strata = [
        {"system": k, "stratum": s, "n": published["n"][s][0], "n_publications": published["n"][s][1]}
        | dict(zip(("hits", "rate", "lo", "hi"), values[s], strict=True))
        for k, values in published["systems"].items()
        for s in "ZPA"
    ]
    gradients = [
        {"system": k, "gradient": v["gradient"], "lo": v["ci"][0], "hi": v["ci"][1], "p": v["p"]}
        | {"versus_reference": v["vs_M"]}
        for k, v in published["systems"].items()
    ]
    return {"zero_density": pd.DataFrame(strata), "zero_gradients": pd.DataFrame(gradients)}


def recency(ref: dict) -> Tables:
    rows = []
    for system in "KMSOLD":
        t = ref["stratum_table_wp7"]["standard"][system]
        late = t["post2020_overlap_absent"]
        rows.append({"system": system, "scope": "all", "n_before": t["pre2020"]["n"], "n_after": t["post2020"]["n"]})
        rows[-1] |= {"before": t["pre2020"]["top1"], "after": t["post2020"]["top1"]}
        rows.append({"system": system, "scope": "overlap_absent", "n_before": t["overlap_absent"]["n"] - late["n"]})
        rows[-1] |= {"n_after": late["n"], "after": late["top1"]}
    return {"recency": pd.DataFrame(rows)}


def audits(ref: dict) -> Tables:
    cells, ties = ref["i1_perfect_cells"], ref["wp9b_ties"]
    perfect = [
        {"system": k, "top_k": depth, "n": ref["stratum_table_wp7"]["standard"][k]["overlap_absent"]["n"],
         "hits": counts[i], "worst_tie_hits": cells["worst_tie_counts"][k][i],
         "tied_cases": cells["tied_causal_cases"][k], "max_rank": cells["max_causal_rank"][k]}
        for k, counts in cells["counts"].items()
        for i, depth in enumerate((1, 5, 10))
    ]  # fmt: skip
    sizes = [{"system": k, "tied": int(s), "n_cases": n} for k, v in ties.items() for s, n in v["hist"].items()]
    audit = [{"system": k, "n": sum(v["hist"].values()), **v} for k, v in ties.items()]
    return {
        "perfect_cells": pd.DataFrame(perfect),
        "tie_audit": pd.DataFrame(audit),
        "tie_sizes": pd.DataFrame(sizes),
    }


def lopo(ref: dict) -> Tables:
    published = ref["lopo_cell_S"]
    rows = []
    for subset in ("full", "overlap_present", "overlap_absent"):
        v = published[subset]
        row = {"subset": subset, "n": v["n"], "control_top1": v["control"], "left_out_top1": v["lopo"]}
        row |= {"delta": v["delta"], "b": v["disc"][0], "c": v["disc"][1], "p_mcnemar": v["p"]}
        for arm, key in (("control", "control_top5_10"), ("left_out", "lopo_top5_10")):
            row |= dict(zip((f"{arm}_top5", f"{arm}_top10"), v.get(key, [None, None]), strict=True))
        rows.append({**row, "source_in_pool": v["source_in_pool_rate"]})
    for category, (control, left_out) in published["per_category"].items():
        rows.append({"subset": f"category:{category}", "control_top1": control, "left_out_top1": left_out})
    against = [
        {"system": k, "subset": subset} | dict(zip(("delta", "b", "c", "p_mcnemar"), values, strict=True))
        for k in "KM"
        for subset, values in published[f"lopo_vs_{k}"].items()
    ]
    return {"comparison": pd.DataFrame(rows), "against_systems": pd.DataFrame(against)}


def judge_means(ref: dict, difficulty: str) -> pd.DataFrame:
    runs = {k.removesuffix(f"_{difficulty}"): v for k, v in ref["wp8_judge"]["runs"].items() if k.endswith(difficulty)}
    names = ("mean", "lo", "hi", "n")
    rows = [
        {"run": run, "metric": metric} | dict(zip(names, values, strict=True))
        for run, found in runs.items()
        for metric, values in found.items()
    ]
    return pd.DataFrame(rows)


def judge(ref: dict) -> Tables:
    published = ref["wp8_judge"]
    split = ("threshold", "n_above", "n_below", "accuracy_above", "accuracy_below", "recall")
    triage, points, bins, ablation = [], [], [], []
    for run, v in published["triage"].items():
        area = dict(zip(("auroc", "lo", "hi"), v["auroc"], strict=True))
        n = v["median_split"][1] + v["median_split"][2]
        triage.append({"run": run, "n": n, "n_publications": v["n_pub"], "prevalence": v["prevalence"], **area})
        triage[-1]["auprc"] = v["auprc"]
        for rule, key in (("median", "median_split"), ("youden", "youden")):
            points.append({"run": run, "rule": rule} | dict(zip(split, v[key], strict=True)))
        bins += [{"run": run, "bin": i, "mean_score": m, "accuracy": a} for i, (m, a) in enumerate(v["calib"], 1)]
    for model, v in published["ablation"].items():
        ablation.append({"model": model, "scope": "all", "n": v["n"], "errors": v["errors"], "as_run": v["as_run"]})
        ablation[-1] |= {"n_ok": v["n_ok"], "error_excluded": v["err_excl"]}
        ablation.append({"model": model, "scope": "overlap_absent", "n": v["n_fair"], "as_run": v["fair_as_run"]})
        ablation[-1] |= {"errors": v["n_fair"] - v["n_fair_ok"], "n_ok": v["n_fair_ok"]}
        ablation[-1] |= {"error_excluded": v["fair_err_excl"]}
    confidence = published["confidence"]
    rule = confidence["any_threshold_0.5_to_0.9"]
    one = {"n_above": rule["n_above"], "n_below": rule["n_below"], "accuracy_above": rule["acc_above"]}
    one |= {"accuracy_below": rule["acc_below"], "share_above": confidence["share_ge_0.8"]}
    return {
        "triage": pd.DataFrame(triage),
        "points": pd.DataFrame(points),
        "bins": pd.DataFrame(bins),
        "ablation": pd.DataFrame(ablation),
        "confidence": pd.DataFrame([{"threshold": t, **one} for t in (0.5, 0.6, 0.7, 0.8, 0.9)]),
        "confidence_triage": pd.DataFrame([{"system": "S", "auroc": confidence["auroc"]}]),
    }
