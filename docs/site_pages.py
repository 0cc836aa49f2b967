"""MkDocs hook: adds the repository's own documents to the site, with links that work there."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add a page for each document."""
    for name in DOCUMENTS:
        text = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
        for other in DOCUMENTS:
            text = text.replace(f"]({other}", f"]({other.lower()}")
        files.append(File.generated(config, name.lower(), content=text))
    return files
