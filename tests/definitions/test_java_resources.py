"""Exomiser and LIRICAL as resources, with a stand-in for Java (tests/stand_in_java.py); the real jars are not run."""

import dagster as dg
import pandas as pd
import pytest
import stand_in_java

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.baselines.exomiser import EXOMISER_TIE_RULE, run_exomiser
from genoplatform.prioritisation.baselines.lirical import run_lirical
from genoplatform.prioritisation.ranking import rank_candidates
from genoplatform.resources.exomiser import ExomiserResource
from genoplatform.resources.java_tool import JAVA_POOL
from genoplatform.resources.java_tool.properties import read_properties, with_property
from genoplatform.resources.lirical import LiricalResource

CASES = pd.DataFrame(
    {
        "case_id": ["FBN1:a", "FBN1:b", "FBN1:c"],
        "hpo_terms": [["HP:0000001"], ["HP:0000002"], ["HP:0000003"]],
        "excluded_terms": [[], ["HP:0000009"], []],
    }
)
LISTS = pd.DataFrame(
    {
        "case_id": ["FBN1:a", "FBN1:b", "FBN1:c"],
        "candidate_genes": [["TGFBR2", "FBN1"], ["SMAD3", "FBN1"], ["FBN1", "NEW1"]],
        "causal_index": [1, 1, 0],
    }
)
ORPHANET = """\
<JDBOR><DisorderList><Disorder><OrphaCode>558</OrphaCode><DisorderGeneAssociationList><DisorderGeneAssociation>
<Gene><Symbol>FBN1</Symbol></Gene></DisorderGeneAssociation></DisorderGeneAssociationList></Disorder></DisorderList>
</JDBOR>"""
MIM2GENE = "#MIM number\tGeneID\ttype\tSource\tMedGenCUI\tComment\n3\t2200\tphenotype\t-\t-\t-\n"
HGNC = pd.DataFrame({"symbol": ["FBN1"], "entrez_id": ["2200"]})
SETTINGS = "# comment\n#exomiser.hg19.data-version=1\nexomiser.phenotype.data-version=2402\n"


@pytest.fixture
def java(tmp_path):
    return stand_in_java.install(tmp_path / "java")


@pytest.fixture
def exomiser_home(tmp_path):
    home = tmp_path / "exomiser-cli-14.0.2"
    (home / "data" / "2402_phenotype").mkdir(parents=True)
    (home / "exomiser-cli-14.0.2.jar").write_bytes(b"jar")
    (home / "application.properties").write_text(SETTINGS)
    return home


@pytest.fixture
def lirical_home(tmp_path):
    home = tmp_path / "lirical-cli-2.4.0"
    (home / "data").mkdir(parents=True)
    (home / "lirical-cli-2.4.0.jar").write_bytes(b"jar")
    for name, text in {"hp.json": "{}", "phenotype.hpoa": "#", "mim2gene_medgen": MIM2GENE}.items():
        (home / "data" / name).write_text(text)
    (home / "data" / "en_product6.xml").write_text(ORPHANET)
    return home


def test_exomiser_in_an_asset_scores_lists_and_a_second_run_asks_nothing(java, exomiser_home, tmp_path):
    java.plan({"HP:0000002": "crash"})

    @dg.asset(pool=JAVA_POOL)
    def exomiser_scores(exomiser: ExomiserResource) -> dg.MaterializeResult:
        found = run_exomiser(CASES, LISTS, exomiser)
        ranks = rank_candidates(found.scored, LISTS, tie_rule=EXOMISER_TIE_RULE)
        return dg.MaterializeResult(
            metadata={"report": found.report, "tool": found.tool, "ranks": [str(rank) for rank in ranks["rank"]]}
        )

    resource = ExomiserResource(home=str(exomiser_home), java=java.java, results=str(tmp_path / "results"))
    result = dg.materialize([exomiser_scores], resources={"exomiser": resource})
    metadata = result.asset_materializations_for_node("exomiser_scores")[0].metadata
    assert metadata["ranks"].value == ["1.0", "nan", "1.0"]
    assert metadata["report"].value["failed: crashed"] == 1
    assert metadata["report"].value["candidates_unknown"] == 1
    assert metadata["tool"].value["settings/exomiser.phenotype.data-version"] == "2402"
    # One batch, then alone: the case not trusted, the one that crashed, the one not reached.
    assert ["--batch" in call["argv"] for call in java.calls] == [True, False, False, False]
    run_exomiser(CASES, LISTS, resource)
    assert len(java.calls) == 5  # the crashed case only


