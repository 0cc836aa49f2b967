"""Cross-field checks: every rule violated once and satisfied once."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.submission import build
from tests.submission.samples import (
    EVERY_GAME,
    JACKPOT,
    LEFT_OUT,
    RUN,
    TEXAS,
    TOP,
    ULTIMATE,
    errors,
    example_data,
    issue_at,
    validated,
    with_progressive,
    without_progressive,
)

HAND = {"table.dealing_method": "hand", "choices.deck_change_hours": 4}
# What only an automated shoe does in Ultimate.
IN_HAND = {"choices.six_card_deal_position": "after_hands", "choices.community_first": False}
MANUAL = {"table.shuffle_method": "manual", "table.decks": 1}


def proving(clause: str, *games: str) -> list[Any]:
    """The games, each marked as proof of a clause with the same number in all of them."""
    return [pytest.param(game, marks=pytest.mark.proves(game, clause)) for game in games]


@pytest.mark.parametrize("game", proving("9.A.1", TOP, ULTIMATE, JACKPOT, RUN))
def test_hand_needs_shuffler(game: str) -> None:
    """9.A.1: dealing from the hand requires a shuffler."""
    hand = HAND | (IN_HAND if game == ULTIMATE else {})
    assert [] == errors(game, hand)
    assert [
        'table.dealing_method: "hand" requires a shuffler, but table.shuffle_method is manual '
        f"[{game} 9.A.1]"
    ] == errors(game, hand | MANUAL)


@pytest.mark.proves(TEXAS, "9.A.1")
def test_a_board_dealt_by_hand_needs_no_shuffler() -> None:
    """10.B.4 means the manner of dealing; 9.A.1 is about hands dealt from the hand (A149)."""
    assert [] == errors(TEXAS, MANUAL | {"choices.deck_change_hours": 4})
    assert [
        'table.dealing_method: "hand" requires a shuffler, but table.shuffle_method is manual '
        f"[{TEXAS} 9.A.1]"
    ] == errors(TEXAS, HAND | MANUAL)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_two_decks_need_shuffler(game: str) -> None:
    """3.B: two decks require a shuffler; the default depends on it."""
    problem = "table.decks: 2 decks require a shuffler, but table.shuffle_method is manual"
    assert [f"{problem} [{game} 3.B]"] == errors(game, MANUAL | {"table.decks": 2})
    assert 1 == build(example_data(game, MANUAL | {"table.decks": LEFT_OUT})).decks
    assert 2 == build(example_data(game, {"table.decks": LEFT_OUT})).decks


@pytest.mark.parametrize("game", [TOP, JACKPOT, RUN])
def test_deck_life_by_hand(game: str) -> None:
    """3.C: four hours by hand, eight from a shoe; the default depends on the dealing method."""
    assert [
        f"choices.deck_change_hours: 4.5 is more than 4 for cards dealt by hand [{game} 3.C.1]"
    ] == errors(game, HAND | {"choices.deck_change_hours": 4.5})
    left_out = {"choices.deck_change_hours": LEFT_OUT}
    assert 4 == build(example_data(game, HAND | left_out)).choices.deck_change_hours
    assert 8 == build(example_data(game, left_out)).choices.deck_change_hours
    assert (
        "3.C.2"
        == issue_at(
            validated(game, {"choices.deck_change_hours": 8.01}), "choices.deck_change_hours"
        ).clause
    )


def test_texas_deals_its_board_by_hand() -> None:
    """Four hours also with an automated shoe, unless it dispenses the board first (A137)."""
    assert [
        "choices.deck_change_hours: 8 is more than 4 for cards whose board is dealt by hand "
        "(A137) [texas_holdem_bonus 3.C.1]"
    ] == errors(TEXAS, {"choices.deck_change_hours": 8})
    board_first = {
        "choices.community_first": True,
        "choices.continuous_device": True,
        "choices.continuous_device_approval": "Device D-9, 2031-01-05",
        "choices.deck_change_hours": 8,
    }
    assert [] == errors(TEXAS, board_first)
    assert [] == errors(
        TEXAS, {"table.dealing_method": "manual_shoe", "choices.deck_change_hours": 8}
    )


def test_texas_board_first() -> None:
    """10.I: only a continuous shuffling shoe, whose approval may be outstanding."""
    first: dict[str, Any] = {
        "choices.community_first": True,
        "choices.continuous_device": LEFT_OUT,
    }
    result = validated(TEXAS, first)
    assert result.legal
    assert ["choices.continuous_device_approval"] == [i.field for i in result.issues]
    assert validated(TEXAS, first | {"choices.continuous_device_approval": "Device D-9"}).ready

    assert [
        "choices.community_first: true requires automated_shoe, but table.dealing_method is "
        "manual_shoe [texas_holdem_bonus 10.I.1]"
    ] == errors(TEXAS, first | {"table.dealing_method": "manual_shoe"})
    assert [
        "choices.community_first: true requires a continuous shuffling shoe, but "
        "choices.continuous_device is false [texas_holdem_bonus 10.I.1]"
    ] == errors(TEXAS, first | {"choices.continuous_device": False})


def test_ultimate_board_first() -> None:
    """10.F names an automated shoe; 10.B does so anyway, so no approval is needed."""
    shoe = {
        "table.dealing_method": "manual_shoe",
        "choices.six_card_deal_position": "after_hands",
    }
    assert [
        "choices.community_first: true requires automated_shoe, but table.dealing_method is "
        "manual_shoe [ultimate_texas_holdem 10.F]"
    ] == errors(ULTIMATE, shoe)
    left_out = {"choices.community_first": LEFT_OUT}
    assert not build(example_data(ULTIMATE, shoe | left_out)).choices.community_first
    assert build(example_data(ULTIMATE, left_out)).choices.community_first


def test_six_card_box_needs_a_place() -> None:
    """Only chapter 10 deals the box; otherwise its position is stated and approved (A103)."""
    shoe = {"table.dealing_method": "manual_shoe", "choices.community_first": False}
    assert [
        "paytables.six_card_bonus: only an automated_shoe deals its box, but table.dealing_method "
        'is manual_shoe; choices.six_card_deal_position = "after_hands" would need an approval '
        "(A103) [ultimate_texas_holdem 10.B.1]"
    ] == errors(ULTIMATE, shoe)
    placed = shoe | {"choices.six_card_deal_position": "after_hands"}
    assert [
        "choices.manual_shoe_location",
        "choices.six_card_deal_position_approval",
    ] == [issue.field for issue in validated(ULTIMATE, placed).of("outstanding")]
    later = {"choices.six_card_deal_position": "after_hands"}  # for a shoe that fails
    assert ["choices.six_card_deal_position_approval"] == [
        issue.field for issue in validated(ULTIMATE, later).of("outstanding")
    ]
    without = {"paytables.six_card_bonus": LEFT_OUT, "limits.six_card_bonus": LEFT_OUT}
    assert [] == errors(ULTIMATE, shoe | without)


def test_boxes() -> None:
    """Texas allows one box (7.H), Run 'Em Twice more only with an approval (A77)."""
    two = {"table.max_adjacent_boxes": 2}
    assert ["table.max_adjacent_boxes: 2 is not 1 [texas_holdem_bonus 7.H]"] == errors(TEXAS, two)
    assert [
        "table.max_adjacent_boxes: 2 is more than 1: choices.max_adjacent_boxes_approval is "
        "needed [run_em_twice A77]"
    ] == errors(RUN, two)
    approved = two | {"choices.max_adjacent_boxes_approval": "Letter 44, 2031-03-01"}
    assert 2 == build(example_data(RUN, approved)).max_adjacent_boxes
    for game in (TOP, ULTIMATE, JACKPOT):
        assert 6 == build(example_data(game, {"table.max_adjacent_boxes": 6})).max_adjacent_boxes


