"""Every package works with the plugin game, which none of them knows."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from croupier import submission
from croupier.cards import DECK, names
from croupier.errors import BadInput
from croupier.games import canonical_text, catalogue, find, house_from_text
from croupier.games.expected_returns import returns
from tests.plugin_game.install import KEY, ROOT, SOURCE, croupier, installed, metadata


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The metadata of both editions, for subprocesses."""
    return metadata(tmp_path_factory.mktemp("both"))


def test_it_is_in_the_catalogue() -> None:
    """After the games of Croupier, by every name, in its newest edition."""
    assert KEY == catalogue()[-1].key
    for name in (KEY, "Harbor Duel", "DUEL"):
        assert 2 == find(name).edition
    assert 1 == find(KEY, edition=1).edition


def test_its_returns_are_exact() -> None:
    """The side wager uses the game's counts, the main game its solver."""
    expected = returns(submission.example(KEY))
    assert Fraction(6 * 21 + 72 * 7 + 312 * 2, 1326) == expected["twin_bonus"]
    assert Fraction(1, 2) < expected["main"] < 1


def test_check(site: Path) -> None:
    """`croupier check` reports a legal submission and all returns."""
    done = croupier(site, "check", SOURCE / KEY / "example.toml", "--json")
    assert (0, "") == (done.returncode, done.stderr)
    output = json.loads(done.stdout)
    assert output["ready"]
    assert {"main", "twin_bonus"} == set(output["returns"])


def test_play(site: Path) -> None:
    """`croupier play` plays a round in the terminal."""
    done = croupier(site, "play", "duel", "--seed", "5", "--answers", input="\n1x\nq\n")
    assert 0 == done.returncode, done.stderr
    assert "Harbor Duel" in done.stdout


def test_replay(site: Path, tmp_path: Path) -> None:
    """`croupier replay` settles a scenario."""
    scenario = {
        "game": KEY,
        "submission": str(SOURCE / KEY / "example.toml"),
        "deck": " ".join(names(DECK[::-1])),
        "seats": {"1": {"wagers": {"ante": 1000, "twin_bonus": 100}, "decisions": ["1x"]}},
    }
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(scenario), "utf-8")
    done = croupier(site, "replay", path, "--json")
    assert 0 == done.returncode, done.stderr
    seat = json.loads(done.stdout)["seats"]["1"]
    assert {"ante", "play", "twin_bonus"} == set(seat["wagers"])
    assert 2100 == seat["wagers"]["twin_bonus"]["returned"]


def test_analyze_and_advise(site: Path) -> None:
    """`croupier analyze` and `advise` use the solver of the game."""
    done = croupier(site, "analyze", KEY, "--json")
    assert 0 == done.returncode, done.stderr
    output = json.loads(done.stdout)
    assert {"A", "B"} == set(output["wagers"]["twin_bonus"])
    assert Fraction(output["main"]["ev"]) < 0
    advice = croupier(site, "advise", KEY, "--hand", "3c 2d", "--json")
    assert 0 == advice.returncode, advice.stderr
    assert "fold" == json.loads(advice.stdout)["best"]


def test_felt(site: Path, tmp_path: Path) -> None:
    """`croupier felt` draws all wagers although the game declares no layout."""
    target = tmp_path / "felt.svg"
    done = croupier(site, "felt", SOURCE / KEY / "example.toml", "-o", target)
    assert (0, "") == (done.returncode, done.stderr)
    drawn = target.read_text("utf-8")
    for wager in ("ante", "twin_bonus", "play"):
        assert f'id="seat-6-{wager}"' in drawn
    assert "21 to 1" in drawn or "20 to 1" in drawn


