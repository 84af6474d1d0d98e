import gzip
import json

import pytest
import yaml
from baseline_outputs import GENE_COLUMNS, gene_row, gene_tsv

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.baselines.exomiser import (
    HUMAN_ONLY,
    ExomiserRecipe,
    exomiser_job,
)
from genoplatform.prioritisation.baselines.exomiser_output import exomiser_scores, read_gene_json, read_gene_tsv
from genoplatform.prioritisation.baselines.tool import EmptyOutputError, MissingOutputError, ToolOutputError

TERMS = ["HP:0001166", "HP:0000768", "HP:0001166"]
CASE = "FBN1:PMID_1_individual 'x'"


@pytest.fixture
def written(tmp_path):
    def write(text, name="result.genes.tsv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_published_set_up_hands_over_a_version_1_phenopacket_and_the_preset():
    job = exomiser_job(CASE, TERMS)
    assert job.arguments == (
        *("--sample", "${INPUT}/case.yml", "--preset", "phenotype-only"),
        *("--output-directory", "${OUTPUT}", "--output-filename", "result", "--output-format", "TSV_GENE,JSON"),
    )
    assert list(job.inputs) == ["case.yml"]
    packet = yaml.safe_load(job.inputs["case.yml"])
    assert packet["id"] == packet["subject"]["id"] == CASE
    assert packet["phenotypicFeatures"] == [
        {"type": {"id": "HP:0001166", "label": "HP:0001166"}},
        {"type": {"id": "HP:0000768", "label": "HP:0000768"}},
    ]
    meta = packet["metaData"]
    assert meta["phenopacketSchemaVersion"] == "1.0"
    assert isinstance(meta["created"], str)
    assert meta["resources"][0]["version"] == "hp/releases/2026-02-16"


def test_no_input_ever_speaks_of_excluded_features():
    # A version-2 "excluded: true" is read as an observed feature, so nothing of that kind may be written.
    for recipe in (ExomiserRecipe(), HUMAN_ONLY, ExomiserRecipe("sample_yml"), ExomiserRecipe(steps="human_only")):
        text = "".join(exomiser_job(CASE, TERMS, recipe).inputs.values())
        assert "excluded" not in text
        assert "negated" not in text


def test_human_only_set_up_replaces_the_preset_by_an_analysis():
    job = exomiser_job(CASE, TERMS, HUMAN_ONLY)
    assert job.arguments[:4] == ("--sample", "${INPUT}/case.yml", "--analysis", "${INPUT}/analysis.yml")
    assert "--preset" not in job.arguments
    assert yaml.safe_load(job.inputs["case.yml"]) == {
        "genomeAssembly": "hg38",
        "proband": CASE,
        "hpoIds": ["HP:0001166", "HP:0000768"],
    }
    assert yaml.safe_load(job.inputs["analysis.yml"]) == {
        "analysisMode": "PASS_ONLY",
        "inheritanceModes": {},
        "frequencySources": [],
        "pathogenicitySources": [],
        "steps": [{"hiPhivePrioritiser": {"runParams": "human"}}],
    }


def test_only_the_table_is_kept_and_a_malformed_term_is_refused():
    assert exomiser_job(CASE, TERMS).keep == ("result*.genes.tsv",)
    with pytest.raises(BadInputError, match="'HP:1' is no HPO id"):
        exomiser_job(CASE, ["HP:1"])


def test_reads_the_phenotype_score_of_the_first_16_columns(written):
    text = gene_tsv(
        gene_row(1, "FBN1", "0.8765", "0.0499", evidence="Marfan syndrome (OMIM:154700)\twith\ttabs\tin it\tand\tmore"),
        gene_row(2, "TGFBR2", "0.5001"),
    )
    assert read_gene_tsv(written(text)) == {"FBN1": 0.8765, "TGFBR2": 0.5001}


def test_of_a_repeated_gene_the_last_row_counts(written):
    text = gene_tsv(gene_row(1, "FBN1", "0.9000"), gene_row(2, "TGFBR2", "0.5000"), gene_row(3, "FBN1", "0.1000"))
    assert read_gene_tsv(written(text)) == {"FBN1": 0.1, "TGFBR2": 0.5}


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("#GENE_SYMBOL\tEXOMISER_GENE_COMBINED_SCORE\tEXOMISER_GENE_PHENO_SCORE", 0.2),
        ("#GENE_SYMBOL\tEXOMISER_GENE_COMBINED_SCORE\tPHENO_SCORE", 0.2),
        ("GENE_SYMBOL\tEXOMISER_GENE_COMBINED_SCORE\tOTHER", 0.1),
    ],
)
def test_header_spellings_and_the_precedence_of_score_columns(written, header, expected):
    assert read_gene_tsv(written(f"{header}\nFBN1\t0.1\t0.2\n")) == {"FBN1": expected}


