"""A stand-in for `java -jar`: answers like Exomiser or LIRICAL would, or misbehaves as told. The real jars are not run.

`install(folder)` writes an executable that takes the place of the Java launcher. It decides by a case's first HPO term
what to do, and records every call.
"""

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from genoplatform.resources.java_tool import JavaTool, JavaToolRunner, Limits

SCRIPT = r'''#!@PYTHON@ -IS
import json, os, re, signal, subprocess, sys, time
from pathlib import Path

here = Path(__file__).resolve().parent
plan = json.loads((here / "plan.json").read_text())
argv = sys.argv[1:]
call = {"argv": argv, "cwd": os.getcwd(), "files": sorted(os.listdir(".")), "locale": os.environ.get("LC_ALL"),
        "pid": os.getpid(), "stdin": sys.stdin.read()}


def note(path, text):
    """Whole or not at all: tests read while this runs."""
    partial = path.with_suffix(".partial")
    partial.write_text(text)
    partial.rename(path)


note(here / "calls" / f"{time.monotonic_ns()}-{os.getpid()}.json", json.dumps(call))
arguments = argv[argv.index("-jar") + 2:]


def option(line, name):
    return line[line.index(name) + 1] if name in line else None


def cases():
    if "--batch" in arguments:
        lines = Path(option(arguments, "--batch")).read_text().splitlines()
        return [line.split(" ") for line in lines]
    return [arguments]


def first_term(line):
    text = option(line, "-p") or Path(option(line, "--sample")).read_text()
    return re.search(r"HP:\d{7}", text).group()


def result(line):
    """File name and whole text of a good answer."""
    if "--sample" in line:
        folder, name = option(line, "--output-directory"), option(line, "--output-filename")
        return Path(folder, name + ".genes.tsv"), plan["exomiser"]
    return Path(option(line, "-o"), option(line, "-x") + ".json"), plan["lirical"]


def wait_for_company():
    marks = here / "active"
    mark = marks / str(os.getpid())
    mark.touch()
    limit = time.monotonic() + 10
    while len(list(marks.iterdir())) < 2 and time.monotonic() < limit:
        time.sleep(0.01)
    (here / "together").joinpath(str(os.getpid())).write_text(str(len(list(marks.iterdir()))))
    time.sleep(0.05)
    mark.unlink()


def misbehave(how, path, text):
    if how == "crash":
        print("java.lang.OutOfMemoryError: Java heap space", file=sys.stderr)
        sys.exit(3)
    elif how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "crash after writing":
        path.write_text(text)
        sys.exit(3)
    elif how == "slow":
        time.sleep(0.8)
        path.write_text(text)
    elif how == "hang":
        time.sleep(600)
    elif how == "hang with a child":
        code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
        child = subprocess.Popen([sys.executable, "-c", code])
        note(here / "child", str(child.pid))
        time.sleep(600)
    elif how == "leave a child":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        note(here / "child", str(child.pid))
        path.write_text(text)
    elif how == "empty":
        path.touch()
    elif how == "no file":
        pass
    elif how == "half":
        path.write_text(text[: len(text) // 2])
    elif how == "header only":
        path.write_text(text.split("\n")[0] + "\n")
    elif how == "garbage":
        path.write_bytes(bytes(range(256)) * 4)
    elif how == "huge log":
        line = b"ERROR everything is wrong\n" * 40
        for _ in range(200):
            os.write(1, line)
        os.write(1, b"the last line\n")
        path.write_text(text)
    elif how == "endless log":
        while True:
            os.write(2, b"ERROR again\n" * 1000)
            time.sleep(0.01)
    elif how == "company":
        wait_for_company()
        path.write_text(text)
    else:
        raise SystemExit(f"unknown behaviour {how}")


print("started")
for line in cases():
    path, text = result(line)
    how = plan["behaviour"].get(first_term(line))
    if how:
        misbehave(how, path, text)
    else:
        path.write_text(text)
'''


LIRICAL = json.dumps({"analysisResults": [{"diseaseId": f"OMIM:{n}", "posttestProbability": 0.5} for n in range(40)]})
EXOMISER = "#GENE_SYMBOL\tEXOMISER_GENE_PHENO_SCORE\nFBN1\t0.9000\nTGFBR2\t0.5000\nSMAD3\t0.4000\nFBN2\t0.3000\n"


@dataclass(frozen=True)
class StandIn:
    """An installed stand-in."""

    folder: Path

    @property
    def java(self) -> str:
        return str(self.folder / "java")

    @property
    def calls(self) -> list[dict]:
        """What it was called with, oldest first."""
        return [json.loads(path.read_text()) for path in sorted((self.folder / "calls").glob("*.json"))]

    @property
    def together(self) -> list[int]:
        """How many calls saw each other running, for the behaviour "company"."""
        return [int(path.read_text()) for path in (self.folder / "together").iterdir()]

    @property
    def child(self) -> int:
        """Process id of the child that a behaviour started."""
        return int((self.folder / "child").read_text())

    def plan(self, behaviour=None, **answers):
        """Set behaviours by first term, and the answers of a good run."""
        path = self.folder / "plan.json"
        plan = json.loads(path.read_text()) if path.exists() else {"behaviour": {}, "exomiser": "", "lirical": ""}
        plan |= answers | ({"behaviour": behaviour} if behaviour is not None else {})
        path.write_text(json.dumps(plan))


class Bench:
    """A stand-in with an installed "tool 1.0" around it, and runners of both."""

    def __init__(self, folder):
        self.java = install(folder / "java")
        self.home, self.results = folder / "home", folder / "results"
        self.jar, self.data = self.home / "tool-1.0.jar", self.home / "data"
        self.data.mkdir(parents=True)
        (self.data / "hp.json").write_text("{}")
        self.jar.write_bytes(b"jar")
        self.events = []

    def tool(self, **others):
        return JavaTool("tool", "1.0", self.jar, self.data, **{"java": self.java.java, **others})

    def runner(self, *, batch_size=1, workers=1, timeout=20.0, give_up_after=99, root=None, log_bytes=1 << 20, **tool):
        return JavaToolRunner(
            self.tool(batch_option="--batch" if batch_size > 1 else "", **tool),
            root or self.results,
            workers,
            Limits(timeout, grace=0.2, log_bytes=log_bytes),
            batch_size,
            give_up_after,
            self.events.append,
        )

    def scratch(self):
        """Scratch directories that are there."""
        return list(self.results.glob("*/scratch-*"))


def gone(pid):
    """Whether a process ends within ten seconds; a zombie has ended."""
    limit = time.monotonic() + 10
    while time.monotonic() < limit:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def install(folder, **answers) -> StandIn:
    """Write the stand-in into `folder`."""
    for name in ("calls", "active", "together"):
        (folder / name).mkdir(parents=True)
    script = folder / "java"
    script.write_text(SCRIPT.replace("@PYTHON@", sys.executable))
    script.chmod(0o755)
    stand_in = StandIn(folder)
    stand_in.plan(**{"exomiser": EXOMISER, "lirical": LIRICAL, **answers})
    return stand_in
