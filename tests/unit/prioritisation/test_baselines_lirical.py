import json
import math

import pandas as pd
import pytest
from baseline_outputs import LIRICAL_HEADER, LIRICAL_TSV

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.prioritisation.baselines.disease_genes import lirical_disease_genes, read_mim2gene
from genoplatform.prioritisation.baselines.lirical import LiricalRecipe, lirical_job
from genoplatform.prioritisation.baselines.lirical_output import (
    best_disease,
    lirical_diseases,
    read_disease_json,
    read_disease_tsv,
)
from genoplatform.prioritisation.baselines.orphanet import read_orphanet_genes
from genoplatform.prioritisation.baselines.tool import EmptyOutputError, MissingOutputError, ToolOutputError

MIM2GENE = """\
#MIM number\tGeneID\ttype\tSource\tMedGenCUI\tComment
154700\t2200\tphenotype\tGeneMap\tC0024796\t-
134797\t2200\tgene\t-\t-\t-
100100\t-\tphenotype\t-\tC0000001\t-
100200\t999999\tphenotype\tGeneMap\tC0000002\tsusceptibility
"""
ORPHANET = """\
<?xml version="1.0" encoding="ISO-8859-1"?>
<JDBOR><DisorderList count="2">
 <Disorder id="1"><OrphaCode>558</OrphaCode><Name lang="en">Maladie de Marfan é &amp; co</Name>
  <DisorderGeneAssociationList count="2">
   <DisorderGeneAssociation><Gene id="10"><Name>fibrillin 1</Name><Symbol>FBN1</Symbol>
    <SynonymList><Synonym>SGS</Synonym></SynonymList></Gene></DisorderGeneAssociation>
   <DisorderGeneAssociation><Gene id="11"><Symbol> TGFBR2 </Symbol></Gene></DisorderGeneAssociation>
  </DisorderGeneAssociationList></Disorder>
 <Disorder id="2"><OrphaCode>99</OrphaCode><DisorderGeneAssociationList/></Disorder>
</DisorderList></JDBOR>
"""


@pytest.fixture
def written(tmp_path):
    def write(text, name="result.json", encoding="utf-8"):
        path = tmp_path / name
        path.write_text(text, encoding=encoding)
        return path

    return write


def test_published_command_passes_observed_terms_and_asks_for_every_disease():
    job = lirical_job("a:b", ["HP:0001166", "HP:0000768", "HP:0001166"], ["HP:0000001"])
    assert " ".join(job.arguments) == (
        "prioritize -p HP:0001166,HP:0000768 -n HP:0000001 -d ${DATA} -m 100000 --use-orphanet "
        "-f json -o ${OUTPUT} -x result"
    )
    assert job.inputs == {}
    assert job.keep == ("result.json",)
    assert "-t" not in job.arguments


def test_other_recipes():
    job = lirical_job("a", ["HP:0001166"], recipe=LiricalRecipe(use_orphanet=False, output="tsv"))
    assert " ".join(job.arguments) == "prioritize -p HP:0001166 -d ${DATA} -m 100000 -f tsv -o ${OUTPUT} -x result"
    with pytest.raises(BadInputError, match="no HPO id"):
        lirical_job("a", ["HP:0001166,HP:0000768"])


def test_tsv_is_parsed_as_text(written):
    found = read_disease_tsv(written(LIRICAL_TSV, "result.tsv"))
    assert found["rank"].tolist() == [1, 2, 1000, 8406]
    assert found["disease_id"].tolist() == ["OMIM:154700", "ORPHA:558", "OMIM:100100", "OMIM:100200"]
    assert found["posttest"].tolist() == pytest.approx([0.656, 0.0501, 0.0, 0.0], abs=1e-12)
    assert found["log10_lr"].tolist() == [4.205, 2.647, -1234.5, -math.inf]


def test_tsv_with_the_columns_of_a_vcf_reads_the_same(written):
    lines = LIRICAL_TSV.splitlines()
    lines[4] += "\tentrezGeneId\tvariants"
    lines[5] += "\tNCBIGene:2200\tchr15:1A>C"
    lines[6] += "\tn/a"
    found = read_disease_tsv(written("\n".join(lines) + "\n", "result.tsv"))
    assert found["posttest"].tolist() == pytest.approx([0.656, 0.0501, 0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1\tx\tOMIM:1\t1/8406\t65,60%\t4.2", "line 2: '65,60' is not a number of the English locale"),
        ("1.000\tx\tOMIM:1\t1/8406\t65.60%\t4.2", "'1.000' is not a whole number"),
        ("1\tx\tOMIM:1\t1/8406\t65.60%", "5 of 6 columns"),
        ("1\tx\tMarfan\t1/8406\t65.60%\t4.2", "'Marfan' is no disease id"),
        ("1\tx\tOMIM:1\tpre\t65.60%\t4.2", "'pre' is not"),
        ("", "1 of 6 columns"),
    ],
)
def test_one_line_that_cannot_be_read_fails_the_whole_file(written, row, message):
    with pytest.raises(ToolOutputError, match=message):
        read_disease_tsv(written(f"{LIRICAL_HEADER}\n{row}\n", "result.tsv"))


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", EmptyOutputError, "an empty file"),
        ("! LIRICAL TSV Output\n", EmptyOutputError, "header lines only"),
        (f"! x\n{LIRICAL_HEADER}\n", EmptyOutputError, "a header and no disease"),
        ("rank\tdiseaseCurie\n1\tOMIM:1\n", ToolOutputError, "no column diseaseName, pretestprob"),
        (LIRICAL_TSV[:-5], ToolOutputError, "cut off"),
    ],
)
def test_tables_without_a_whole_result_are_failures(written, text, kind, message):
    with pytest.raises(kind, match=message):
        read_disease_tsv(written(text, "result.tsv"))


