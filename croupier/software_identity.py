"""Software identity: which version is installed, and whether its files are those of the wheel.

The manifest is the RECORD of the installed wheel: the SHA-256 of every file in it. The digest of
all these hashes names the software, for a laboratory that approves it. The build writes the commit
into the wheel (`hatch_build.py`); `CROUPIER_COMMIT` names it where there is neither that file nor
a git checkout.
"""

from __future__ import annotations

import base64
import csv
import os
import subprocess
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

import msgspec

PACKAGE = "croupier"
DISTRIBUTION = "croupier"
COMMIT = "CROUPIER_COMMIT"
COMMIT_FILE = Path(__file__).with_name("commit.txt")  # in a wheel
COMMIT_LENGTH = 12
GENERATED = ("__pycache__",)  # compiled modules and kernels, written after the installation


class SelfCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The result of comparing the installed files with the manifest."""

    version: str
    commit: str = ""
    digest: str  # of the installed files
    files: int
    has_manifest: bool  # false where the program runs from a source folder
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is a manifest and every file agrees with it."""
        return self.has_manifest and not self.problems


def version_text() -> str:
    """The version and the commit if it is known, as on every page, document and report."""
    from croupier import __version__

    known = commit()
    return f"{__version__} ({known})" if known else __version__


def commit() -> str:
    """The first characters of the commit that the software was built from; "" if unknown."""
    return (os.environ.get(COMMIT) or _built_commit())[:COMMIT_LENGTH]


@cache
def _built_commit() -> str:
    """The commit in the wheel, or that of the source tree that this package is part of."""
    if COMMIT_FILE.exists():
        return COMMIT_FILE.read_text("utf-8").strip()
    root = Path(__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def self_check(installed: Distribution | None = None) -> SelfCheck:
    """Hash every file of the package and compare it with the manifest."""
    from croupier import __version__

    root = Path(__file__).parent
    try:
        installed = installed or distribution(DISTRIBUTION)
    except PackageNotFoundError:
        installed = None
    manifest = dict(_manifest(installed)) if installed is not None else {}
    if manifest:
        assert installed is not None
        root = Path(str(installed.locate_file(PACKAGE)))
    present = dict(_hashes(root))
    lines = "".join(f"{name} {digest}\n" for name, digest in sorted(present.items()))
    return SelfCheck(
        version=__version__,
        commit=commit(),
        digest=sha256(lines.encode()).hexdigest(),
        files=len(present),
        has_manifest=bool(manifest),
        problems=tuple(_differences(manifest, present)) if manifest else (),
    )


def _differences(manifest: dict[str, str], present: dict[str, str]) -> Iterator[str]:
    for name in sorted({*manifest, *present}):
        if name not in present:
            yield f"{name} is missing"
        elif name not in manifest:
            yield f"{name} is not part of the release"
        elif manifest[name] != present[name]:
            yield f"{name} was changed"


def _manifest(installed: Distribution) -> Iterator[tuple[str, str]]:
    """The files of the package and their hashes, as the wheel lists them.

    `Distribution.files` would leave out those that are missing, since Python 3.12.
    """
    for name, hashed, _ in csv.reader((installed.read_text("RECORD") or "").splitlines()):
        parts = PurePosixPath(name).parts
        kind, _, value = hashed.partition("=")
        if parts[0] == PACKAGE and not {*parts} & {*GENERATED} and kind == "sha256":
            yield name, base64.urlsafe_b64decode(value + "==").hex()


def _hashes(root: Path) -> Iterator[tuple[str, str]]:
    """The files below a folder and their hashes, except generated ones."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and not {*path.parts} & {*GENERATED} and path.suffix != ".pyc":
            name = PurePosixPath(PACKAGE, *path.relative_to(root).parts)
            yield str(name), sha256(path.read_bytes()).hexdigest()
