"""Cells K and M in the asset graph, with a stand-in for Java: ranks under each tool's tie rule, and what is recorded.

The stand-in gives every case the same answer: of 24 genes, those of even number score 0.9 and the others 0.5. Whatever
is not among them scores 0, so that every tie rule decides often.
"""

import json
from dataclasses import replace

import pandas as pd
import pytest
import stand_in_java
import yaml
from homes import Home, open_home
from tiny import DISEASES, gene, omim, write_world

from genoplatform.definitions import build_defs
from genoplatform.provenance import read_sidecar
from genoplatform.resources.exomiser import ExomiserResource
from genoplatform.resources.lirical import LiricalResource
from genoplatform.runner.failure import RunFailedError

RANKS = '+key:"eval/prioritisation/ranks"'
SCORES = {gene(disease): 0.9 if disease % 2 == 0 else 0.5 for disease in DISEASES}
ORPHANET = """\
<JDBOR><DisorderList><Disorder><OrphaCode>1</OrphaCode><DisorderGeneAssociationList><DisorderGeneAssociation>
<Gene><Symbol>TG70</Symbol></Gene></DisorderGeneAssociation></DisorderGeneAssociationList></Disorder></DisorderList>
</JDBOR>"""


def install_exomiser(folder):
    (folder / "data" / "2402_phenotype").mkdir(parents=True)
    (folder / "exomiser-cli-14.0.2.jar").write_bytes(b"jar of Exomiser")
    (folder / "application.properties").write_text("exomiser.phenotype.data-version=2402\n")
    return folder


def install_lirical(folder):
    (folder / "data").mkdir(parents=True)
    (folder / "lirical-cli-2.4.0.jar").write_bytes(b"jar of LIRICAL")
    links = [f"{omim(disease).removeprefix('OMIM:')}\t{700 + disease}\tphenotype\t-\t-\t-\n" for disease in DISEASES]
    mim2gene = "#MIM number\tGeneID\ttype\tSource\tMedGenCUI\tComment\n" + "".join(links)
    texts = {"hp.json": "{}", "phenotype.hpoa": "#", "mim2gene_medgen": mim2gene, "en_product6.xml": ORPHANET}
    for name, text in texts.items():
        (folder / "data" / name).write_text(text)
    return folder


def answers() -> dict[str, str]:
    genes = "".join(f"{symbol}\t{score}\n" for symbol, score in SCORES.items())
    results = [{"diseaseId": omim(disease), "posttestProbability": SCORES[gene(disease)]} for disease in DISEASES]
    return {
        "exomiser": "#GENE_SYMBOL\tEXOMISER_GENE_PHENO_SCORE\n" + genes,
        "lirical": json.dumps({"analysisResults": results}),
    }


@pytest.fixture(scope="module")
def java(tmp_path_factory):
    return stand_in_java.install(tmp_path_factory.mktemp("java") / "java", **answers())


@pytest.fixture(scope="module")
def home(java, tmp_path_factory) -> Home:
    """A profile whose systems are the two programs and nothing else, on a small sample."""
    folder = tmp_path_factory.mktemp("baselines")
    world = write_world(folder / "world")
    content = yaml.safe_load(world.profiles.read_text())
    content["embedded"]["ranking"] |= {"systems": ["exomiser", "lirical"], "fusions": []}
    content["embedded"]["cohort"]["sample_per_stratum"] = dict.fromkeys(
        content["embedded"]["cohort"]["sample_per_stratum"], 1
    )
    world.profiles.write_text(yaml.safe_dump(content))
    resources = {
        "exomiser": ExomiserResource(
            home=str(install_exomiser(folder / "exomiser")), java=java.java, results=str(folder / "results-k")
        ),
        "lirical": LiricalResource(
            home=str(install_lirical(folder / "lirical")), java=java.java, workers=2, results=str(folder / "results-m")
        ),
    }
    opened = open_home(folder / "home", world)
    return replace(opened, defs=build_defs(platform=opened.platform, checks=[], resources=resources))


