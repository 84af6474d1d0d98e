"""The command line itself: quick help, usage errors, what `ui` starts, and progress on and off a terminal."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from genoplatform.cli import app, main
from genoplatform.cli.run_progress import RunProgress
from genoplatform.errors import BadInputError, SettingsError
from genoplatform.resources.events import tell
from genoplatform.runner.plan import Task

COMMANDS = ["demo", "run", "ui", "evaluate", "prioritise", "doctor"]
HEAVY = {"dagster", "pandas", "numpy", "scipy", "pyarrow", "pydantic", "yaml", "matplotlib"}
ENVIRONMENT = ("DAGSTER_HOME", "GENOPLATFORM_HOME", "GENOPLATFORM_PROFILE")


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ENVIRONMENT:
        monkeypatch.setenv(name, "")


def invoke(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_help_is_quick_because_it_imports_nothing_heavy():
    command = [sys.executable, "-X", "importtime", "-m", "genoplatform.cli", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "typer" in imported
    assert imported & HEAVY == set()
    assert all(name in done.stdout for name in (*COMMANDS, "sources", "audit"))


@pytest.mark.parametrize("command", [*COMMANDS, "audit", "audit verify", "sources", "sources fetch"])
def test_every_command_explains_itself(command):
    result = invoke(*command.split(), "--help")
    assert result.exit_code == 0
    assert "Usage" in result.stdout


@pytest.mark.parametrize("arguments", [["no-such-command"], ["run", "--no-such-option"], ["ui", "--port", "many"]])
def test_wrong_usage_exits_with_2(arguments):
    assert invoke(*arguments).exit_code == 2


def test_home_and_profile_may_come_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("GENOPLATFORM_HOME", str(tmp_path / "elsewhere"))
    result = invoke("audit", "verify")
    assert isinstance(result.exception, BadInputError)
    assert str(tmp_path / "elsewhere" / "store" / "embedded") in str(result.exception)
    monkeypatch.setenv("GENOPLATFORM_PROFILE", "nobody")
    assert isinstance(invoke("audit", "verify").exception, SettingsError)


def test_an_explained_failure_is_printed_without_a_traceback(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["genoplatform", "audit", "verify", "--home", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        main()
    captured = capsys.readouterr()
    assert (ended.value.code, captured.out) == (1, "")
    assert captured.err == (
        f"error: auditing {tmp_path / 'store' / 'embedded'}: there is no store\n  -> run `genoplatform demo` first\n"
    )


@pytest.mark.parametrize(
    ("options", "module"),
    [([], ["dagster", "dev"]), (["--read-only"], ["dagster_webserver"])],
    ids=["dev", "read-only"],
)
def test_ui_serves_the_home_s_own_instance(options, module, monkeypatch, tmp_path):
    started = []
    monkeypatch.setattr(os, "execv", lambda program, arguments: started.append((program, arguments)))
    home = tmp_path / "home"
    result = invoke("ui", "--home", str(home), "--profile", "workstation", "--port", "3456", *options)
    assert result.exit_code == 0
    assert result.stdout.startswith("http://127.0.0.1:3456 ")
    ((program, arguments),) = started
    assert program == sys.executable
    assert arguments[1 : 2 + len(module)] == ["-m", *module]
    assert arguments[2 + len(module) : 4 + len(module)] == ["-m", "genoplatform.definitions"]
    assert ("--read-only" in arguments) is bool(options)
    assert arguments[-4:] == ["-h", "127.0.0.1", "-p", "3456"]
    assert [os.environ[name] for name in ENVIRONMENT] == [str(home / "dagster"), str(home), "workstation"]
    assert (home / "dagster" / "dagster.yaml").is_file()


def test_ui_refuses_an_unknown_profile_before_it_serves(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "execv", lambda *arguments: pytest.fail("served"))
    assert isinstance(invoke("ui", "--home", str(tmp_path / "home"), "--profile", "nobody").exception, SettingsError)
    assert not (tmp_path / "home").exists()


class Screen(io.StringIO):
    """What stderr is: a terminal or a file."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.fixture
def shown(monkeypatch):
    def run(terminal, quiet):
        screen = Screen(terminal)
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setenv("TERM", "xterm")
        with RunProgress(quiet) as progress:
            progress.planned([Task("a/b/c", "standard", "not made yet"), Task("a/b/d", None, None)])
            tell("making", "a/b/c", "standard")
            tell("made", "a/b/c", "standard")
        return screen.getvalue()

    return run


def test_progress_on_a_terminal_is_a_bar_with_the_step_and_lines_that_stay(shown):
    text = shown(terminal=True, quiet=False)
    assert "made\x1b[0m a/b/c[standard]" in text
    assert "1/1" in text, "what is up to date does not count"


def test_progress_off_a_terminal_is_one_line_an_asset(shown):
    assert shown(terminal=False, quiet=False) == "  made a/b/c[standard]\n"


@pytest.mark.parametrize("terminal", [True, False])
def test_quiet_shows_nothing(shown, terminal):
    assert shown(terminal=terminal, quiet=True) == ""


def test_the_console_script_is_this_command():
    script = Path(sys.executable).with_name("genoplatform")
    if not script.exists():
        pytest.skip("the package is not installed beside this interpreter")
    done = subprocess.run([script, "run", "--no-such-option"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