def test_progressive_stake() -> None:
    """One or five dollars where envy is paid, any single stake in Jackpot (A47)."""
    for game in (ULTIMATE, RUN):
        clause = "12.D.6" if game == ULTIMATE else "12.H"
        assert [
            f"choices.progressive_stake: 2 is not 1 or 5 (dollars) [{game} {clause}]"
        ] == errors(game, {"choices.progressive_stake": 2})
        assert (
            500
            == build(example_data(game, {"choices.progressive_stake": 5})).choices.progressive_stake
        )
    assert (
        250
        == build(
            example_data(JACKPOT, {"choices.progressive_stake": 2.5})
        ).choices.progressive_stake
    )
    assert 1 == len(errors(JACKPOT, {"choices.progressive_stake": 0}))


@pytest.mark.parametrize(
    ("game", "clause"), [(ULTIMATE, "12.D.3.a"), (JACKPOT, "12.E"), (RUN, "12.F.6.a")]
)
def test_rates(game: str, clause: str) -> None:
    """Every rate is above zero, and the total at most the stake (A48)."""
    meters = list(build(example_data(game)).meters)
    half = {f"meters.{name}.rate": 50 for name in meters[:2]}
    rest = {f"meters.{name}.rate": "0.01" for name in meters[2:]}
    whole = {f"meters.{name}.rate": 100 / 8 for name in meters}
    total = f"100.0{len(meters) - 2}"

    assert [] == errors(game, whole)
    assert [
        f"meters.{meters[-1]}.rate: the rates add up to {total} percent, more than the stake "
        f"(A48) [{game} {clause}]"
    ] == errors(game, half | rest)
    for wrong in (0, -1, 100.5, True, "much", float("nan"), float("inf"), "1e2"):
        assert 1 == len(errors(game, {f"meters.{meters[0]}.rate": wrong})), wrong


