"""Software identity: installed files against the manifest of their wheel."""

from __future__ import annotations

import base64
import json
from hashlib import sha256
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from croupier.ledger import entry_codec
from croupier.ledger.aggregates import administration
from croupier.ledger.audit.verify import verify
from croupier.server import Floor
from croupier.software_identity import SelfCheck, self_check
from tests.support.cli import invoke
from tests.support.floor_server import run, serving

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
    """Whatever the umask; one that exists keeps its mode."""
    with serving(tmp_path) as world:
        for path in (world.database, Path(f"{world.database}-wal")):
            assert 0o600 == path.stat().st_mode & 0o777
