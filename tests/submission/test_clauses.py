"""Every clause on the Rules Submission, with the issue that cites it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.rulebook import clauses
from croupier.submission.issues import Severity
from tests.submission.samples import (
    EVERY_GAME,
    FLOORS,
    JACKPOT,
    LEFT_OUT,
    RUN,
    TEXAS,
    TOP,
    ULTIMATE,
    issue_at,
    validated,
    with_progressive,
)

# game, clause, changes to a clean example, the field of the issue, its severity
Case = tuple[str, str, dict[str, Any], str, Severity]

TIP_BOX = {"choices.tip_box_alternative": "behind the shuffler"}
NO_BOXES = {"table.max_adjacent_boxes": LEFT_OUT}
NO_SCHEDULE = {"choices.envy_schedule": LEFT_OUT}
SHOE: dict[str, Any] = {
    "table.dealing_method": "manual_shoe",
    "choices.community_first": False,
    "choices.six_card_deal_position": "after_hands",
}


def common_cases() -> list[Case]:
    """Fields of all five documents, under different clauses."""
    cases: list[Case] = []
    for game in EVERY_GAME:
        tip_box = "2.D" if game == TEXAS else "2.E"
        device = "5.G" if game in (TOP, RUN) else "5.I"
        shoe = SHOE if game == ULTIMATE else {"table.dealing_method": "manual_shoe"}
        approval = {"choices.layout_approval": LEFT_OUT}
        reshuffles = {"choices.continuous_device": True}
        cases += [
            (game, "2.B", approval, "choices.layout_approval", "outstanding"),
            (game, tip_box, TIP_BOX, "choices.tip_box_approval", "outstanding"),
            (game, device, reshuffles, "choices.continuous_device_approval", "outstanding"),
            (game, "8.A", shoe, "choices.manual_shoe_location", "outstanding"),
        ]
    return cases


def letters() -> list[Case]:
    """A letter that the document does not have, for every wager with paytables."""
    wagers = (
        (TEXAS, "12.B", "texas_holdem_bonus", "C"),
        (TOP, "12.B", "top_five_bonus", "D"),
        (TOP, "12.B#2", "poker_bonus", "D"),
        (ULTIMATE, "12.B", "blind", "C"),
        (ULTIMATE, "12.C", "trips", "F"),
        (ULTIMATE, "12.D.1", "progressive", "E"),
        (ULTIMATE, "12.E", "six_card_bonus", "C"),
        (ULTIMATE, "12.E#2", "ultimate_pairs", "G"),
        (ULTIMATE, "12.F#2", "bad_beat", "D"),
        (ULTIMATE, "12.G", "play_the_board", "D"),
        (JACKPOT, "12.B", "xtra_bonus", "B"),
        (JACKPOT, "12.C", "player_bonus", "B"),
        (JACKPOT, "12.D.1", "progressive", "F"),
        (RUN, "12.D", "five_card_bonus", "A"),
        (RUN, "12.E", "ultimate_pairs_bonus", "F"),
        (RUN, "12.F", "progressive", "E"),
    )
    return [
        (game, clause, {f"paytables.{wager}": letter}, f"paytables.{wager}", "error")
        for game, clause, wager, letter in wagers
    ]


def offers() -> list[Case]:
    """A flag that contradicts [paytables]."""
    flags = (
        (TEXAS, "7.F.2", "offers_bonus"),
        (TOP, "7.E.2", "offers_poker_bonus"),
        (ULTIMATE, "7.F.3", "offers_progressive"),
        (ULTIMATE, "7.F.4", "offers_six_card_bonus"),
        (ULTIMATE, "7.F.5", "offers_ultimate_pairs"),
        (ULTIMATE, "7.F.6", "offers_bad_beat"),
        (ULTIMATE, "7.F.7", "offers_play_the_board"),
        (JACKPOT, "7.F.3", "offers_progressive"),
        (RUN, "7.E.2", "offers_five_card_bonus"),
    )
    return [
        (game, clause, {f"choices.{flag}": False}, f"choices.{flag}", "error")
        for game, clause, flag in flags
    ]


def floors() -> list[Case]:
    """A meter one cent below its floor; a meter that the paytable does not have (floor 0)."""
    cases: list[Case] = []
    for game, tables in FLOORS.items():
        for letter, meters in tables.items():
            for meter, (floor, clause) in meters.items():
                changes = with_progressive(game, letter)
                field = f"meters.{meter}.reset" if floor else f"meters.{meter}"
                low = f"{floor - 1}.99" if floor else {"rate": 1}
                cases.append((game, clause, changes | {field: low}, field, "error"))
    return cases


def meters() -> list[Case]:
    """Missing rates, invalid amounts, unknown meters."""
    star = [("star", 1), ("spade", 3), ("heart", 5), ("diamond", 7), ("club", 9)]
    fields = [
        (ULTIMATE, "12.D.3.a", "mega.rate", LEFT_OUT),
        (ULTIMATE, "12.D.3.b", "mega.initial", "plenty"),
        (RUN, "12.F.6.a", "minor.rate", LEFT_OUT),
        (RUN, "12.F.6.b", "minor.reset", -1),
        (JACKPOT, "12.E", "joker", {"rate": 1}),
        *((JACKPOT, f"12.E.{number}", f"{name}.rate", LEFT_OUT) for name, number in star),
        *((JACKPOT, f"12.E.{number + 1}", f"{name}.reset", True) for name, number in star),
    ]
    return [
        (game, clause, {f"meters.{path}": value}, f"meters.{path}", "error")
        for game, clause, path, value in fields
    ]


def unstated() -> list[Case]:
    """A missing initial or reset amount."""
    star = [("star", 2), ("spade", 4), ("heart", 6), ("diamond", 8), ("club", 10)]
    names = [
        *((ULTIMATE, "12.D.3.b", name) for name in ("mega", "major", "minor")),
        *((RUN, "12.F.6.b", name) for name in ("mega", "major", "minor")),
        *((JACKPOT, f"12.E.{number}", name) for name, number in star),
    ]
    return [
        (game, clause, {f"meters.{name}.{key}": LEFT_OUT}, f"meters.{name}.{key}", "outstanding")
        for game, clause, name in names
        for key in ("initial", "reset")
    ]


CASES: list[Case] = [
    *common_cases(),
    *letters(),
    *offers(),
    *floors(),
    *meters(),
    *unstated(),
    (TOP, "7.F", NO_BOXES, "table.max_adjacent_boxes", "outstanding"),
    (ULTIMATE, "7.G", NO_BOXES, "table.max_adjacent_boxes", "outstanding"),
    (JACKPOT, "7.G", NO_BOXES, "table.max_adjacent_boxes", "outstanding"),
    (TOP, "7.F", {"table.max_adjacent_boxes": 7}, "table.max_adjacent_boxes", "error"),
    (ULTIMATE, "7.G", {"table.max_adjacent_boxes": 0}, "table.max_adjacent_boxes", "error"),
    (JACKPOT, "7.G", {"table.max_adjacent_boxes": 7}, "table.max_adjacent_boxes", "error"),
    (
        ULTIMATE,
        "11.J.2.e.ii",
        {"choices.envy_holder_must_wager": LEFT_OUT},
        "choices.envy_holder_must_wager",
        "error",
    ),
    (
        ULTIMATE,
        "11.L",
        {"choices.wagering_instruments": ["credits"]},
        "choices.wagering_instruments",
        "error",
    ),
    (ULTIMATE, "12.D.5.b", {"choices.envy_schedule": "A"}, "choices.envy_schedule", "error"),
    (RUN, "12.G.2", {"choices.envy_schedule": "A"}, "choices.envy_schedule", "error"),
    (ULTIMATE, "12.D.5.b", NO_SCHEDULE, "choices.envy_schedule", "outstanding"),
    (RUN, "12.G.2", NO_SCHEDULE, "choices.envy_schedule", "outstanding"),
    (ULTIMATE, "12.F", {"choices.payout_limit": "none"}, "choices.payout_limit", "error"),
    (ULTIMATE, "12.F.1", {"choices.payout_limit": 49_999.99}, "choices.payout_limit", "error"),
    (JACKPOT, "12.F", {"choices.payout_limit": 0}, "choices.payout_limit", "error"),
    (JACKPOT, "12.F.1", {"choices.payout_limit": 49_999.99}, "choices.payout_limit", "error"),
]


def marked(case: Case) -> Any:
    """Return the case, marked as proof of its clause."""
    game, clause, _, field, _ = case
    proof = pytest.mark.proves(game, clause)
    return pytest.param(*case, marks=proof, id=f"{game} {clause} {field}")


@pytest.mark.parametrize(
    ("game", "clause", "changes", "field", "severity"), [marked(case) for case in CASES]
)
def test_the_clause_is_cited(
    game: str, clause: str, changes: dict[str, Any], field: str, severity: Severity
) -> None:
    """The change causes one issue at the field, which cites exactly the clause."""
    issue = issue_at(validated(game, changes), field)

    assert (severity, game, clause) == (issue.severity, issue.game, issue.clause)
    assert str(issue).startswith(f"{field}: ")
    assert str(issue).endswith(f"[{game} {clause}]")


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_clause_of_the_submission_is_proved(game: str) -> None:
    """Every clause that a submission must satisfy has a case above."""
    expected = {clause.id for clause in clauses(game) if clause.proof == "submission"}

    assert expected == {clause for case_game, clause, *_ in CASES if case_game == game}


@pytest.mark.parametrize("game", sorted(FLOORS))
def test_floors_themselves_are_legal(game: str) -> None:
    """Every meter may be exactly at its minimum, with every letter."""
    for letter in FLOORS[game]:
        assert validated(game, with_progressive(game, letter)).legal, letter
