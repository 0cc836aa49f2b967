"""Build hook: writes the commit into the wheel and the source distribution."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET = "croupier/commit.txt"


class CommitHook(BuildHookInterface[Any]):
    """Adds `croupier/commit.txt`, unless a source distribution brought it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the commit of CROUPIER_COMMIT or of the checkout; without one, nothing is added."""
        root = Path(self.root)
        commit = os.environ.get("CROUPIER_COMMIT", "")
        if version == "editable" or (root / TARGET).exists():
            return
        if not commit and (root / ".git").exists():
            command = ["git", "-C", str(root), "rev-parse", "HEAD"]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            commit = result.stdout.strip() if result.returncode == 0 else ""
        if commit:
            file = Path(tempfile.mkdtemp()) / "commit.txt"
            file.write_text(f"{commit}\n")
            build_data["force_include"][str(file)] = TARGET
