"""`genoplatform expression`: what it asks for and what it prints."""

import json

import pytest
from typer.testing import CliRunner

from genoplatform.cli import app
from genoplatform.errors import EmptyResultError
from genoplatform.resources.gene_names import GeneNamesResource
from genoplatform.resources.geo import GeoResource


def invoke(*arguments):
    return CliRunner().invoke(app, ["expression", *map(str, arguments)])


def test_fetch_puts_series_where_the_slot_finds_them(monkeypatch, tmp_path):
    def obtain(self, accession, folder):
        folder.mkdir(parents=True)
        (folder / f"{accession}_family.soft.gz").touch()
        return folder

    monkeypatch.setattr(GeoResource, "obtain", obtain)
    done = invoke("fetch", "Crohn's Disease", "GSE1", "GSE2", "--to", tmp_path)
    assert done.output.splitlines() == ["GSE1: GSE1_family.soft.gz", "GSE2: GSE2_family.soft.gz"]
    assert (tmp_path / "GEO" / "Crohns_Disease" / "GSE2").is_dir()


def test_names_are_read_from_a_file(monkeypatch, tmp_path):
    (tmp_path / "names.txt").write_text("p53\n\nunknown\np53\n")

    def write(self, names, target):
        target.write_text(json.dumps(sorted(names)))
        return 1

    monkeypatch.setattr(GeneNamesResource, "write_synonyms", write)
    done = invoke("names", tmp_path / "names.txt", "--to", tmp_path / "gene_synonym.json")
    assert done.output.startswith("1 of 2 names known")
    assert json.loads((tmp_path / "gene_synonym.json").read_text()) == ["p53", "p53", "unknown"]


def test_export_without_cohorts_says_what_to_do(tmp_path):
    done = invoke("export", "--home", tmp_path / "home", "--to", tmp_path / "out")
    assert isinstance(done.exception, EmptyResultError)
    assert "core/expression/cohort_info" in str(done.exception)
    with pytest.raises(FileNotFoundError):
        (tmp_path / "out").stat()
