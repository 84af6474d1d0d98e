"""Faults of the disk: it fills up while artefacts are written, and bytes on it change. Runs are in this process."""

import errno
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
import pytest
from drill_location import CHAIN, NUMBERS, SHARDS, TOTAL
from drills import files, findings, green, home_of, readable, run_in_process

SIZE_KB = 4096
PAGE_KB = 4  # what it gives out


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of its own, `SIZE_KB` large; skips where this machine does not let us mount one."""
    folder.mkdir()
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", f"size={SIZE_KB}k,mode=700", "tmpfs", str(folder)]
    done = subprocess.run([mount, *options], capture_output=True, text=True, check=False) if mount else None
    if done is None or done.returncode != 0:
        pytest.skip(f"cannot mount a small file system: {done.stderr.strip() if done else 'no mount'}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True, capture_output=True)


def fill(disk: Path, left_kb: int) -> Path:
    """Ballast that leaves `left_kb` free."""
    ballast = disk / "ballast"
    free = shutil.disk_usage(disk).free - left_kb * 1024
    ballast.write_bytes(b"x" * max(free, 0))
    return ballast


@pytest.fixture(scope="module", autouse=True)
def no_pauses() -> Iterator[None]:
    """Bodies need not take time here: nobody waits for a moment in them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("drill_location.PAUSE_S", 0.0)
        yield


@pytest.fixture(scope="module")
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture(scope="module")
def expected(instance, tmp_path_factory) -> dict[str, str]:
    """What an undisturbed run leaves."""
    platform = home_of(tmp_path_factory.mktemp("undisturbed"))
    assert run_in_process(platform, instance, list(CHAIN)).success
    assert readable(platform) == set(CHAIN)
    assert findings(platform) == []
    return files(platform)


def failure(result: dg.ExecuteInProcessResult) -> str:
    """What the failed step raised, as its worker recorded it."""
    (event,) = [event for event in result.all_events if event.is_step_failure]
    error = event.step_failure_data.error
    while error.cause is not None:
        error = error.cause
    return str(error.message)


def test_the_disk_fills_up_at_every_page(instance, expected, tmp_path):
    """One page more with every turn, until the run gets through: each write is once the one that finds no room."""
    reached = set()
    for left_kb in range(0, 200, PAGE_KB):
        folder = tmp_path / f"left_{left_kb}"
        with small_disk(folder) as disk:
            platform = home_of(disk / "home")
            ballast = fill(disk, left_kb)
            result = run_in_process(platform, instance, list(CHAIN))
            if result.success:
                break
            assert f"[Errno {errno.ENOSPC}]" in failure(result), left_kb
            there = readable(platform)
            assert not green(platform), left_kb
            assert [node for node in findings(platform) if node.split(":")[0] in there] == []
            reached.add(frozenset(there))
            ballast.unlink()
            recovers(platform, instance, expected)
    assert left_kb >= 10 * PAGE_KB
    assert reached >= {frozenset(), frozenset({NUMBERS}), frozenset({NUMBERS, SHARDS})}, "in every asset"


def recovers(platform, instance: dg.DagsterInstance, expected: dict[str, str]) -> None:
    """The next run makes everything; nothing is left over, hidden files included."""
    assert run_in_process(platform, instance, list(CHAIN)).success
    assert files(platform) == expected
    assert findings(platform) == []
    assert green(platform)


def test_enough_disk_is_enough(instance, expected, tmp_path):
    """Or the test above would pass for another reason."""
    with small_disk(tmp_path / "disk") as disk:
        fill(disk, 400)
        platform = home_of(disk / "home")
        assert run_in_process(platform, instance, list(CHAIN)).success
        assert files(platform) == expected


def test_a_full_disk_spares_what_was_there(instance, expected, tmp_path):
    """Made again on a full disk: the old artefact is whole, or refused; never half of either."""
    with small_disk(tmp_path / "disk") as disk:
        platform = home_of(disk / "home")
        assert run_in_process(platform, instance, list(CHAIN)).success
        fill(disk, 0)
        assert not run_in_process(platform, instance, list(CHAIN)).success
        assert readable(platform) >= {SHARDS, TOTAL}, "what the run did not reach"
        (disk / "ballast").unlink()
        recovers(platform, instance, expected)


def corrupt(path: Path) -> None:
    """Flip one bit in the middle of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.chmod(path.stat().st_mode | 0o200)
    path.write_bytes(bytes(content))


@pytest.mark.parametrize(
    ("asset", "kind", "inside", "reader"),
    [(NUMBERS, "json", "", SHARDS), (SHARDS, "directory", "part_3.txt", TOTAL)],
)
def test_a_corrupted_artefact_is_refused_by_whoever_reads_it(instance, expected, tmp_path, asset, kind, inside, reader):
    platform = home_of(tmp_path)
    assert run_in_process(platform, instance, list(CHAIN)).success
    broken = platform.artefact(asset, None, kind)
    corrupt(broken / inside if inside else broken)
    before = files(platform)
    result = run_in_process(platform, instance, [reader])
    assert not result.success
    assert "sha256 recorded" in failure(result)
    assert files(platform) == before, "the reader's own artefact is as it was"
    assert asset not in readable(platform)
    assert [node for node in findings(platform) if asset in node], "the audit names it"
    recovers(platform, instance, expected)


def test_a_corrupted_table_is_not_green(instance, expected, tmp_path):
    """The check read other bytes: it crashes, which says nothing of the data, and the old outcome does not count."""
    platform = home_of(tmp_path)
    assert run_in_process(platform, instance, list(CHAIN)).success
    table = platform.artefact(TOTAL, None, "parquet")
    corrupt(table)
    assert TOTAL not in readable(platform)
    assert any(TOTAL in node for node in findings(platform))
    recovers(platform, instance, expected)


def test_a_lost_sidecar_is_a_lost_artefact(instance, expected, tmp_path):
    platform = home_of(tmp_path)
    assert run_in_process(platform, instance, list(CHAIN)).success
    from genoplatform.provenance.sidecar import sidecar_path

    sidecar_path(platform.artefact(SHARDS, None, "directory")).unlink()
    assert not run_in_process(platform, instance, [TOTAL]).success
    assert readable(platform) == {NUMBERS, TOTAL}
    recovers(platform, instance, expected)