def test_exomiser_is_told_the_data_directory_that_was_hashed(java, exomiser_home, tmp_path):
    resource = ExomiserResource(home=str(exomiser_home), java=java.java, results=str(tmp_path / "results"))
    tool = resource.tool()
    assert tool.data_dir == exomiser_home / "data"
    text = tool.cwd_files["application.properties"]
    assert read_properties(text)["exomiser.data-directory"] == str(exomiser_home / "data")
    assert text.startswith(SETTINGS)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (exomiser_home / "application.properties").write_text(f"exomiser.data-directory={elsewhere}\n")
    assert resource.tool().data_dir == elsewhere
    assert resource.tool().settings == {}
    run_exomiser(CASES, LISTS, resource)
    assert java.calls[0]["files"] == ["application.properties"]
    assert (exomiser_home / "application.properties").read_text() == f"exomiser.data-directory={elsewhere}\n"


def test_lirical_scores_lists_through_its_own_gene_tables(java, lirical_home, tmp_path):
    resource = LiricalResource(home=str(lirical_home), java=java.java, workers=2, results=str(tmp_path / "results"))
    genes = resource.disease_genes(HGNC)
    assert genes.links.to_numpy().tolist() == [["OMIM:3", "FBN1"], ["ORPHA:558", "FBN1"]]
    found = run_lirical(CASES, LISTS, resource, genes.links)
    assert found.scored["score"].tolist() == [0.0, 0.5, 0.0, 0.5, 0.5, 0.0]
    assert set(found.tool) == {"tool", "version", "jar"} | {
        f"data/{name}" for name in ("hp.json", "phenotype.hpoa", "mim2gene_medgen", "en_product6.xml")
    }
    assert found.tool["version"] == "2.4.0"


@pytest.mark.parametrize(
    ("resource", "variable", "what"),
    [
        (ExomiserResource(), "GENOPLATFORM_EXOMISER_HOME", "exomiser-cli-14.0.2"),
        (LiricalResource(), "GENOPLATFORM_LIRICAL_HOME", "lirical-cli-2.4.0"),
    ],
)
def test_a_missing_installation_names_the_variable_and_what_to_install(resource, variable, what, tmp_path, monkeypatch):
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(SettingsError) as unset:
        resource.runner()
    assert unset.value.found == f"{variable} is not set"
    assert what in unset.value.hint
    monkeypatch.setenv(variable, str(tmp_path / "nowhere"))
    with pytest.raises(SettingsError, match="no directory"):
        resource.runner()
    (tmp_path / "another-1.0.jar").touch()
    monkeypatch.setenv(variable, str(tmp_path))
    with pytest.raises(SettingsError, match=rf"no {what}\.jar .* \(there is another-1\.0\.jar\)"):
        resource.runner()


def test_missing_data_are_named(exomiser_home, lirical_home):
    (lirical_home / "data" / "phenotype.hpoa").unlink()
    with pytest.raises(SettingsError, match=r"lacks phenotype\.hpoa"):
        LiricalResource(home=str(lirical_home)).tool()
    with pytest.raises(SettingsError, match="no directory"):
        ExomiserResource(home=str(exomiser_home), data_dir="nowhere").tool()
    (exomiser_home / "application.properties").unlink()
    with pytest.raises(SettingsError, match=r"no application\.properties"):
        ExomiserResource(home=str(exomiser_home)).tool()


def test_home_comes_from_the_environment_when_a_run_starts(lirical_home, monkeypatch):
    resource = LiricalResource()
    monkeypatch.setenv("GENOPLATFORM_LIRICAL_HOME", str(lirical_home))
    assert resource.tool().jar == lirical_home / "lirical-cli-2.4.0.jar"
    assert resource.tool().command(["x"])[1:] == ["-Xmx4g", "-jar", str(lirical_home / "lirical-cli-2.4.0.jar"), "x"]


def test_properties_keep_what_they_say_and_the_last_of_equal_keys():
    text = "a.b = 1\n! c=2\nd : x y \ne\n\na.b=3\npath=C:\\\\data\n"
    assert read_properties(text) == {"a.b": "3", "d": "x y", "e": "", "path": "C:\\data"}
    assert with_property("a=1", "b", "/dätä/𝛼\\x") == "a=1\nb=/d\\u00e4t\\u00e4/\\ud835\\udefc\\\\x\n"