def test_json_gives_disease_and_probability_and_a_bad_one_is_zero(written):
    results = [
        {"diseaseId": "OMIM:154700", "posttestProbability": 0.9999},
        {"diseaseCurie": "ORPHA:558", "posttestProbability": 1e-12},
        {"diseaseId": "OMIM:1", "posttestProbability": None},
        {"diseaseId": "OMIM:2"},
    ]
    found = read_disease_json(written(json.dumps({"analysisResults": results})))
    assert found["disease_id"].tolist() == ["OMIM:154700", "ORPHA:558", "OMIM:1", "OMIM:2"]
    assert found["posttest"].tolist() == [0.9999, 1e-12, 0.0, 0.0]
    assert found["rank"].tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", EmptyOutputError, "an empty file"),
        ('{"analysisResults": []}', EmptyOutputError, "an analysis of no disease"),
        ('{"analysisMetadata": {}}', ToolOutputError, "no list analysisResults"),
        ('{"analysisResults": [{"posttestProbability": 0.1}]}', ToolOutputError, "entry 1 has no diseaseId"),
        ('{"analysisResults": [{"diseaseId": "OMIM:1"}]}', ToolOutputError, "no readable posttestProbability of 1"),
        ('{"analysisResults": [{"diseaseId": "OM', ToolOutputError, "not JSON"),
    ],
)
def test_json_without_a_whole_result_is_a_failure(written, text, kind, message):
    with pytest.raises(kind, match=message):
        read_disease_json(written(text))


def test_directory_is_searched_for_json_then_tsv(written, tmp_path):
    with pytest.raises(MissingOutputError, match=r"result\.tsv"):
        lirical_diseases(tmp_path, "result")
    written(LIRICAL_TSV, "result.tsv")
    assert len(lirical_diseases(tmp_path, "result")) == 4
    written('{"analysisResults": [{"diseaseId": "OMIM:1", "posttestProbability": 0.5}]}')
    assert len(lirical_diseases(tmp_path, "result")) == 1


def test_a_gene_is_as_likely_as_its_best_disease():
    diseases = pd.DataFrame({"disease_id": ["OMIM:1", "ORPHA:2", "OMIM:1"], "posttest": [0.1, 0.3, 0.2]})
    links = pd.DataFrame(
        {
            "disease_id": ["OMIM:1", "ORPHA:2", "OMIM:1", "OMIM:3"],
            "gene_symbol": ["A", "A", "B", "C"],
        }
    )
    assert best_disease(diseases, links) == {"A": 0.3, "B": 0.2}


def test_genes_come_from_mim2gene_by_entrez_id_and_from_orphanet_by_symbol(written, tmp_path):
    hgnc = pd.DataFrame({"symbol": ["FBN1", "NOENTREZ"], "entrez_id": ["2200", ""]})
    mim2gene = read_mim2gene(written(MIM2GENE, "mim2gene_medgen"))
    orphanet = read_orphanet_genes(written(ORPHANET, "en_product6.xml", "iso-8859-1"))
    assert orphanet.to_numpy().tolist() == [["ORPHA:558", "FBN1"], ["ORPHA:558", "TGFBR2"]]
    found = lirical_disease_genes(mim2gene, hgnc, orphanet)
    assert found.links.to_numpy().tolist() == [
        ["OMIM:134797", "FBN1"],
        ["OMIM:154700", "FBN1"],
        ["ORPHA:558", "FBN1"],
        ["ORPHA:558", "TGFBR2"],
    ]
    assert found.report == {
        "mim2gene_rows": 4,
        "mim2gene_rejected": 0,
        "mim2gene_without_gene": 1,
        "mim2gene_gene_not_in_hgnc": 1,
        "omim_links": 2,
        "orpha_links": 2,
    }
    assert lirical_disease_genes(mim2gene, hgnc, None).report["orpha_links"] == 0
    with pytest.raises(EmptyResultError, match="no gene id of the file is in HGNC"):
        lirical_disease_genes(mim2gene, hgnc[1:], orphanet)


def test_an_xml_that_declares_entities_is_refused(written):
    bomb = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><JDBOR>&b;</JDBOR>'
    with pytest.raises(BadInputError, match="declares an entity"):
        read_orphanet_genes(written(bomb, "en_product6.xml"))
    external = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><JDBOR>&a;</JDBOR>'
    with pytest.raises(BadInputError, match="declares an entity"):
        read_orphanet_genes(written(external, "en_product6.xml"))


def test_orphanet_files_that_cannot_be_used(written, tmp_path):
    with pytest.raises(BadInputError, match="not well-formed"):
        read_orphanet_genes(written(ORPHANET[:200], "en_product6.xml", "iso-8859-1"))
    with pytest.raises(EmptyResultError, match="no disorder with a gene"):
        read_orphanet_genes(written("<JDBOR/>", "en_product6.xml"))
    with pytest.raises(BadInputError, match="No such file"):
        read_orphanet_genes(tmp_path / "missing.xml")
