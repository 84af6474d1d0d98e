"""The commit of a checkout, read from git's own files, against what git says."""

import os
import subprocess

import pytest

import genoplatform
from genoplatform.provenance import file_sha256
from genoplatform.provenance.code_identity import code_identity, git_commit


@pytest.fixture
def git(tmp_path):
    """Run git in a repository with two commits; every setting of the user is out of the way."""
    repository = tmp_path / "repository"
    repository.mkdir()

    def run(*arguments, where=repository):
        settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        command = ["git", *settings, *arguments]
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(
            command, cwd=where, check=True, capture_output=True, text=True, env=environment
        ).stdout.strip()

    run("init", "-q", "-b", "main")
    for number in ("1", "2"):
        run("commit", "-q", "--allow-empty", "-m", number)
    return repository, run


def test_a_plain_checkout(git):
    repository, run = git
    assert git_commit(repository) == run("rev-parse", "HEAD")


def test_a_detached_head(git):
    repository, run = git
    run("checkout", "-q", "--detach", "HEAD~1")
    assert git_commit(repository) == run("rev-parse", "HEAD") != run("rev-parse", "main")


def test_packed_refs(git):
    repository, run = git
    run("branch", "other", "HEAD~1")
    run("tag", "-a", "v1", "-m", "an annotated tag adds a peeled line")
    run("pack-refs", "--all")
    assert not (repository / ".git/refs/heads/main").exists()
    assert git_commit(repository) == run("rev-parse", "HEAD")
    run("checkout", "-q", "other")
    assert git_commit(repository) == run("rev-parse", "other")


def test_a_loose_ref_is_newer_than_a_packed_one(git):
    repository, run = git
    run("pack-refs", "--all")
    run("commit", "-q", "--allow-empty", "-m", "3")
    assert git_commit(repository) == run("rev-parse", "HEAD")


def test_a_branch_in_folders_is_not_taken_for_its_tail(git):
    repository, run = git
    run("branch", "feature/main", "HEAD~1")
    run("pack-refs", "--all")
    run("checkout", "-q", "feature/main")
    assert git_commit(repository) == run("rev-parse", "feature/main") != run("rev-parse", "main")


@pytest.mark.parametrize("packed", [False, True])
def test_a_worktree(git, tmp_path, packed):
    run = git[1]
    run("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"), "HEAD~1")
    if packed:
        run("pack-refs", "--all")
    assert git_commit(tmp_path / "side") == run("rev-parse", "side")
    run("checkout", "-q", "--detach", where=tmp_path / "side")
    assert git_commit(tmp_path / "side") == run("rev-parse", "side")


def test_before_the_first_commit_and_outside_any_checkout(tmp_path):
    assert git_commit(tmp_path) is None
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, capture_output=True)
    assert git_commit(tmp_path) is None


def test_a_git_file_that_leads_nowhere(tmp_path):
    (tmp_path / ".git").write_text("gitdir: ../gone/.git/worktrees/x\n")
    assert git_commit(tmp_path) is None


def test_the_running_code_is_identified_by_its_bytes(monkeypatch, tmp_path):
    code_identity.cache_clear()
    before = code_identity()
    assert before.package_version == genoplatform.__version__
    copy = tmp_path / "genoplatform"
    copy.mkdir()
    for name, content in (("a.py", "x = 1"), ("b.yml", "y: 1"), ("c.yaml", "z: 1"), ("d.txt", "not code")):
        (copy / name).write_text(content)
    monkeypatch.setattr("genoplatform.provenance.code_identity._PACKAGE", copy)
    seen = set()
    for name in ("none", "d.txt", "a.py", "b.yml", "c.yaml"):
        (copy / name).write_text("changed")
        code_identity.cache_clear()
        seen.add(code_identity().source_sha256)
    assert len(seen) == 4
    assert code_identity().lock_sha256 is None
    (tmp_path / "requirements.lock").write_text("numpy==2")
    code_identity.cache_clear()
    assert code_identity().lock_sha256 == file_sha256(tmp_path / "requirements.lock")
    assert code_identity().commit is None
    code_identity.cache_clear()
