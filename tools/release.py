"""Release script: `python -m tools.release 0.2.0`.

Refuses unless the tree is clean, the version and the changelog name this release, the tag is new,
and `make check` passes. Then it builds the distributions and makes the tag; pushing and uploading
stay manual.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

from tests.support.paths import ROOT


def problems(version: str, root: Path = ROOT) -> list[str]:
    """Everything that forbids the release, except failing checks."""
    issues = []
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        issues.append(f"version: {version!r}, expected three numbers such as 0.2.0")
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    if project["version"] != version:
        issues.append(f"pyproject.toml: version {project['version']!r}, expected {version!r}")
    heading = f"## {version} ({date.today():%Y-%m-%d})"
    if heading not in (root / "CHANGELOG.md").read_text("utf-8").splitlines():
        issues.append(f"CHANGELOG.md: expected the heading {heading!r}")
    if run("git", "status", "--porcelain", root=root):
        issues.append("git: uncommitted changes")
    if run("git", "tag", "--list", f"v{version}", root=root):
        issues.append(f"git: the tag v{version} exists")
    return issues


def run(*command: str, root: Path = ROOT) -> str:
    """The output of a command that must succeed."""
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def main() -> int:
    """0 after a release, 1 if something forbids it."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    parser.add_argument("version")
    version = parser.parse_args().version
    if issues := problems(version):
        print(*issues, sep="\n", file=sys.stderr)
        return 1
    subprocess.run(["make", "check"], cwd=ROOT, check=True)
    subprocess.run([Path(sys.executable).with_name("uv"), "build"], cwd=ROOT, check=True)
    run("git", "tag", "--annotate", f"v{version}", "--message", f"Croupier {version}")
    print(f"tagged v{version}; push the tag and upload dist/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
