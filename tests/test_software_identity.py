"""Software identity: installed files against the manifest of their wheel."""

from __future__ import annotations

import base64
import json
import tomllib
from hashlib import sha256
from importlib.metadata import PathDistribution
from pathlib import Path

import httpx
import pytest

from croupier import __version__, software_identity
from croupier.ledger import entry_codec
from croupier.ledger.aggregates import administration
from croupier.ledger.audit.verify import verify
from croupier.server import Floor
from croupier.software_identity import COMMIT, SelfCheck, self_check, version_text
from tests.support.cli import invoke
from tests.support.floor_server import PASSWORD, recorded_denials, run, serving
from tests.support.paths import ROOT

FILES = {"croupier/__init__.py": b"", "croupier/games/paytables.toml": b"[wager]"}


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with an installed wheel."""
    record = []
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        digest = base64.urlsafe_b64encode(sha256(content).digest()).decode().rstrip("=")
        record.append(f"{name},sha256={digest},{len(content)}")
    (tmp_path / "croupier-1.dist-info").mkdir()
    (tmp_path / "croupier-1.dist-info" / "RECORD").write_text("\n".join(record))
    return tmp_path


def check(folder: Path) -> SelfCheck:
    """The self-check of an installation."""
    return self_check(PathDistribution(folder / "croupier-1.dist-info"))


def test_an_untouched_installation_is_verified(installed: Path) -> None:
    """Also after Python has compiled it."""
    cache = installed / "croupier" / "__pycache__"
    cache.mkdir()
    (cache / "x.cpython-311.pyc").write_bytes(b"compiled")
    result = check(installed)
    assert (True, True, 2, ()) == (result.ok, result.has_manifest, result.files, result.problems)


def test_every_difference_is_named(installed: Path) -> None:
    """Changed, missing and further files; the digest changes too."""
    before = check(installed).digest
    (installed / "croupier/games/paytables.toml").write_bytes(b"[wager]\n")
    (installed / "croupier/__init__.py").unlink()
    (installed / "croupier/extra.py").write_text("print()")
    result = check(installed)
    assert (
        "croupier/__init__.py is missing",
        "croupier/extra.py is not part of the release",
        "croupier/games/paytables.toml was changed",
    ) == result.problems
    assert not result.ok and before != result.digest


def test_the_command_fails_without_a_manifest() -> None:
    """A source folder can be identified, but not verified."""
    done = invoke(["self-check", "--json"])
    result = json.loads(done.stdout)
    assert 1 == done.exit_code and not result["has_manifest"] and 64 == len(result["digest"])
    assert "no manifest" in invoke(["self-check"]).stdout


def test_a_server_records_its_self_check(tmp_path: Path) -> None:
    """On the ledger, and at `/version`."""

    async def checked(floor: Floor) -> SelfCheck:
        assert world.server is not None
        return await world.server.software.check()

    async def version() -> dict[str, object]:
        async with await world.client("ann") as ann:
            found: dict[str, object] = await ann._request("GET", "/version")
            return found

    with serving(tmp_path) as world:
        assert None is run(version()).get("verified", None)
        result = world.within(checked)
        shown = run(version())
        assert (result.digest, result.ok) == (shown["digest"], shown["verified"])

        async def recorded(floor: Floor) -> object:
            *_, last = floor.ledger.store.read(administration.STREAM)
            return entry_codec.decode_entry(last).events[0]

        event = world.within(recorded)
        assert isinstance(event, administration.SelfCheckNoted)
        assert (result.digest, result.version) == (event.digest, event.version)
    assert verify(world.database).ok


def test_the_files_of_a_ledger_are_private(tmp_path: Path) -> None:
    """Whatever the umask, and their copies, too; one that exists keeps its mode."""
    with serving(tmp_path) as world:
        for path in (world.database, Path(f"{world.database}-wal")):
            assert 0o600 == path.stat().st_mode & 0o777
    copies = tmp_path / "copies"
    copies.mkdir()
    for command, name in (("backup", "copy.db"), ("export", "log.jsonl")):
        done = invoke([command, str(copies / name), "--database", str(world.database)])
        assert 0 == done.exit_code, done.output
    restored = ["restore", str(copies / "copy.db"), "--database", str(copies / "again.db")]
    assert 0 == invoke(restored).exit_code
    files = [path for path in copies.rglob("*") if path.is_file()]
    assert {"copy.db", "copy.db-seal", "log.jsonl", "again.db"} <= {path.name for path in files}
    assert {0o600} == {path.stat().st_mode & 0o777 for path in files}


def test_every_page_and_the_api_name_the_software(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the footer of pages, also without a session, and at `/version`."""
    monkeypatch.setenv(COMMIT, "0123456789abcdef")
    expected = f"{__version__} (0123456789ab)"
    assert f"croupier {expected}\n" == invoke(["--version"]).stdout

    async def pages() -> list[str]:
        async with httpx.AsyncClient(base_url=world.address) as http:
            shown = (await http.get("/version")).json()
            assert (__version__, "0123456789ab") == (shown["version"], shown["commit"])
            return [(await http.get(path)).text for path in ("/sign-in", "/enter/unknown")]

    with serving(tmp_path) as world:
        for page in run(pages()):
            assert f'<footer class="software">Croupier {version_text()}</footer>' in page


def test_the_commit_is_that_of_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which the build wrote; unknown where there is neither a wheel nor a checkout."""
    monkeypatch.delenv(COMMIT, raising=False)
    written = tmp_path / "commit.txt"
    written.write_text("fedcba9876543210\n")
    for file, expected in ((written, "fedcba987654"), (tmp_path / "none", "")):
        monkeypatch.setattr(software_identity, "COMMIT_FILE", file)
        monkeypatch.setattr(software_identity, "__file__", str(tmp_path / "a" / "x.py"))
        software_identity._built_commit.cache_clear()
        assert expected == software_identity.commit()
    software_identity._built_commit.cache_clear()


def test_the_image_is_built_from_every_file_that_the_build_names() -> None:
    """Also the build hook, which reads the commit from the argument of the image."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    copied = {name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1]}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, build = settings["project"], settings["tool"]["hatch"]["build"]
    hooks = {hook.get("path", "hatch_build.py") for hook in build["hooks"].values()}
    named = {project["readme"], *project["license-files"], *build["targets"]["wheel"]["packages"]}
    assert {"pyproject.toml", *named, *hooks} - copied == set()
    assert f"ARG {COMMIT}" in lines[: lines.index("")]
    assert f"{COMMIT}: " in (ROOT / "compose.yaml").read_text()


def test_operators_auditors_and_the_regulator_check_on_demand(tmp_path: Path) -> None:
    """By page without scripts and by API; the result is on record; others are denied."""

    async def scenario() -> None:
        headers = {"origin": world.address}
        for name, status in (("olga", 200), ("dana", 403)):
            async with httpx.AsyncClient(base_url=world.address, headers=headers) as http:
                await http.post("/session", json={"name": name, "password": PASSWORD})
                assert status == (await http.get("/software")).status_code
                assert status == (await http.get("/software/checks")).status_code
                checked = await http.post("/software/checks")
                assert status == checked.status_code
                if status == 200:
                    state = checked.json()
                    (recorded,) = state["checks"]
                    assert recorded["digest"] == state["software"]["digest"]
                    page = await http.post("/software", data={})
                    assert page.text.count(recorded["digest"][:16]) == 3  # two on record
                    assert "there is no manifest" in page.text

    with serving(tmp_path) as world:
        run(scenario())
        assert recorded_denials(world)["dana", "check the software", "no such role"]