@pytest.mark.upholds("A48")
def test_meters_belong_to_the_letter() -> None:
    """A meter of another paytable is an error, as is any meter without a progressive."""
    assert [
        "meters.mega: paytable B does not have this meter; major, minor "
        "[ultimate_texas_holdem 12.D.3.b]"
    ] == errors(ULTIMATE, with_progressive(ULTIMATE, "B") | {"meters.mega": {"rate": 1}})
    assert [
        "meters: there are no meters without a progressive: paytables.progressive is not listed "
        "[ultimate_texas_holdem 12.D.3.b]"
    ] == errors(ULTIMATE, {"paytables.progressive": LEFT_OUT})
    assert [] == errors(ULTIMATE, without_progressive(ULTIMATE))
    assert ["meters.mega.rat: unknown key; did you mean rate?"] == errors(
        ULTIMATE, {"meters.mega.rat": 4}
    )
    assert [
        "meters.mega: 4 is not a table of initial, reset and rate [ultimate_texas_holdem 12.D.3.b]"
    ] == errors(ULTIMATE, {"meters.mega": 4})
    assert [
        "meters: there are no meters without a progressive: paytables.progressive is not listed "
        "[texas_holdem_bonus A48]"
    ] == errors(TEXAS, {"meters": {"mega": {"rate": 1}}})


def test_amounts_default_to_the_floor() -> None:
    """Initial and reset default to the minimum; both may be higher."""
    left_out = {"meters.mega.initial": LEFT_OUT, "meters.mega.reset": LEFT_OUT}
    mega = build(example_data(ULTIMATE, left_out)).meters["mega"]
    assert (10_000_00, 10_000_00) == (mega.initial, mega.reset)
    higher = build(example_data(ULTIMATE, {"meters.mega.initial": "12345.67"})).meters["mega"]
    assert (12_345_67, 10_000_00) == (higher.initial, higher.reset)


def test_envy_schedule_follows_the_letter() -> None:
    """The letter of the progressive, stated or not (A58)."""
    for game in (ULTIMATE, RUN):
        letter = example_data(game)["paytables"]["progressive"]
        unstated = build(example_data(game, {"choices.envy_schedule": LEFT_OUT}))
        assert letter == unstated.choices.envy_schedule
    assert [
        'choices.envy_schedule: "B" is not the letter of the progressive paytable, C (A58) '
        "[ultimate_texas_holdem 12.D.5.b]"
    ] == errors(ULTIMATE, {"choices.envy_schedule": "B"})


@pytest.mark.parametrize(
    ("game", "clause", "field"),
    [
        pytest.param(
            ULTIMATE, "7.F.4.b", "choices.six_card_requires_trips",
            marks=pytest.mark.proves(ULTIMATE, "7.F.4.b"),
        ),
        pytest.param(
            RUN, "11.B.3", "choices.progressive_after_fold",
            marks=pytest.mark.proves(RUN, "11.B.3"),
        ),
    ],
)  # fmt: skip
def test_what_the_text_says_is_no_choice(game: str, clause: str, field: str) -> None:
    """The text decides both readings, so a submission may only repeat them (A52, A73)."""
    assert [f"{field}: false is not true [{game} {clause}]"] == errors(game, {field: False})
    assert () == validated(game, {field: LEFT_OUT}).of("outstanding")
    assert issue_at(validated(game, {field: False}), field).clause == clause


