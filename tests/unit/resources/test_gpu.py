"""The card and its ledger, against a stand-in for nvidia-smi that prints what the real one prints."""

import multiprocessing
import os
import stat
import time

import pytest

from genoplatform.resources.gpu import Gpu, GpuBudgetError, GpuLedger, GpuResource, installed_gpus
from genoplatform.resources.gpu.driver import GpuDriverError
from genoplatform.resources.gpu.resource import NoGpuError

CARD = Gpu(0, "NVIDIA H200", 143771, 143000)


def driver_that(monkeypatch, tmp_path, script: str) -> None:
    program = tmp_path / "bin" / "nvidia-smi"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def test_cards_are_read_from_the_driver(monkeypatch, tmp_path):
    # the layout of `--format=csv,noheader,nounits`
    driver_that(monkeypatch, tmp_path, "echo '0, NVIDIA H200, 143771, 143000'; echo '1, NVIDIA A10, 23028, 512'")
    assert installed_gpus() == [CARD, Gpu(1, "NVIDIA A10", 23028, 512)]


def test_a_broken_driver_is_not_a_machine_without_cards(monkeypatch, tmp_path):
    driver_that(monkeypatch, tmp_path, "echo 'NVIDIA-SMI has failed' >&2; exit 9")
    with pytest.raises(GpuDriverError, match="NVIDIA-SMI has failed"):
        installed_gpus()


def test_without_the_tool_there_is_no_card(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installed_gpus() == []
    with pytest.raises(NoGpuError, match="no card"):
        GpuResource().card()


def test_what_exceeds_the_budget_is_refused_at_once(tmp_path):
    ledger = GpuLedger(tmp_path / "leases.json", budget_mb=20_000)
    with pytest.raises(GpuBudgetError, match="budget is 20000 MiB"), ledger.reserve(lambda: CARD, "a model", 20_001):
        pass


def test_two_that_fit_share_and_a_third_is_told_who_holds_the_card(tmp_path):
    ledger = GpuLedger(tmp_path / "leases.json", budget_mb=20_000)
    with ledger.reserve(lambda: CARD, "embedding", 8_000), ledger.reserve(lambda: CARD, "reranking", 10_000):
        with pytest.raises(GpuBudgetError, match=r"embedding 8000 MiB.*reranking 10000 MiB"):
            ledger.reserve(lambda: CARD, "model server", 4_000).__enter__()
        assert {lease.purpose for lease in ledger.leases()} == {"embedding", "reranking"}
    assert ledger.leases() == []


def test_memory_that_others_use_counts(tmp_path):
    crowded = Gpu(0, "NVIDIA H200", 143771, 1_000)
    with pytest.raises(GpuBudgetError, match="1000 MiB free"):
        GpuLedger(tmp_path / "leases.json").reserve(lambda: crowded, "embedding", 8_000).__enter__()


def _hold(path, seconds, ready) -> None:
    with GpuLedger(path).reserve(lambda: CARD, "first", 143_000):
        ready.set()
        time.sleep(seconds)


@pytest.mark.parametrize("killed", [False, True])
def test_the_next_one_gets_its_turn_when_the_holder_ends_or_is_killed(tmp_path, killed):
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    holder = context.Process(target=_hold, args=(tmp_path / "leases.json", 600 if killed else 0.5, ready))
    holder.start()
    assert ready.wait(30)
    ledger = GpuLedger(tmp_path / "leases.json", poll_s=0.05)
    if killed:
        with pytest.raises(GpuBudgetError, match="first 143000 MiB"):
            ledger.reserve(lambda: CARD, "second", 143_000).__enter__()
        holder.kill()
    with ledger.reserve(lambda: CARD, "second", 143_000, wait_s=30) as lease:
        assert [item.purpose for item in ledger.leases()] == [lease.purpose] == ["second"]
    holder.join()