def test_a_bad_or_missing_score_is_zero_but_not_every_score_may_be(written):
    text = gene_tsv(gene_row(1, "FBN1", "0.9000"), gene_row(2, "A", ""), gene_row(3, "B", "null"))
    assert read_gene_tsv(written(text)) == {"FBN1": 0.9, "A": 0.0, "B": 0.0}
    german = gene_tsv(gene_row(1, "FBN1", "0,9000"), gene_row(2, "A", "0,1000"))
    with pytest.raises(ToolOutputError, match="no readable score among 2 genes"):
        read_gene_tsv(written(german))


def test_empty_files_and_headers_alone_are_failures_and_no_ranks(written):
    for text in ("", "\n", "  \n"):
        with pytest.raises(EmptyOutputError, match="an empty file"):
            read_gene_tsv(written(text))
    with pytest.raises(EmptyOutputError, match="a header and no gene"):
        read_gene_tsv(written(gene_tsv()))


def test_cut_off_short_and_foreign_tables_are_failures(written):
    whole = gene_tsv(gene_row(1, "FBN1", "0.9000"), gene_row(2, "TGFBR2", "0.5000"))
    with pytest.raises(ToolOutputError, match="cut off"):
        read_gene_tsv(written(whole[:-4]))
    with pytest.raises(ToolOutputError, match="line 3: 3 of 16 columns"):
        read_gene_tsv(written(gene_tsv(gene_row(1, "FBN1", "0.9000"), "2\tX\tTGFBR2")))
    with pytest.raises(ToolOutputError, match="no column #GENE_SYMBOL or GENE_SYMBOL; found a, b"):
        read_gene_tsv(written("a\tb\n1\t2\n"))
    assert GENE_COLUMNS[15] == "MATCHES_CANDIDATE_GENE"


def test_bytes_that_are_no_text_are_a_failure(tmp_path):
    path = tmp_path / "result.genes.tsv"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(ToolOutputError, match="utf-8"):
        read_gene_tsv(path)


def test_json_score_is_the_phenotype_score_else_the_combined_one(written):
    genes = [
        {
            "geneSymbol": "FBN1",
            "geneIdentifier": {"geneId": "ENSG1"},
            "priorityScore": 0.87654321,
            "combinedScore": 0.05,
        },
        {"geneSymbol": "A", "priorityScore": None, "combinedScore": 0.04},
        {"geneSymbol": "B", "combinedScore": None},
    ]
    assert read_gene_json(written(json.dumps(genes), "result.json")) == {"FBN1": 0.87654321, "A": 0.04, "B": 0.0}


@pytest.mark.parametrize(
    ("text", "message", "kind"),
    [
        ("[]", "a list of no gene", EmptyOutputError),
        ("{}", "dict where a list", ToolOutputError),
        ('[{"geneSymbol": "A", "priorityScore": 0.5}, {"x": 1}]', "entry 1 has no geneSymbol", ToolOutputError),
        ('[{"geneSymbol": "A", "prior', "not JSON", ToolOutputError),
        ("[" * 100_000, "not JSON", ToolOutputError),
        ('[{"geneSymbol": "A", "priorityScore": NaN}]', "no readable score", ToolOutputError),
    ],
)
def test_json_that_holds_no_ranking_is_a_failure(written, text, message, kind):
    with pytest.raises(kind, match=message):
        read_gene_json(written(text, "result.json"))


def test_directory_is_searched_for_the_table_then_the_json(written, tmp_path):
    with pytest.raises(MissingOutputError, match=r"genes\.tsv"):
        exomiser_scores(tmp_path, "result")
    written('[{"geneSymbol": "J", "priorityScore": 0.5}]', "result.json")
    assert exomiser_scores(tmp_path, "result") == {"J": 0.5}
    written(gene_tsv(gene_row(1, "T", "0.1000")), "result_AD.genes.tsv")
    assert exomiser_scores(tmp_path, "result") == {"T": 0.1}


def test_kept_outputs_are_gzipped_and_read_the_same(tmp_path):
    packed = tmp_path / "result.genes.tsv.gz"
    packed.write_bytes(gzip.compress(gene_tsv(gene_row(1, "T", "0.1000")).encode()))
    assert exomiser_scores(tmp_path, "result") == {"T": 0.1}
    packed.write_bytes(packed.read_bytes()[:-9])
    with pytest.raises(ToolOutputError):
        exomiser_scores(tmp_path, "result")