@pytest.mark.parametrize(
    "basis",
    [pytest.param("first_run", marks=pytest.mark.proves(RUN, "12.F.5")), "higher_run"],
)
def test_the_first_run_alone_is_a_warning(basis: str) -> None:
    """12.F.5 pays the highest hand formed; the 1st Run hand need not be that (A3)."""
    changes = {"choices.progressive_basis": basis, "choices.accept_player_edge": True}
    warned = [issue for issue in validated(RUN, changes).of("warning") if issue.clause == "12.F.5"]
    assert (basis == "first_run") == bool(warned)
    if warned:
        assert "judges the 1st Run hand alone" in str(warned[0])


@pytest.mark.proves(RUN, "2.B.2")
def test_five_areas_are_a_warning() -> None:
    """Without a side wager a seat has five areas, unless the layout has a blank one (A139)."""
    alone: dict[str, Any] = {"paytables": LEFT_OUT, "meters": LEFT_OUT}
    alone["limits"] = {"first_ante": {"min": 5}}
    issue = issue_at(validated(RUN, alone), "choices.sixth_area")
    assert ("warning", "2.B.2") == (issue.severity, issue.clause)
    for enough in (alone | {"choices.sixth_area": "blank"}, {"choices.sixth_area": "none"}):
        fields = [issue.field for issue in validated(RUN, enough).issues]
        assert "choices.sixth_area" not in fields
    assert "none" == build(example_data(RUN, {"choices.sixth_area": LEFT_OUT})).choices.sixth_area


@pytest.mark.parametrize(
    ("game", "clause", "refused"),
    [
        *((game, "2.A", (0, 7, 6.5)) for game in (TEXAS, ULTIMATE, JACKPOT)),
        *((game, "2.A.1", (1, 5, 7)) for game in (TOP, RUN)),
    ],
)
def test_positions(game: str, clause: str, refused: tuple[float, ...]) -> None:
    """At most six positions, or exactly six; a player's boxes are among them."""
    for number in refused:
        issue = issue_at(validated(game, {"table.positions": number}), "table.positions")
        assert ("error", clause) == (issue.severity, issue.clause)
    assert 6 == build(example_data(game, {"table.positions": LEFT_OUT})).positions
    if clause == "2.A":
        fewer = {"table.positions": 2, "table.max_adjacent_boxes": 1}
        assert 2 == build(example_data(game, fewer)).positions
    if game in (ULTIMATE, JACKPOT):
        crowded = {"table.positions": 2, "table.max_adjacent_boxes": 3}
        problem = "table.max_adjacent_boxes: 3 is more than the 2 of table.positions"
        assert [f"{problem} [{game} 7.G]"] == errors(game, crowded)


def test_compulsory_with_a_progressive() -> None:
    """Fields without a default are required, but only with a progressive."""
    for game, names in (
        (ULTIMATE, ("progressive_basis", "envy_holder_must_wager")),
        (JACKPOT, ("progressive_basis",)),
        (RUN, ("progressive_basis",)),
    ):
        unstated = {f"choices.{name}": LEFT_OUT for name in names}
        issues = validated(game, unstated).of("error")
        assert [f"choices.{name}" for name in names] == [issue.field for issue in issues]
        assert [] == errors(game, unstated | without_progressive(game))
    assert (
        "choices.progressive_basis: missing; higher_run, first_run or best_five_of_seven (A3) "
        "[run_em_twice 12.F.5]"
    ) == errors(RUN, {"choices.progressive_basis": LEFT_OUT})[0]


def test_compulsory_always() -> None:
    """The threshold in Texas, the letters of what is always offered."""
    assert [
        "choices.ante_return_threshold: missing; straight or flush "
        "[texas_holdem_bonus 11.I.3.d.iii]"
    ] == errors(TEXAS, {"choices.ante_return_threshold": LEFT_OUT})
    assert [
        "paytables.blind: missing; this wager is always offered: A or B "
        "[ultimate_texas_holdem 12.B]",
        "paytables.trips: missing; this wager is always offered: A, B, C, D or E "
        "[ultimate_texas_holdem 12.C]",
    ] == errors(ULTIMATE, {"paytables.blind": LEFT_OUT, "paytables.trips": LEFT_OUT})
    assert [
        "paytables.xtra_bonus: missing; this wager is always offered: A [jackpot_holdem 12.B]"
    ] == errors(JACKPOT, {"paytables.xtra_bonus": LEFT_OUT})


@pytest.mark.parametrize("game", proving("2.B.1", *EVERY_GAME))
def test_the_operator_is_named(game: str) -> None:
    """The layout carries a name or a logo."""
    assert [
        f"operator.name: missing; the layout carries the operator's name or logo [{game} 2.B.1]"
    ] == errors(game, {"operator": {}})
