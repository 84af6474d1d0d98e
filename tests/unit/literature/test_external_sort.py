"""Sorting outside of memory against sorting in it, with runs and fan-in so small that every path is taken."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genoplatform.literature.external_sort import sorted_lines

LINES = st.lists(st.binary(max_size=6).map(lambda line: line.replace(b"\n", b"")), max_size=120)


@settings(max_examples=60, deadline=None)
@given(lines=LINES, run_lines=st.integers(1, 40), fan_in=st.integers(2, 5))
def test_as_in_memory(tmp_path_factory, lines, run_lines, fan_in):
    scratch = tmp_path_factory.mktemp("scratch")
    assert list(sorted_lines(lines, scratch, run_lines=run_lines, fan_in=fan_in)) == sorted(lines)


def test_as_the_sort_command(tmp_path):
    lines = [f"{n % 7}{'é' * (n % 3)}\t{n % 5}".encode() for n in range(500)]
    done = subprocess.run(["sort"], input=b"\n".join(lines), capture_output=True, env={"LC_ALL": "C"}, check=True)
    assert list(sorted_lines(lines, tmp_path, run_lines=60, fan_in=3)) == done.stdout.splitlines()


@pytest.mark.parametrize("run_lines", [7, 1000])
def test_files_stay_few(tmp_path, run_lines):
    stream = sorted_lines((b"%06d" % (n * 7919 % 1000) for n in range(1000)), tmp_path, run_lines=run_lines, fan_in=4)
    assert next(stream) == b"000000"
    assert len(list(tmp_path.iterdir())) <= 4
    assert sum(1 for _ in stream) == 999