@pytest.fixture(scope="module")
def crashed(home, java) -> str:
    """The first term of the first case: cases that begin with it crash the program."""
    home.run('+key:"core/cohort/candidates"', partition="standard")
    cases = pd.read_parquet(home.path("core/cohort/cases"))
    java.plan({cases["hpo_terms"].iloc[0][0]: "crash"})
    home.run(RANKS, partition="standard")
    return cases["hpo_terms"].iloc[0][0]


def expected_rank(row, *, alphabetical: bool) -> float:
    """Candidates by falling score, equal scores by symbol or as they stand in the list."""
    genes = list(row.candidate_genes)
    order = sorted(genes) if alphabetical else genes
    causal = genes[row.causal_index]
    return 1.0 + sorted(order, key=lambda symbol: -SCORES.get(symbol, 0.0)).index(causal)


def test_ranks_follow_each_tool_s_tie_rule_and_a_crashed_case_misses(home, crashed):
    cases = pd.read_parquet(home.path("core/cohort/cases")).set_index("case_id")
    lists = pd.read_parquet(home.path("core/cohort/candidates", "standard"))
    ranks = pd.read_parquet(home.path("eval/prioritisation/ranks", "standard"))
    assert ranks.groupby("system")["tie_rule"].unique().map(list).to_dict() == {
        "exomiser": ["alphabetical"],
        "lirical": ["candidate_order"],
    }
    lost = {case_id for case_id, terms in cases["hpo_terms"].items() if terms[0] == crashed}
    assert 0 < len(lost) < len(cases)
    for system, alphabetical in (("exomiser", True), ("lirical", False)):
        found = ranks[ranks["system"] == system].set_index("case_id")["rank"]
        assert set(found.index[found.isna()]) == lost
        wanted = {row.case_id: expected_rank(row, alphabetical=alphabetical) for row in lists.itertuples()}
        assert found.dropna().to_dict() == {case: rank for case, rank in wanted.items() if case not in lost}
    wide = ranks.pivot(index="case_id", columns="system", values="rank").dropna()
    assert (wide["exomiser"] != wide["lirical"]).any(), "the two rules decide differently somewhere"


@pytest.mark.parametrize(
    ("system", "version", "hashed"),
    [
        ("exomiser", "14.0.2", {"jar"}),
        ("lirical", "2.4.0", {"jar", "data/hp.json", "data/phenotype.hpoa", "data/mim2gene_medgen"}),
    ],
)
def test_the_sidecar_records_version_and_hashes_of_the_tool(home, crashed, system, version, hashed):
    recorded = read_sidecar(home.path(f"eval/prioritisation/{system}_scores", "standard")).recorded
    tool = recorded["tool"]
    assert (tool["tool"], tool["version"]) == (system, version)
    assert hashed <= set(tool)
    assert all(len(tool[name]) == 64 for name in hashed)


def test_native_systems_that_the_profile_does_not_name_are_not_run(home, crashed):
    for system in ("resnik", "likelihood", "likelihood_excluded", "phenodigm"):
        assert pd.read_parquet(home.path(f"eval/prioritisation/{system}_scores", "standard")).empty
    assert pd.read_parquet(home.path("eval/prioritisation/ranks", "standard"))["system"].nunique() == 2


def test_a_program_that_is_not_installed_fails_its_asset_and_says_what_to_install(home, crashed, monkeypatch):
    monkeypatch.delenv("GENOPLATFORM_EXOMISER_HOME", raising=False)
    bare = replace(home, defs=build_defs(platform=home.platform, checks=[]))
    with pytest.raises(RunFailedError, match=r"(?s)exomiser_scores\[standard\].*unpack exomiser-cli"):
        bare.run('key:"eval/prioritisation/exomiser_scores"', partition="standard", force=True)
