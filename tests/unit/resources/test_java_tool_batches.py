"""Several cases in one process of the stand-in for `java -jar` (tests/stand_in_java.py); the real jars are not run."""

from pathlib import Path

import pytest
from stand_in_java import EXOMISER, Bench

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.baselines.exomiser import exomiser_job
from genoplatform.prioritisation.baselines.exomiser_output import exomiser_scores

TERMS = [f"HP:{n:07d}" for n in range(1, 10)]


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def jobs(count):
    return [exomiser_job(f"case:{n}", [TERMS[n]]) for n in range(count)]


def read(job, folder):
    return exomiser_scores(folder, "result")


def test_a_batch_is_one_process_with_a_line_of_arguments_a_case(bench):
    seen = []

    def look(job, folder):
        batch = Path(bench.java.calls[0]["argv"][-1])
        seen.append(batch.read_text() if batch.exists() else "")
        return read(job, folder)

    outcomes = bench.runner(batch_size=3).run(jobs(3), look)
    assert [outcome.value for outcome in outcomes] == [{"FBN1": 0.9, "TGFBR2": 0.5, "SMAD3": 0.4, "FBN2": 0.3}] * 3
    assert len(bench.java.calls) == 1
    assert bench.java.calls[0]["argv"][3] == "--batch"
    lines = [line.split(" ") for line in seen[0].splitlines()]
    assert [line[0::2] for line in lines] == [
        ["--sample", "--preset", "--output-directory", "--output-filename", "--output-format"]
    ] * 3
    assert len({line[1] for line in lines}) == len({line[5] for line in lines}) == 3


def test_a_case_that_brings_a_batch_down_costs_no_other_its_result(bench):
    # Term 2 crashes: 0 and 1 were written before; 1 is not trusted (the last one begun), 3 was never reached.
    bench.java.plan({TERMS[2]: "crash"})
    outcomes = bench.runner(batch_size=4).run(jobs(4), read)
    assert [outcome.reason for outcome in outcomes] == ["", "", "crashed", ""]
    alone = [call for call in bench.java.calls if "--batch" not in call["argv"]]
    assert len(alone) == 3


def test_a_file_cut_at_a_line_end_by_a_crash_is_not_taken_for_a_result(bench):
    cut = EXOMISER[: EXOMISER.index("TGFBR2")]
    bench.java.plan({TERMS[0]: "crash after writing"}, exomiser=cut)
    outcomes = bench.runner(batch_size=2).run(jobs(2), read)
    assert outcomes[0].reason == "crashed"
    assert outcomes[0].value is None


def test_a_case_without_a_result_in_a_good_batch_gets_its_own_run_and_verdict(bench):
    expected = {
        "empty": "empty output",
        "no file": "no output",
        "header only": "empty output",
        "half": "unreadable output",
    }
    bench.java.plan(dict(zip(TERMS[1:], expected, strict=False)))
    outcomes = bench.runner(batch_size=6).run(jobs(6), read)
    assert [outcome.reason for outcome in outcomes] == ["", *expected.values(), ""]
    assert len(bench.java.calls) == 5  # the batch, and the four alone


def test_a_case_that_hangs_in_a_batch_times_out_alone(bench):
    bench.java.plan({TERMS[1]: "hang"})
    runner = bench.runner(batch_size=3, timeout=2.0)
    outcomes = runner.run(jobs(3), read)
    assert [outcome.reason for outcome in outcomes] == ["", "timed out", ""]


def test_the_time_limit_of_a_batch_is_a_cases(bench):
    # Four cases of 0.8 s under a limit of 2 s: each result restarts the clock.
    bench.java.plan(dict.fromkeys(TERMS, "slow"))
    outcomes = bench.runner(batch_size=4, timeout=2.0).run(jobs(4), read)
    assert [outcome.reason for outcome in outcomes] == [""] * 4
    assert len(bench.java.calls) == 1


def test_batches_refuse_directories_that_a_batch_file_cannot_carry(bench, tmp_path):
    runner = bench.runner(batch_size=2, root=tmp_path / "my results")
    with pytest.raises(SettingsError, match="white space"):
        runner.run(jobs(2), read)
