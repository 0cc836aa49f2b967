"""The finished layout (2.B), parsed from the drawing."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from croupier import submission
from croupier.documents.felt import felt as draw_felt
from croupier.documents.felt import felt_checks
from croupier.games import House
from tests.clauses.attended.claims import proving
from tests.clauses.layout.drawings import changed, drawn, examined, moved, says, without
from tests.support.rounds import EVERY_GAME, JACKPOT, LETTERS, RUN, THB, TOP, UTH, house

pytestmark = pytest.mark.xdist_group("drawings")  # one worker draws each felt once

LIMITED: dict[str, Any] = {"payout_limit": 2_000_000}
LIMIT_NOTICE = "Payout limit $2,000,000 per hand"


def problems(rules: House, felt: str, sign: str = "") -> list[str]:
    """The problems that the layout checks report, as text."""
    return [str(finding) for finding in felt_checks.examine(rules, felt, sign).findings]


def replace_spots(rules: House, spots: tuple[tuple[str, ...], ...]) -> House[Any]:
    """The House with other rows of betting areas at every position."""
    layout = msgspec.structs.replace(rules.game.layout, spots=spots)
    return replace(rules, game=msgspec.structs.replace(rules.game, layout=layout))


def limited(game: str, **choices: Any) -> House[Any]:
    """A House with a payout limit, set by the operator or by the document."""
    return house(game, **(LIMITED if game in (UTH, JACKPOT) else {}), **choices)


@proving(
    T="2.B.1 2.B.2 2.B.3 2.B.4 2.B.5 2.B.6 2.B.7.a 2.B.7.b",
    F="2.B.1 2.B.2 2.B.3 2.B.3.a 2.B.3.b 2.B.4",
    U="2.B.1 2.B.2 2.B.3 2.B.4 2.B.5 2.B.6 2.B.7 2.B.8.a 2.B.8.b 2.B.8.c 2.B.8.d",
    J="2.B.1 2.B.2 2.B.3 2.B.4 2.B.5 2.B.6 2.B.7 2.B.8.a 2.B.8.b 2.B.8.c",
    R="2.B.1 2.B.2 2.B.3 2.B.3.a 2.B.3.b 2.B.3.c 2.B.4 2.B.4.a 2.B.4.b 2.B.4.c 2.B.5",
)
def test_the_layout_carries_everything(game: str) -> None:
    """With every wager, all areas, odds and notices are present, legible and free of overlaps."""
    assert () == examined(limited(game)).findings


@proving(TUJ="2.B.1", FR="2.B.1")
def test_the_operator_is_named(game: str) -> None:
    """A felt without the name, or with another one, is rejected."""
    rules = house(game)
    felt, _ = drawn(rules)
    assert () == felt_checks.examine(rules, felt).findings
    wrong = problems(rules, changed(felt, "operator-0", says("Another House")))
    assert ["the operator's name is 'Another House', expected 'Test House' [2.B.1]"] == wrong
    assert problems(rules, without(felt, "operator-0"))


@proving(TUJ="2.A", FR="2.A.1")
def test_the_layout_has_the_positions_of_the_submission(game: str) -> None:
    """A felt with one position less is rejected."""
    rules = house(game)
    felt, _ = drawn(rules)
    assert () == felt_checks.examine(rules, felt).findings
    ids = re.findall(r'id="(seat-6-[a-z0-9_-]+)"', felt)
    for area in ids:
        felt = without(felt, area)
    clauses = "2.A.1, 2.A.2" if game in (TOP, RUN) else "2.A"
    assert f"5 betting positions, expected 6 [{clauses}]" in problems(rules, felt)


@proving(R="2.B.2")
def test_a_blank_area_is_at_every_position(game: str) -> None:
    """If the submission has a sixth area, a felt without it at one position is rejected (A139)."""
    rules = house(game, sixth_area="blank")
    felt, _ = drawn(rules)
    assert () == felt_checks.examine(rules, felt).findings
    problem = "no blank betting area at every position [2.B.2]"
    assert [problem] == problems(rules, without(felt, "seat-6-blank"))


@proving(T="2.B.2", F="2.B.2", U="2.B.2", J="2.B.2", R="2.B.2")
def test_every_position_has_its_areas(game: str) -> None:
    """A missing area, or one without its name, is rejected."""
    rules = house(game)
    felt, _ = drawn(rules)
    felt_checks.examine(rules, felt)
    for wager in (name for row in rules.game.layout.spots for name in row if name.isidentifier()):
        title = next(each.title for each in rules.game.wagers if each.name == wager)
        problem = f"no area named {title} at position 4 [2.B.2]"
        assert problem in problems(rules, without(felt, f"seat-4-{wager}"))
    assert problems(rules, changed(felt, "seat-2-" + rules.game.ante.name, moved(right=60)))


@proving(U="2.B.2", J="2.B.2")
def test_the_second_wager_is_to_the_right_of_the_ante(game: str) -> None:
    """The sign between the two areas must be present, correct and in place."""
    rules = house(game)
    felt, _ = drawn(rules)
    felt_checks.examine(rules, felt)
    problem = "with = between" if game == UTH else "with + between"
    other = "+" if game == UTH else "="
    for wrong in (
        without(felt, "seat-3-sign"),
        changed(felt, "seat-3-sign", says(other)),
        changed(felt, "seat-3-sign", moved(right=-120)),
    ):
        assert any(problem in text and "position 3" in text for text in problems(rules, wrong))


@proving(TUJ="2.B.3 2.B.4", R="2.B.3")
def test_shared_cards_lie_before_the_inventory(game: str) -> None:
    """A missing area, or a board in the wrong place, is rejected."""
    rules = house(game)
    felt, _ = drawn(rules)
    felt_checks.examine(rules, felt)
    place = rules.game.layout.places[0] if rules.game.layout.places else "1"
    problem = "4 areas for community cards, expected 5 [2.B.3]"
    assert problem in problems(rules, without(felt, f"community-{place}"))
    lower = felt
    for number in range(5):
        name = (rules.game.layout.places or ("1", "2", "3", "4", "5"))[number]
        lower = changed(lower, f"community-{name}", moved(down=70))
    problem = "the community cards are not directly in front of the table inventory [2.B.3]"
    assert problem in problems(rules, lower)
    if rules.game.dealer_cards:
        problem = "no area for the dealer's cards [2.B.4]"
        assert problem in problems(rules, without(felt, "dealer"))


@proving(R="2.B.3 2.B.3.a 2.B.3.b 2.B.3.c")
def test_the_cross_is_inscribed(game: str) -> None:
    """A place of the cross without its own inscription is rejected."""
    rules = house(game)
    felt, _ = drawn(rules)
    felt_checks.examine(rules, felt)
    for place, title, clause in (
        ("right", "1st Ante", "2.B.3.a"),
        ("center", "Center", "2.B.3.b"),
        ("top", "2nd Ante", "2.B.3.c"),
    ):
        problem = f"a place for a community card is not inscribed {title} [{clause}]"
        assert [problem] == problems(
            rules, changed(felt, f"community-{place}-label", says("2nd Run"))
        )


OPTIONAL = {
    THB: {"texas_holdem_bonus": "2.B.5"},
    TOP: {"top_five_bonus": "2.B.3.a", "poker_bonus": "2.B.3.b"},
    UTH: {"progressive": "2.B.5", "six_card_bonus": "2.B.6"},
    JACKPOT: {"progressive": "2.B.5", "player_bonus": "2.B.6"},
    RUN: {
        "five_card_bonus": "2.B.4.a",
        "ultimate_pairs_bonus": "2.B.4.b",
        "progressive": "2.B.4.c",
    },
}


@proving(
    T="2.B.5",
    F="2.B.3 2.B.3.a 2.B.3.b",
    UJ="2.B.5 2.B.6",
    R="2.B.4 2.B.4.a 2.B.4.b 2.B.4.c",
)
def test_an_optional_wager_has_an_area_if_it_is_offered(game: str) -> None:
    """An offered wager without an area is rejected; a wager not offered has none."""
    rules = house(game)
    felt, _ = drawn(rules)
    felt_checks.examine(rules, felt)
    for wager, clause in OPTIONAL[game].items():
        reported = problems(rules, without(felt, f"seat-6-{wager}"))
        assert any(text.endswith(f"{clause}]") and "position 6" in text for text in reported)
        less = house(game, without=[wager])
        assert f'data-wager="{wager}"' not in drawn(less)[0]
        assert () == examined(less).findings


@proving(T="2.B.6", F="2.B.4", U="2.B.7", J="2.B.7", R="2.B.5")
def test_odds_that_are_not_on_the_felt_are_on_a_sign(game: str) -> None:
    """A House that posts its odds needs the sign as well as the felt."""
    rules = house(game, odds_display="sign")
    felt, sign = drawn(rules)
    examination = felt_checks.examine(rules, felt, sign)
    assert () == examination.findings
    assert {"sign"} == {rule.where for rule in examination.met if "odds" in rule.what}
    assert "the odds of" in problems(rules, felt)[0]


@proving(T="2.B.6", F="2.B.4", U="2.B.7", J="2.B.7", R="2.B.5")
def test_a_sign_does_not_excuse_wrong_odds_on_the_felt(game: str) -> None:
    """Felt and sign must agree on every payout and its wording."""
    rules = house(game)
    felt, sign = drawn(rules, everything=True)
    assert () == felt_checks.examine(rules, felt, sign).findings
    ante = rules.game.ante.name
    for altered in ("2 to 1", "1 for 1"):
        (problem,) = problems(rules, changed(felt, f"odds-{ante}-0-pays", says(altered)), sign)
        assert f"Every win 1 to 1 is inscribed as '{altered}'" in problem
    assert problems(rules, without(felt, f"odds-{ante}-heading"))


@proving(T="2.B.7.a 2.B.8", U="2.B.8.a 2.B.8.b 2.B.8.c 2.B.9", J="2.B.8.a 2.B.8.b 2.B.9")
def test_notices_that_are_not_on_the_felt_are_on_a_sign(game: str) -> None:
    """A House that posts its notices needs the sign; a missing notice is rejected."""
    rules = house(game, notices_display="sign")
    felt, sign = drawn(rules)
    assert () == felt_checks.examine(rules, felt, sign).findings
    assert problems(rules, felt)
    for notice in rules.game.layout.notices:
        if notice.words(rules):
            assert problems(rules, felt, without(sign, f"notice-{notice.name}-0"))


@proving(T="2.B.7.b", U="2.B.8.d", J="2.B.8.c")
def test_a_limit_is_inscribed_or_referred_to_and_posted(game: str) -> None:
    """The limit is printed in dollars, or in general terms with the amount on the sign."""
    rules = limited(game, payout_limit_notice="generic_reference")
    felt, sign = drawn(rules)
    assert () == felt_checks.examine(rules, felt, sign).findings
    assert "Subject to the posted payout limit" in felt
    assert "is not posted although the felt refers to it" in problems(rules, felt)[0]
    amount = limited(game)
    felt, sign = drawn(amount)
    assert "" == sign
    assert any("Payout limit" in each for each in problems(amount, without(felt, "notice-limit")))


@proving(U="2.B.8.d", J="2.B.8.c")
def test_a_notice_without_a_limit(game: str) -> None:
    """Without a limit the notice says so, or refers to a sign that says so (A154)."""
    rules = house(game)
    assert rules.payout_limit is None
    felt, sign = drawn(rules)
    assert "" == sign and "No payout limit per hand" in felt
    assert any("No payout limit" in each for each in problems(rules, without(felt, "notice-limit")))
    generic = house(game, payout_limit_notice="generic_reference")
    felt, sign = drawn(generic)
    assert "Subject to the posted payout limit" in felt and "No payout limit per hand" in sign
    assert () == felt_checks.examine(generic, felt, sign).findings
    assert "is not posted although the felt refers to it" in problems(generic, felt)[0]


@proving(U="2.B.2", J="2.B.2")
def test_the_second_wager_is_on_the_players_right(game: str) -> None:
    """Seen from the player, not from the dealer; the other way round is rejected (A153)."""
    rules = house(game)
    second, symbol = {UTH: ("blind", "="), JACKPOT: ("xtra_bonus", "+")}[game]
    seats = draw_felt(rules).anchors()["seats"]
    for seat in ("3", "4"):  # opposite the dealer, where the player's right is the drawing's
        assert seats[seat]["wagers"]["ante"]["x"] < seats[seat]["wagers"][second]["x"]
    assert () == examined(rules).findings
    mirrored = replace_spots(rules, ((second, symbol, "ante"), ("play",)))
    felt, _ = drawn(mirrored)
    assert any("to the right of" in each for each in problems(rules, felt))


@proving(T="2.B.7.a", U="2.B.8.b")
def test_the_threshold_follows_the_submission(game: str) -> None:
    """The notice names a straight or a flush by the operator's choice; the other is rejected."""
    other: dict[str, Any] = (
        {"ante_return_threshold": "flush"} if game == THB else {"letters": {"blind": "B"}}
    )
    for rules, hand in ((house(game), "straight"), (house(game, **other), "flush")):
        felt, _ = drawn(rules)
        assert f"pushes if the winning hand is less than a {hand}" in felt
        assert () == felt_checks.examine(rules, felt).findings
    assert problems(house(game), felt)


