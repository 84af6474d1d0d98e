"""A PostgreSQL cluster of the tests' own: made in a temporary directory, on a free port of this machine, then removed.

The server refuses to run as root, so root starts it as another user. Where there is no server, tests skip and say so.
"""

import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

USER, DATABASE = "dagster", "dagster"
_FOLDERS = [Path("/usr/lib/postgresql"), Path("/usr/local/pgsql")]
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",  # the server's default: what the platform has to live with
    "fsync": "off",  # nobody pulls the plug in a test, and a restart is no crash of the machine
    "shared_buffers": "32MB",
}


@dataclass(frozen=True)
class Cluster:
    """A running server; `password` is checked (scram-sha-256), as in the compose file."""

    programs: Path
    data: Path
    port: int
    password: str
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def environment(self) -> dict[str, str]:
        """The variables that docker/dagster.yaml reads."""
        return {
            "POSTGRES_HOST": "127.0.0.1",
            "POSTGRES_PORT": str(self.port),
            "POSTGRES_USER": USER,
            "POSTGRES_PASSWORD": self.password,
            "POSTGRES_DB": DATABASE,
        }

    def start(self) -> None:
        """Be up when this returns."""
        options = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        command = [self.programs / "postgres", "-D", self.data, "-p", str(self.port), *options]
        with (self.data.parent / "log").open("ab") as log:
            server = subprocess.Popen(
                list(map(str, command)),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                preexec_fn=ends_with_us(signal.SIGQUIT),  # noqa: PLW1509 - one thread, one system call
                **_server_user(),
            )
        self.running.append(server)
        ready = [self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        end = time.monotonic() + 60
        while subprocess.run(ready, check=False).returncode != 0:
            assert server.poll() is None, (self.data.parent / "log").read_text()
            assert time.monotonic() < end, "PostgreSQL did not start within a minute"
            time.sleep(0.1)

    def stop(self, mode: str = "fast") -> None:
        """Be down when this returns; `immediate` is a crash, and the next start recovers."""
        server = self.running.pop()
        server.send_signal({"fast": signal.SIGINT, "immediate": signal.SIGQUIT}[mode])
        server.wait(60)

    def recreate_database(self) -> None:
        """An empty database, whatever was there."""
        environment = {**os.environ, "PGPASSWORD": self.password}
        common = ["-h", "127.0.0.1", "-p", str(self.port), "-U", USER]
        for command in (["dropdb", *common, "--if-exists", "--force", DATABASE], ["createdb", *common, DATABASE]):
            program = self.programs / command[0]
            subprocess.run([program, *command[1:]], env=environment, check=True, capture_output=True)


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A new cluster, started."""
    programs = _programs()
    if programs is None:
        pytest.skip("no PostgreSQL server on this machine (Debian: apt-get install postgresql)")
    if os.geteuid() == 0 and _other_user() is None:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
    # Not pytest's own directory: other users cannot enter that.
    home = Path(tempfile.mkdtemp(prefix="genoplatform-postgres-"))
    cluster = Cluster(programs, home / "data", _free_port(), secrets.token_hex(8))
    try:
        (home / "password").write_text(cluster.password)
        if user := _other_user():
            for path in (home, home / "password"):
                os.chown(path, user.pw_uid, user.pw_gid)
        options = ["-A", "scram-sha-256", "--pwfile", home / "password", "-E", "UTF8", "--no-locale", "--no-sync"]
        _as_server([programs / "initdb", "-D", cluster.data, "-U", USER, *options])
        cluster.start()
        cluster.recreate_database()
        yield cluster
    finally:
        if cluster.running:
            cluster.stop("immediate")
        shutil.rmtree(home)


def _programs() -> Path | None:
    found = [path.parent for folder in _FOLDERS for path in sorted(folder.glob("**/bin/initdb"))]
    if (program := shutil.which("initdb")) is not None:
        found.append(Path(program).resolve().parent)
    return next((folder for folder in found if (folder / "pg_isready").exists()), None)


def _other_user() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


def _server_user() -> dict[str, Any]:
    user = _other_user()
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}


def _as_server(command: list[str | Path]) -> None:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, cwd="/", timeout=120, check=False, **_server_user()
    )
    assert done.returncode == 0, done.stderr


def ends_with_us(number: signal.Signals) -> Callable[[], None]:
    """For a child before it becomes its program: to get a signal when this process is gone, however that goes."""
    library = ctypes.CDLL(None)

    def ask() -> None:
        library.prctl(1, number)  # PR_SET_PDEATHSIG

    return ask


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