def test_rulebook(site: Path) -> None:
    """`croupier rulebook` shows where clauses are enforced, and counts their tests."""
    done = croupier(site, "rulebook", "duel", "11.C.3", "--json")
    (entry,) = json.loads(done.stdout)
    assert "harbor_duel.game.settle" in entry["enforced"]
    assert entry["tests"]
    covered = json.loads(croupier(site, "rulebook", "--coverage", "--json").stdout)
    assert covered[KEY]["clauses"] > covered[KEY]["defined"] > 0
    assert 6 == len(covered)


def test_documents(site: Path, tmp_path: Path) -> None:
    """The filing packet and PAR sheet of a game without patron sentences or labels."""
    example = SOURCE / KEY / "example.toml"
    assert not (SOURCE / KEY / "patron.toml").exists()
    folder, par = tmp_path / "filing", tmp_path / "par.xlsx"
    for arguments in (("packet", example, "-o", folder), ("par", example, "-o", par)):
        done = croupier(site, *arguments)
        assert 0 == done.returncode, done.stderr
    guide = " ".join(page_text(folder / "3-gaming-guide.pdf").split())
    for words in ("Twin Bonus", "Decided by your two cards", "if you fold", "the round is void"):
        assert words in guide
    assert "to be listed by the operator" in page_text(folder / "1-rules-submission.pdf")
    assert par.stat().st_size > 1000


def page_text(path: Path) -> str:
    """The text of all pages of a PDF."""
    return "\n".join(page.get_textpage().get_text_range() for page in PdfDocument(path))


def test_audit_and_report(site: Path, tmp_path: Path) -> None:
    """Rounds are recorded, verified, rebuilt and reported."""
    record = tmp_path / "mine.db"
    played = croupier(
        site, "play", KEY, "--seed", "3", "--answers", "--record", record, input="\n1x\nq\n"
    )
    assert 0 == played.returncode, played.stderr
    check_record(site, record)


def check_record(site: Path, record: Path) -> None:
    """Verify a record, rebuild a hand and print the reports."""
    verified = json.loads(croupier(site, "audit", "verify", record, "--json").stdout)
    assert (True, 1) == (verified["ok"], verified["rounds"])
    hand = croupier(site, "audit", "hand", f"practice-{KEY}", "1", "--database", record)
    assert 0 == hand.returncode, hand.stderr
    for kind in ("shift", "wagers", "day"):
        done = croupier(site, "report", kind, "--database", record, "--json")
        assert (0, "") == (done.returncode, done.stderr)


def test_a_record_outlives_its_edition(site: Path, tmp_path: Path) -> None:
    """A record made with one edition installed still works with two."""
    before = metadata(tmp_path / "before", editions=(1,))
    record = tmp_path / "old.db"
    played = croupier(
        before, "play", KEY, "--seed", "3", "--answers", "--record", record, input="\n1x\nq\n"
    )
    assert 0 == played.returncode, played.stderr
    check_record(site, record)


def test_terms_of_the_first_edition_stay_its_own(tmp_path: Path) -> None:
    """Decoding the terms gives a House of the edition they name."""
    now = submission.example(KEY)
    with installed(tmp_path, editions=(1,)):
        old = submission.load(submission.example_path(KEY))
    again = house_from_text(old.digest, canonical_text(old))
    assert (1, 2) == (again.game.edition, now.game.edition)
    assert again == old
    assert again.digest != now.digest


def test_a_plugin_game_has_a_gymnasium_id() -> None:
    """Under its newest edition; without a simulator it says so."""
    import gymnasium as gym

    from croupier.analysis.envs import register_environments

    name = f"croupier/{KEY}-v2"
    assert name in register_environments()
    with pytest.raises(BadInput, match="has no simulator"):
        gym.make(name)
    del gym.registry[name]


def test_nothing_in_croupier_knows_its_name() -> None:
    """No file of Croupier mentions the plugin game."""
    for path in (ROOT / "croupier").rglob("*"):
        if path.suffix in (".py", ".toml", ".csv", ".json", ".sql"):
            text = path.read_text("utf-8").lower()
            assert KEY not in text, path
            assert "harbor duel" not in text, path
