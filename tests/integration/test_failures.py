"""Runs that cannot succeed: each says what was tried and found, keeps nothing bad, and loses nothing good."""

import hashlib
import os
import signal
import time
from pathlib import Path

import pytest
import yaml
from homes import open_home
from tiny import SOURCES

from genoplatform.runner.execute import HomeBusyError, exclusive
from genoplatform.runner.failure import RunFailedError

SELECTION = '+key:"core/cohort/selection"'
LISTS = '+key:"core/cohort/candidates"'


def replace_source(world, source_id, content, *, pinned=True):
    """Put other bytes into the mirror; pinned under their own hash or still under the old one."""
    name = SOURCES[source_id][0]
    (world.mirror / name).write_bytes(content)
    if pinned:
        catalogue = yaml.safe_load(world.catalogue.read_text())
        (entry,) = (item for item in catalogue["sources"] if item["id"] == source_id)
        entry |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        world.catalogue.write_text(yaml.safe_dump(catalogue))


def change_profile(world, section, **values):
    content = yaml.safe_load(world.profiles.read_text())
    content["embedded"][section] |= values
    world.profiles.write_text(yaml.safe_dump(content))


def test_a_wrong_hash_names_everything_and_keeps_nothing(own_world, tmp_path):
    home = open_home(tmp_path / "home", own_world)
    good = (own_world.mirror / "hgnc.txt").read_bytes()
    forged = good.replace(b"TG01", b"TG99", 1)
    replace_source(own_world, "hgnc@tiny", forged, pinned=False)
    with pytest.raises(RunFailedError) as caught:
        home.run('+key:"core/ontology/genes"')
    expected, found = (hashlib.sha256(content).hexdigest() for content in (good, forged))
    assert str(caught.value).startswith(
        f"making raw/ontology/hgnc: fetching hgnc@tiny from local hgnc.txt: sha256 expected {expected}, found {found}"
    )
    assert home.files() == {}
    kept = [path for path in (tmp_path / "home" / "cache").rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert kept == []
    assert [run.status.value for run in home.all_runs()] == ["FAILURE"]


def test_what_was_made_before_a_failure_stays_and_is_not_made_again(own_world, tmp_path):
    home = open_home(tmp_path / "home", own_world)
    good = (own_world.mirror / "genes_to_phenotype.txt").read_bytes()
    replace_source(own_world, "genes_to_phenotype@tiny", b"something else", pinned=False)
    with pytest.raises(RunFailedError, match="genes_to_phenotype@tiny"):
        home.run(SELECTION)
    assert home.path("core/ontology/hpo_terms").exists()
    replace_source(own_world, "genes_to_phenotype@tiny", good, pinned=False)
    summary = home.run(SELECTION)
    assert set(summary.made) == {
        "raw/ontology/genes_to_phenotype",
        "core/ontology/gene_annotations",
        "core/cohort/selection",
    }
    assert "core/ontology/hpo_terms" in summary.skipped


def test_an_unavailable_source_lists_its_mirrors(own_world, tmp_path):
    (own_world.mirror / "hgnc.txt").unlink()
    with pytest.raises(RunFailedError, match=r"no mirror delivered it\n  local hgnc.txt: no such file"):
        open_home(tmp_path / "home", own_world).run('+key:"core/ontology/genes"')


def test_an_empty_cohort_says_what_removed_the_cases(own_world, embedded, copy_of):
    change_profile(own_world, "cohort", min_hpo_terms=30)
    home = copy_of(embedded, own_world)
    with pytest.raises(RunFailedError) as caught:
        home.run()
    assert str(caught.value).startswith(
        "making core/cohort/selection: building the cohort publication_profiles: no case left of 63 "
        "(eligible: 63 few_terms)"
    )
    assert home.stale()["core/cohort/selection"] == "parameters changed", "the earlier one is kept, and known as such"


def test_a_broken_input_is_explained_in_its_reader_s_words(own_world, tmp_path):
    replace_source(own_world, "genes_to_phenotype@tiny", b"gene\tterm\n1\t2\n")
    with pytest.raises(RunFailedError) as caught:
        open_home(tmp_path / "home", own_world).run('+key:"core/ontology/gene_annotations"')
    text = str(caught.value)
    assert text.startswith("making core/ontology/gene_annotations: reading gene annotations (genes_to_phenotype.txt): ")
    assert "no header with the expected columns; found: gene, term" in text
    assert "Traceback" not in text


def test_too_few_genes_for_a_list(own_world, embedded, copy_of):
    change_profile(own_world, "cohort", n_distractors=100)
    with pytest.raises(RunFailedError, match=r"making core/cohort/candidates\[standard\]: .* 70 symbols"):
        copy_of(embedded, own_world).run(LISTS)


def test_an_unexpected_error_is_named_and_points_to_its_traceback(world, tmp_path, monkeypatch):
    def broken(path):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("genoplatform.ontology.read_hgnc", broken)
    with pytest.raises(RunFailedError) as caught:
        open_home(tmp_path, world).run('+key:"core/ontology/genes"')
    assert str(caught.value) == (
        "making core/ontology/genes: ZeroDivisionError: division by zero\n  -> the traceback is in `genoplatform ui`"
    )


def test_ctrl_c_ends_the_run_in_an_orderly_way(world, tmp_path, monkeypatch):
    def interrupted(path):
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler, "it would end the tests"
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)

    monkeypatch.setattr("genoplatform.ontology.read_hgnc", interrupted)
    home = open_home(tmp_path, world)
    with pytest.raises(RunFailedError) as caught:
        home.run('+key:"core/ontology/genes"')
    assert str(caught.value) == ("making core/ontology/genes: interrupted\n  -> run again: what was made before stays")
    assert home.path("raw/ontology/hgnc", kind="json").exists()
    assert home.open_runs() == []
    assert (tmp_path / "run.lock").read_text() == ""


def test_a_changed_upstream_artefact_is_refused_when_it_is_read(embedded, copy_of, world):
    """The planner hashes before a run; this is the read itself, on bytes that change under a running command."""
    from genoplatform.provenance.formats import FORMATS
    from genoplatform.resources.store_io import IntegrityError, read_verified

    path = copy_of(embedded, world).path("core/cohort/cases")
    with path.open("ab") as handle:
        handle.write(b"x")
    with pytest.raises(IntegrityError, match=r"sha256 recorded [0-9a-f]{64}, found [0-9a-f]{64}"):
        read_verified(path, FORMATS["parquet"])


def test_two_runs_at_once_are_refused(embedded, copy_of, world):
    home = copy_of(embedded, world)
    with exclusive(home.platform.home_path), pytest.raises(HomeBusyError) as caught:
        home.run()
    assert caught.value.exit_code == 3
    assert home.run().made == [], "the home is free again"


def test_the_lock_remembers_a_holder_that_never_let_go(tmp_path):
    with exclusive(tmp_path) as killed:
        assert not killed
        assert (tmp_path / "run.lock").read_text() == str(os.getpid())
    assert Path(tmp_path / "run.lock").read_text() == ""
    with pytest.raises(KeyError), exclusive(tmp_path):
        raise KeyError("any error")
    with exclusive(tmp_path) as killed:
        assert not killed, "an error is not a kill"
    (tmp_path / "run.lock").write_text("123")
    with exclusive(tmp_path) as killed:
        assert killed
