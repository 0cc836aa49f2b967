"""Static files: linked scripts, digest names, compression, what browsers may keep."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from croupier.server.http import static_files
from croupier.server.http.static_files import link, static_path
from tests.support.floor_server import PASSWORD, ServerThread

FOREVER = "public, max-age=31536000, immutable"


@contextmanager
def sign_in(world: ServerThread) -> Iterator[httpx.Client]:
    """A client with Ann's session."""
    with httpx.Client(base_url=world.address) as client:
        signed_in = client.post("/tokens", json={"name": "ann", "password": PASSWORD})
        client.headers["authorization"] = f"Bearer {signed_in.json()['token']}"
        yield client


def test_scripts_contain_their_modules() -> None:
    """No page needs a second script of this server, and each module is in its script once."""
    for name, file in static_files.static_files().items():
        text = file.content.decode()
        assert not re.search("^(import|export)", text, re.M), name
        definitions = re.findall(r"^const (\w+) = \(\(\) => \{$", text, re.M)
        assert len(definitions) == len(set(definitions)), name
        assert (len(definitions) > 0) == name.endswith(".js"), name
    assert "const lib_render = " in static_files.static_files()["pages/player.js"].content.decode()


def test_a_name_follows_the_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of a module changes the name of each script that contains it, and no other name."""
    monkeypatch.setattr(static_files, "FOLDER", tmp_path)
    for folder in ("pages", "lib"):
        (tmp_path / folder).mkdir()
    (tmp_path / "pages/a.js").write_text('import { one } from "../lib/one.js";\nalert(one);\n')
    (tmp_path / "pages/b.js").write_text("alert(2);\n")
    (tmp_path / "lib/one.js").write_text("export const one = 1;\n")
    read = static_files.static_files.__wrapped__
    before = read()
    (tmp_path / "lib/one.js").write_text("export const one = 2;\n")
    after = read()
    assert before["pages/a.js"].path != after["pages/a.js"].path
    assert before["pages/b.js"] == after["pages/b.js"]


def test_modules_that_import_each_other_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cycle cannot be linked; the error names it."""
    monkeypatch.setattr(static_files, "FOLDER", tmp_path)
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(ImportError, match=r"a\.js imports b\.js imports a\.js"):
        link(tmp_path / "a.js")


def test_files_are_kept_and_pages_are_not(world: ServerThread) -> None:
    """Static files and felts are kept for good, compressed; a page and its data are not."""
    with sign_in(world) as client:
        script = client.get(static_path("pages/player.js"))
        assert script.headers["cache-control"] == FOREVER
        assert script.headers["content-encoding"] == "gzip"
        assert script.headers["content-type"].startswith("text/javascript")
        plain = client.get(static_path("pages/player.js"), headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == script.content
        assert len(gzip.compress(plain.content)) < len(plain.content) / 3

        missing = client.get("/static/player-0000000000000000.js")
        assert missing.status_code == 404
        assert "changes with its content" in missing.json()["detail"]

        world.open("T", "top_five")
        page = client.get("/play/T")
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["content-encoding"] == "gzip"
        digest = client.get("/tables/T").json()["digest"]
        kept = client.get(f"/tables/T/felt.svg?house={digest}")
        assert kept.headers["cache-control"] == FOREVER.replace("public", "private")
        assert client.get("/tables/T/felt.svg").headers["cache-control"] == "no-store"


def test_a_page_has_its_first_state(world: ServerThread) -> None:
    """The data in a table's page is the House and a snapshot of the person; no text ends it."""
    world.open("T", "top_five")
    with sign_in(world) as client:
        data = re.search('id="page-data">(.*?)</script>', client.get("/play/T").text, re.S)
        assert data is not None
        assert "<" not in data[1]
        content = json.loads(data[1])
        snapshot = client.get("/tables/T/state?role=player").json()
        assert content["house"] == client.get("/tables/T").json()
        assert content["snapshot"] | {"at": 0} == snapshot | {"at": 0}


# Features that Safari 16.0 or Firefox ESR do not have, as they are written in scripts and styles.
TOO_NEW = {
    "script": (
        r"\bObject\.groupBy\b",
        r"\bPromise\.(withResolvers|try)\b",
        r"\bArray\.fromAsync\b",
        r"\(\?<[=!]",  # lookbehind
        r"\bstatic \{",
        r"\badoptedStyleSheets\b",
        r"\brequestIdleCallback\b",
        r"\bimport\.meta\.resolve\b",
        r"\b(showPopover|startViewTransition|checkVisibility)\b",
        r"\.(union|intersection|difference|isSubsetOf|symmetricDifference)\(",
        r"\b(Iterator\.from|RegExp\.escape|Math\.sumPrecise)\b",
        r"/[a-z]*v[a-z]*\.(test|exec)",
    ),
    "style": (
        r"&\s*[.:#>]",  # nesting
        r"\bcolor-mix\(",
        r"\blight-dark\(",
        r"@(property|starting-style|scope|layer|view-transition)\b",
        r"\b(field-sizing|text-wrap|interpolate-size|anchor-name|position-try|view-timeline)\s*:",
        r"\banimation-timeline\s*:",
        r"\b(round|mod|rem|sin|cos|tan)\(",
    ),
}


@pytest.mark.parametrize("kind", TOO_NEW)
def test_features_of_older_browsers_only(kind: str) -> None:
    """Pages run in Safari 16 and in Firefox ESR."""
    suffix = {"script": ".js", "style": ".css"}[kind]
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted(static_files.FOLDER.rglob(f"*{suffix}"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for feature in TOO_NEW[kind]
        if re.search(feature, line)
    ]
    assert [] == found