@pytest.mark.upholds("A141")
def test_wagers_that_chapter_two_forgets_have_areas_too() -> None:
    """Ultimate Pairs, Bad Beat and Play the Board at every position, with their names."""
    rules = house(UTH)
    felt, _ = drawn(rules)
    assert () == felt_checks.examine(rules, felt).findings
    for wager in ("ultimate_pairs", "bad_beat", "play_the_board"):
        (problem,) = problems(rules, without(felt, f"seat-5-{wager}"))
        assert problem.endswith("at position 5 [A141]")


@pytest.mark.upholds("A3", "A8", "A29", "A30")
def test_readings_that_players_must_know_are_inscribed() -> None:
    """Notices on low aces, the Antes, the Center and the hand of the progressive."""
    rules = house(RUN)
    felt, _ = drawn(rules)
    assert () == felt_checks.examine(rules, felt).findings
    readings = {"ace_low": "A8", "antes": "A29", "center": "A30", "progressive": "A3"}
    for notice, reading in readings.items():
        (problem,) = problems(rules, without(felt, f"notice-{notice}"))
        assert problem.endswith(f"[{reading}]")


def variants() -> list[tuple[str, str, str]]:
    """Every paytable letter of every wager."""
    from croupier.rulebook import letters

    return [
        (game, wager, letter)
        for game in EVERY_GAME
        for wager in LETTERS[game]
        for letter in letters(game, wager)
    ]


@pytest.mark.parametrize(("game", "wager", "letter"), variants())
def test_every_paytable_fits(game: str, wager: str, letter: str) -> None:
    """Every choice of an operator can be drawn."""
    assert () == examined(house(game, letters={wager: letter})).findings


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_examples_are_drawn_without_a_finding(game: str) -> None:
    """The felt and the complete sign of every example House pass."""
    assert () == examined(submission.example(game), everything=True).findings


@proving(T="2.B.6", F="2.B.4", UJ="2.B.7", R="2.B.5")
def test_the_cards_that_decide_a_wager_are_inscribed(game: str) -> None:
    """A felt whose odds do not say which cards decide the wager is rejected."""
    rules = house(game)
    felt, _ = drawn(rules)
    assert () == felt_checks.examine(rules, felt).findings
    block = "run" if game == RUN else "ante"
    wrong = problems(rules, changed(felt, f"odds-{block}-basis-0", says("the dealer's cards")))
    assert any("are neither on the felt nor on the sign" in problem for problem in wrong)
