"""The agentic workflow in the tiny world: every cell and arm as assets, over a real index of the tiny articles.

The dense side is words hashed into a vector, the model a script that answers, obeys the schema, or is gone.
"""

import hashlib
import json
import re
import shutil
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import yaml
from homes import Home, open_home
from tiny import write_world

from genoplatform.agents.llm import ChatAnswer
from genoplatform.definitions import build_defs
from genoplatform.retrieval.vectors import normalised
from genoplatform.runner.failure import RunFailedError
from genoplatform.runner.nodes import read_nodes

AGENTS = '+group:"eval_agents"'
DECLARED = {
    "cells": ["A", "B", "D", "D_real", "L", "S", "S_real", "O", "N"],
    "cases_per_category": 1,
    "fusion_first": "likelihood",
    "leave_one_paper_out": True,
    "lea": {"head": 5, "chunks_per_gene": 2},
    "sensitivity": {"per_category": 1},
    "ablation": {"per_category": 1, "models": ["other"]},
    "judge": {"per_category": 1, "model": "other", "contexts": 2},
    "contrasts": [["S", "likelihood"], ["D_real", "D"]],
}


class HashedWords:
    """An embedder: every word adds one to a place of the vector."""

    identity = {"backend": "hashed", "dimension": 32}  # noqa: RUF012
    usage = {}  # noqa: RUF012
    dimension = 32

    def embed(self, texts):
        vectors = np.zeros((len(texts), 32), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in re.findall(r"[a-z0-9]+", text.lower()):
                row[hashlib.sha256(word.encode()).digest()[0] % 32] += 1
        return normalised(vectors)


class HashedWordsResource:
    @contextmanager
    def open(self, settings, model, tokenizer):
        yield HashedWords()


class ScriptedModels:
    """In the place of `LlmResource`."""

    def __init__(self):
        self.asked = 0
        self.gone_after = None

    def model(self, name=""):
        return Model(self, name or "own")


class Model:
    def __init__(self, models, name):
        self.models = models
        self.identity = {"server": "script", "model": name, "revision": "1", "version": "1", "evidence": "plumbing"}

    def complete(self, requests):
        return [self._answer(request) for request in requests]

    def _answer(self, request):
        self.models.asked += 1
        if self.models.gone_after is not None and self.models.asked > self.models.gone_after:
            return ChatAnswer("", error="server_died")
        if request.purpose == "judge":
            return ChatAnswer(judged(request))
        if request.purpose == "llm_only":
            return ChatAnswer(json.dumps(request.user.split("genes: ")[1].split(", ")[:3]), tokens_in=9, tokens_out=3)
        head = re.search(r"Candidate genes \(\d+\): (.*)", request.user)[1].split(", ")
        answer = [{"gene": head[-1], "confidence": 0.9, "rationale": 'it says "so and so, or not"'}]
        return ChatAnswer(json.dumps(answer), tokens_in=9, tokens_out=3)


def judged(request):
    if "statements" in request.schema["properties"]:
        return '{"statements": ["one", "two"]}'
    if "verdicts" in request.schema["properties"]:
        return '{"verdicts": [1, 0]}'
    return '{"verdict": 1}'


def agents_home(folder, models, declared=DECLARED, start=None):
    """A home whose profile runs the agents, with the stand-ins as its resources; all but the agents as in `start`."""
    world = write_world(folder / "world")
    if start is not None:
        shutil.copytree(start.platform.home_path, folder / "home", ignore=shutil.ignore_patterns("agents"))
    profiles = yaml.safe_load(world.profiles.read_text())
    profiles["embedded"]["agents"] = declared
    world.profiles.write_text(yaml.safe_dump(profiles))
    home = open_home(folder / "home", world)
    resources = {"llm": models, "embedder": HashedWordsResource()}
    defs = build_defs(platform=home.platform, checks=[], resources=resources)
    return replace(home, defs=defs, nodes=read_nodes(defs, home.platform))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    models = ScriptedModels()
    home = agents_home(tmp_path_factory.mktemp("agents"), models)
    home.run(AGENTS)
    return home, models


def table(home: Home, asset: str, partition: str) -> pd.DataFrame:
    return pd.read_parquet(home.path(f"eval/agents/{asset}", partition))


def named(home: Home, asset: str, partition: str, name: str) -> pd.DataFrame:
    return pd.read_parquet(home.path(f"eval/agents/{asset}", partition, "tables") / f"{name}.parquet")


def test_every_declared_cell_ranked_a_handful_of_each_list(made):
    home, _ = made
    for partition, cells in (("standard", 9), ("hard", 8)):  # the paper has no cell O on hard lists
        outcomes = table(home, "outcomes", partition)
        assert outcomes.groupby("cell").size().to_dict() == dict.fromkeys(sorted(set(outcomes["cell"])), 5)
        assert outcomes["cell"].nunique() == cells
        assert set(outcomes.loc[outcomes["cell"].isin(["S", "O", "N", "S_real"]), "evidence"]) == {"plumbing"}
        assert set(outcomes.loc[outcomes["cell"].isin(["A", "B", "D", "D_real", "L"]), "evidence"]) == {"native"}


def test_deterministic_cells_find_genes_that_the_articles_name(made):
    home, _ = made
    outcomes = table(home, "outcomes", "standard").set_index(["cell", "case_id"])
    # Every tiny gene has an article; 23 of the 50 candidates' names are in none.
    assert (outcomes.loc["D", "rank"] <= 25).all()
    assert (outcomes.loc["D", "confidence"] > 0.3).all()


def test_the_script_puts_the_last_of_the_head_first_and_its_quote_is_flagged(made):
    home, _ = made
    outcomes = table(home, "outcomes", "standard").set_index(["cell", "case_id"])
    assert set(outcomes.loc["S", "fallback_reason"]) == {""}
    assert (outcomes.loc["S", "confidence"] == 0.9).all()
    assert (outcomes.loc["S", "quote_not_in_chunk"] == 1).all()
    assert (outcomes.loc["S", "tokens_in"] == 9).all()


def test_the_inert_loop_adds_nothing_and_the_rewriting_one_is_measured(made):
    home, _ = made
    passes = table(home, "passes", "standard")
    later = passes[passes["number"] > 0].groupby("cell")[["queries", "new_chunks"]].sum()
    assert later.loc["D"].tolist() == [0, 0]
    assert later.loc["D_real", "queries"] > 0


def test_cells_never_enter_the_panel_of_the_benchmark(made):
    home, _ = made
    ranks = pd.read_parquet(home.path("eval/prioritisation/ranks", "standard"))
    assert set(ranks["system"]) & {"D", "S", "O", "N"} == set()
    spine = {label.partition("[")[0] for label in home.labels()}
    assert not any(label.startswith("eval/agents") for label in spine)


def test_cells_stand_beside_native_systems_on_the_same_cases(made):
    home, _ = made
    metrics = named(home, "evaluation", "standard", "metrics")
    top1 = metrics[(metrics["metric"] == "top1") & (metrics["subset"] == "full")].set_index("system")
    assert {"S", "likelihood", "resnik", "N"} <= set(top1.index)
    assert set(top1["n"]) == {5}
    errors = named(home, "evaluation", "standard", "reliability")
    assert set(errors["note"]) == {"not calibrated: 5 cases, 50 needed"}
    ranks = named(home, "evaluation", "standard", "ranks")
    assert list(ranks.columns) == ["system", "case_id", "rank", "n_candidates", "tied", "tie_rule"]


def test_every_arm_ran_on_the_standard_lists_and_the_judge_on_both(made):
    home, _ = made
    assert named(home, "arms", "standard", "lopo_comparison").query("subset == 'full'")["n"].tolist() == [5]
    assert named(home, "arms", "standard", "sensitivity")["n"].tolist() == [5, 5, 5]
    assert named(home, "arms", "standard", "judge_ablation")["model"].unique().tolist() == ["other"]
    for partition in ("standard", "hard"):
        means = named(home, "arms", partition, "judge_means").set_index("metric")
        assert means.loc["faithfulness", "mean"] == 0.5
        assert means.loc["context_precision", "mean"] == 1.0
    assert named(home, "arms", "hard", "lopo_comparison").empty


def test_the_released_layout_and_the_audit(made):
    home, _ = made
    folder = home.path("eval/agents/model_cells", "standard", "directory")
    files = sorted(folder.glob("S/eval_1050/cell_S_rerank_inside_plus_lea/*.json"))
    assert len(files) == 5
    assert all(":" not in path.name for path in files)
    assert not home.audit().findings


def test_a_second_run_makes_nothing_and_asks_nothing(made):
    home, models = made
    before, files = models.asked, home.files()
    assert home.stale(AGENTS) == {}
    home.run(AGENTS)
    assert models.asked == before
    assert home.files() == files


def test_forced_again_the_cells_are_the_same_bytes(made):
    home, _ = made
    name = "eval/agents/search_cells/standard/"
    before = {path: digest for path, digest in home.files().items() if path.startswith(name)}
    assert len(before) > 50
    home.run('key:"eval/agents/search_cells"', partition="standard", force=True)
    assert {path: digest for path, digest in home.files().items() if path.startswith(name)} == before


def test_a_model_that_dies_stops_the_run_and_the_next_goes_on(made, tmp_path):
    declared = {"cells": ["S"], "cases_per_category": 1, "block": 1, "lists_without": {"S": ["hard"]}}
    models = ScriptedModels()
    models.gone_after = 2
    home = agents_home(tmp_path, models, declared, made[0])
    with pytest.raises(RunFailedError, match=r"3 cases in a row without an answer of the model .*server_died"):
        home.run('+key:"eval/agents/model_cells"')
    assert not home.path("eval/agents/model_cells", "standard", "directory").exists()
    staged = list((home.platform.home_path / "work").rglob("cell_S_rerank_inside_plus_lea/*.json"))
    assert len(staged) == 2
    models.gone_after = None
    asked = models.asked
    home.run('+key:"eval/agents/model_cells"')
    assert models.asked - asked == 3
    assert len(list(home.path("eval/agents/model_cells", "standard", "directory").glob("S/*/*plus_lea/*.json"))) == 5


def test_a_profile_without_the_section_asks_nothing_and_makes_empty_artefacts(made, tmp_path):
    models = ScriptedModels()
    home = agents_home(tmp_path, models, None, made[0])
    home.run(AGENTS)
    assert models.asked == 0
    folder = home.path("eval/agents/model_cells", "standard", "directory")
    assert [path.name for path in folder.iterdir()] == ["not_used.json"]
    assert table(home, "outcomes", "standard").empty
    assert named(home, "arms", "hard", "lopo_comparison").empty
