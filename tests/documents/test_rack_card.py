"""The rack card: one page with all odds, the strategy and its exact cost."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pypdfium2
import pytest

from croupier import analysis, submission
from croupier.documents import rack_card as cards
from croupier.documents.felt import inscriptions
from tests.support.cli import invoke
from tests.support.rounds import EVERY_GAME, JACKPOT, RUN, THB, TOP, UTH


def page(pdf: bytes) -> tuple[int, str]:
    """The number of pages, and the text of the first with single spaces."""
    document = pypdfium2.PdfDocument(pdf)
    return len(document), " ".join(document[0].get_textpage().get_text_range().split())


@pytest.mark.parametrize("game", ["top_five", "ultimate_texas_holdem"])
def test_one_page_with_everything(game: str) -> None:
    """The shortest and the longest card: rules, odds, strategy and its cost on one page."""
    house = submission.example(game)
    rules = analysis.practical_strategy(game)
    assert rules is not None
    priced = analysis.strategy_cost(house, rules)
    made = cards.card(house, priced)
    pages, text = page(made.pdf())

    assert 1 == pages
    assert made.pdf() == made.pdf()
    for block in inscriptions.odds(house):
        assert all(" ".join(pays.split()) in text for _, pays in block.lines), block.heading
    for line in priced.lines:
        assert " ".join(line.words.split()) in text
    assert f"{100 * float(priced.house_edge):.2f}%" in text
    assert house.digest[:16] in text


def test_the_card_says_which_hand_decides_the_progressive() -> None:
    """In words, where the submission chooses; not where no progressive is offered."""
    said = {key: dict(cards.decided_by(submission.example(key))) for key in EVERY_GAME}
    assert "your 1st Run hand alone" == said[RUN]["Progressive"]
    assert "your two cards and the flop" == said[UTH]["Progressive"]
    assert "your two cards and the first three of the board" == said[JACKPOT]["Progressive"]
    assert not {"Progressive"} & (said[TOP].keys() | said[THB].keys())


def test_last_rule_that_always_applies_is_the_action_otherwise() -> None:
    """Run 'Em Twice bets 1x on everything else, so the card does not mention folding."""
    line = {"words": "", "cost": 0, "wrong": 0}
    lines = tuple(
        analysis.LineCost(street="center", rule=rule, action=action, used=used, **line)  # type: ignore[arg-type]
        for rule, action, used in (
            ("a pair", "3x", 1),
            ("always", "1x", 1),
            ("otherwise", "fold", 0),
        )
    )
    worth = dict.fromkeys(("ev", "best_ev", "cost"), Fraction(0))
    priced = analysis.StrategyCost(
        game="run_em_twice", digest="", setting="", lines=lines, mistakes=(), **worth
    )
    street = submission.example("run_em_twice").game.streets[2]

    play = cards._street_advice(street, priced)
    assert ((("Bet 3x", "a pair"),), "bet 1x") == (play.answers, play.otherwise)


def test_card_command(tmp_path: Path) -> None:
    """Text and PDF output, a custom strategy, and no overwriting."""
    file = str(submission.example_path("top_five"))
    pdf, rules = tmp_path / "card.pdf", tmp_path / "mine.rules"
    rules.write_text("game: top_five\nplay: live >= 3 -> 1x  # three live cards\n")

    assert "This is perfect play" in invoke(["card", file]).output
    result = invoke(["card", file, "--strategy", str(rules), "-o", str(pdf)])
    assert 0 == result.exit_code, result.output
    assert "three live cards" in page(pdf.read_bytes())[1]
    assert "exists already" in invoke(["card", file, "-o", str(pdf)]).output
