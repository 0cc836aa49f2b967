"""Static files: compressed in memory, under names that contain their digest.

A name changes with the content, so browsers keep a file without asking again. A script is linked
with the modules that it imports: over HTTP/1.1 a browser fetches six files at a time, and thirty
modules would cost a phone five round trips.
"""

from __future__ import annotations

import gzip
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import Unknown

FOLDER = Path(__file__).resolve().parents[1] / "static"
SERVED = ("pages/*.js", "components/pending_badge.js", "lib/preferences.js", "*.css", "*.svg")
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
IMMUTABLE = "max-age=31536000, immutable"  # a year, the longest that HTTP knows
DIGEST_CHARACTERS = 16
_IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"([^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.M)


class StaticFile(NamedTuple):
    """A file as it is sent."""

    path: str  # of its URL
    media_type: str
    content: bytes
    compressed: bytes

    def response(self, request: Request) -> Response:
        """The file, compressed if the client accepts that, to be kept for good."""
        accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
        headers = {"cache-control": f"public, {IMMUTABLE}", "vary": "accept-encoding"}
        if accepts_gzip:
            headers["content-encoding"] = "gzip"
        content = self.compressed if accepts_gzip else self.content
        return Response(content, headers=headers, media_type=self.media_type)


def static_path(name: str) -> str:
    """The URL path of a file, given its name in the folder `static`."""
    return static_files()[name].path


def find_static_file(path: str) -> StaticFile:
    """The file with a URL path."""
    for file in static_files().values():
        if file.path == path:
            return file
    raise Unknown(f"there is no file {path}; its name changes with its content")


@cache
def static_files() -> dict[str, StaticFile]:
    """The files that pages refer to, by name; read once."""
    paths = sorted(path for pattern in SERVED for path in FOLDER.glob(pattern))
    return {path.relative_to(FOLDER).as_posix(): _read(path) for path in paths}


def _read(path: Path) -> StaticFile:
    text = link(path) if path.suffix == ".js" else path.read_text("utf-8")
    content = text.encode()
    digest = sha256(content).hexdigest()[:DIGEST_CHARACTERS]
    url = f"/static/{path.stem}-{digest}{path.suffix}"
    compressed = gzip.compress(content, mtime=0)
    return StaticFile(url, MEDIA_TYPES[path.suffix], content, compressed)


def link(entry: Path) -> str:
    """One script with a module and all that it imports, each in a function of its own.

    It reads the modules of this folder, which import by `import { a, b } from "./module.js";` and
    export functions, classes and constants where they are declared.
    """
    linked: dict[Path, str] = {}

    def add(path: Path, importers: tuple[Path, ...]) -> str:
        name = re.sub(r"\W", "_", str(path.relative_to(FOLDER).with_suffix("")))
        if path in importers:
            chain = " imports ".join(each.name for each in (*importers, path))
            raise ImportError(f"modules must not import each other: {chain}")
        if path not in linked:
            source = path.read_text("utf-8")

            def replace_import(found: re.Match[str]) -> str:
                module = add((path.parent / found[2]).resolve(), (*importers, path))
                return f"const {found[1]} = {module};\n" if found[1] else ""

            body = _EXPORT.sub(r"\1 \2", _IMPORT.sub(replace_import, source))
            exported = ", ".join(found[2] for found in _EXPORT.finditer(source))
            linked[path] = f"const {name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
        return name

    add(entry, ())
    return "".join(linked.values())
