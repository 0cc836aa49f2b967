"""Limits, payout limits, chips, instruments and approvals: legal and illegal values."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games import Limits, canonical_text, house_from_text, standard_chips
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
)


@pytest.mark.upholds("A69")
def test_limits() -> None:
    """Dollars above zero with two decimals, the minimum not above the maximum (A69)."""
    for wrong, message in (
        (0, "0 is not above 0"),
        (-5, "-5 is not above 0"),
        (0.001, "0.001 has more than two decimals"),
        ("ten", '"ten" is not an amount in dollars, such as 5 or 12.50'),
        (True, "true is not an amount in dollars, such as 5 or 12.50"),
        (float("nan"), "nan is not an amount in dollars, such as 5 or 12.50"),
        (1e300, "1e+300 is not an amount in dollars, such as 5 or 12.50"),
        (10**40, "a number of many digits is not an amount in dollars, such as 5 or 12.50"),
        (10**12, "1000000000000 is above the maximum of 1000000000"),
        ([5], "[5] is not an amount in dollars, such as 5 or 12.50"),
    ):
        assert [f"limits.ante.min: {message} [top_five A69]"] == errors(
            TOP, {"limits.ante.min": wrong}
        )
    assert ["limits.ante.max: 4 is below the minimum of 5 [top_five A69]"] == errors(
        TOP, {"limits.ante.max": 4}
    )
    assert ["limits.ante.max: 3 is below the minimum of 5, the default [top_five A69]"] == (
        errors(TOP, {"limits.ante": {"max": 3}})
    )
    assert (
        Limits(minimum=2_50, maximum=2_50)
        == build(example_data(TOP, {"limits.ante": {"min": 2.5, "max": "2.50"}})).limits["ante"]
    )


@pytest.mark.proves(ULTIMATE, "7.F.1")
def test_limits_of_other_wagers() -> None:
    """Only the ante and optional wagers that are offered have limits."""
    limits = {"min": 1, "max": 2}
    cases = {
        "progressive": "this wager has one stake, choices.progressive_stake (A47) "
        "[ultimate_texas_holdem 7.F.3]",
        "blind": "this wager equals the ante, which has the limits [ultimate_texas_holdem 7.F.1]",
        "play": "this wager is a multiple of the ante [ultimate_texas_holdem 7.F.1]",
    }
    for wager, message in cases.items():
        assert [f"limits.{wager}: {message}"] == errors(ULTIMATE, {f"limits.{wager}": limits})
    assert [
        "limits.bad_beat: this wager is not offered: paytables.bad_beat is not listed "
        "[ultimate_texas_holdem 7.F.6]"
    ] == errors(ULTIMATE, {"paytables.bad_beat": LEFT_OUT})
    assert ["limits.tripps: unknown key; did you mean trips?"] == errors(
        ULTIMATE, {"limits.tripps": limits}
    )
    assert ["limits.ante.least: unknown key"] == errors(TOP, {"limits.ante.least": 1})
    assert ["limits.ante: 5 is not a table of min and max [top_five A69]"] == errors(
        TOP, {"limits.ante": 5}
    )


def test_default_limits() -> None:
    """Five on the ante, one on a side wager, a single stake of five on the Six Card Bonus (A20)."""
    result = validated(ULTIMATE, {"limits": LEFT_OUT})
    assert result.house is not None
    assert {
        "ante": Limits(minimum=5_00, maximum=None),
        "trips": Limits(minimum=1_00, maximum=None),
        "six_card_bonus": Limits(minimum=5_00, maximum=5_00),
        "ultimate_pairs": Limits(minimum=1_00, maximum=None),
        "bad_beat": Limits(minimum=1_00, maximum=None),
        "play_the_board": Limits(minimum=1_00, maximum=None),
    } == result.house.limits
    assert [
        "limits.six_card_bonus: not stated, read as a single stake of 5 (A20) "
        "[ultimate_texas_holdem 12.E]"
    ] == [str(issue) for issue in result.issues]


def test_six_card_is_one_stake() -> None:
    """One amount is a single stake; two amounts are a range."""
    for stated, expected in (
        ({"min": 10}, (10_00, 10_00)),
        ({"max": 2}, (2_00, 2_00)),
        ({"min": 1, "max": 25}, (1_00, 25_00)),
    ):
        limits = build(example_data(ULTIMATE, {"limits.six_card_bonus": stated})).limits[
            "six_card_bonus"
        ]
        assert expected == (limits.minimum, limits.maximum)
    assert [
        "limits.six_card_bonus.max: 5 is below the minimum of 6 [ultimate_texas_holdem A69]"
    ] == errors(ULTIMATE, {"limits.six_card_bonus": {"min": 6, "max": 5}})


def test_texas_payout_limit() -> None:
    """Exactly the greater of 50,000 and 5 antes with 1,000 bonuses at the minimum (A60, A61)."""
    assert 50_000_00 == build(example_data(TEXAS)).payout_limit
    high = {"limits.texas_holdem_bonus": {"min": 60}, "choices.payout_limit": LEFT_OUT}
    assert 60_025_00 == build(example_data(TEXAS, high)).payout_limit
    assert [] == errors(TEXAS, high | {"choices.payout_limit": 60_025})
    for other in (50_000, 60_026):
        assert [
            f"choices.payout_limit: {other} is not the limit that the document sets, 60025 (A61) "
            "[texas_holdem_bonus 12.C]"
        ] == errors(TEXAS, high | {"choices.payout_limit": other})
    unstated = {"paytables": LEFT_OUT, "limits.texas_holdem_bonus": LEFT_OUT}
    assert 50_000_00 == build(example_data(TEXAS, unstated)).payout_limit


def test_run_em_twice_payout_limit() -> None:
    """3,300 antes or 50,000; never above, below only with an approval (A62)."""
    assert 50_000_00 == build(example_data(RUN)).payout_limit
    high = {"limits.first_ante": {"min": 25}, "choices.payout_limit": LEFT_OUT}
    assert 82_500_00 == build(example_data(RUN, high)).payout_limit
    assert [
        "choices.payout_limit: 50001 is above the limit of 50000 (A62) [run_em_twice 12.C]"
    ] == errors(RUN, {"choices.payout_limit": 50_001})
    low = {"choices.payout_limit": 20_000}
    assert [
        "choices.payout_limit: 20000 is below 50000: choices.payout_limit_approval is needed "
        "(A62) [run_em_twice 12.C]"
    ] == errors(RUN, low)
    approved = low | {"choices.payout_limit_approval": "Letter 9"}
    assert 20_000_00 == build(example_data(RUN, approved)).payout_limit


@pytest.mark.parametrize(
    ("game", "limits", "least"),
    [
        (ULTIMATE, {"limits.ante": {"min": 100}, "limits.trips": {"min": 20}}, 51_500),
        (JACKPOT, {"limits.ante": {"min": 100}, "limits.player_bonus": {"min": 20}}, 52_400),
    ],
)
def test_chosen_payout_limit(game: str, limits: dict[str, Any], least: int) -> None:
    """None, or at least the greater of 50,000 and the most at the minimum."""
    assert build(example_data(game)).payout_limit is None
    stated = limits | {"choices.payout_limit": least}
    assert least * 100 == build(example_data(game, stated)).payout_limit
    assert [
        f"choices.payout_limit: {least - 1} is below the minimum limit of {least} [{game} 12.F.1]"
    ] == errors(game, limits | {"choices.payout_limit": least - 1})


def test_top_five_has_no_payout_limit() -> None:
    """Its document has none (A68)."""
    assert build(example_data(TOP)).payout_limit is None
    assert ["choices.payout_limit: not a field of top_five, only of texas_holdem_bonus"] == errors(
        TOP, {"choices.payout_limit": 50_000}
    )


def test_limit_over_side_wagers() -> None:
    """Covering more than 12.F names needs an approval; without a limit nothing is covered (A64)."""
    covers = {"choices.limit_covers_side_wagers": True}
    assert validated(ULTIMATE, covers).ready
    result = validated(ULTIMATE, covers | {"choices.payout_limit": 60_000})
    assert result.legal
    assert ["choices.payout_limit_approval"] == [issue.field for issue in result.issues]
    unstated = {"choices.limit_covers_side_wagers": LEFT_OUT, "choices.payout_limit": 60_000}
    assert [
        "choices.limit_covers_side_wagers: not stated, read as false (A64) "
        "[ultimate_texas_holdem 12.F.2]"
    ] == [str(issue) for issue in validated(ULTIMATE, unstated).issues]


def test_chip_rounding() -> None:
    """Rounding to a chip needs the chip; an even ante has to exist (A24)."""
    up = {"choices.chip_rounding": "up_to_chip"}
    assert [
        "choices.lowest_chip: missing; dollars above 0 with at most two decimals "
        "[ultimate_texas_holdem 12.A]"
    ] == errors(ULTIMATE, up)
    chip = build(example_data(ULTIMATE, up | {"choices.lowest_chip": 0.5}))
    assert 50 == chip.choices.lowest_chip
    even = {"choices.chip_rounding": "require_even_ante"}
    assert [] == errors(ULTIMATE, even)
    assert [
        'choices.chip_rounding: "require_even_ante" allows no ante from 5 to 5 (A24) '
        "[ultimate_texas_holdem 12.A]"
    ] == errors(ULTIMATE, even | {"limits.ante": {"min": 5, "max": 5}})


def test_the_lowest_chip_makes_up_every_stake() -> None:
    """Every wager, also the progressive, has a stake in whole chips within its limits."""
    field = "choices.lowest_chip"
    large = {field: 25, "limits.ante": {"min": 5, "max": 500}}
    assert [
        "choices.lowest_chip: 25 is more than the minimum ante, 5 (A24) [top_five 12.A]",
        "choices.lowest_chip: 25 is more than the minimum top_five_bonus, 1 (A24) [top_five 12.A]",
        "choices.lowest_chip: 25 is more than the minimum poker_bonus, 1 (A24) [top_five 12.A]",
    ] == errors(TOP, large)
    sides = {f"limits.{wager}": {"min": 5} for wager in ("top_five_bonus", "poker_bonus")}
    narrow = sides | {field: 5, "limits.ante": {"min": 6, "max": 9}}
    problem = "choices.lowest_chip: 5 cannot make up the ante of 6 to 9 (A24) [top_five 12.A]"
    assert [problem] == errors(TOP, narrow)
    assert [] == errors(TOP, narrow | {"limits.ante": {"min": 6, "max": 10}})
    jackpot = {field: 0.75}
    assert [
        "choices.lowest_chip: 0.75 does not make up the progressive wager of 5 (A24) "
        "[jackpot_holdem 12.A]"
    ] == errors(JACKPOT, jackpot)


def test_chips_by_denomination() -> None:
    """Denominations with their colors; the lowest divides the others and is the lowest chip."""
    field = "choices.chip_set"
    chips = ["25 green", "1 white", "5 red"]
    rules = build(example_data(TOP, {field: chips}))
    assert [(100, "white"), (500, "red"), (2500, "green")] == [
        (chip.cents, chip.colour) for chip in rules.chips
    ]
    assert 100 == rules.lowest_chip
    assert rules == house_from_text(rules.digest, canonical_text(rules))
    assert "chip_set" not in canonical_text(build(example_data(TOP, {})))  # older digests stay
    for wrong in (["1 white", "1 red"], ["1 white", "5 white"], ["2 white", "5 red"], ["5"]):
        assert errors(TOP, {field: wrong}), wrong
    assert [
        "choices.lowest_chip: 0.50 is not the lowest of choices.chip_set, 1 [top_five 12.A]"
    ] == errors(TOP, {field: chips, "choices.lowest_chip": 0.5})


def test_the_usual_chips() -> None:
    """The default chip set starts with the lowest chip, or with coins where cents are paid."""
    assert [1, 100, 500] == [chip.cents for chip in standard_chips(None)][:3]
    assert [250, 500, 2500] == [chip.cents for chip in standard_chips(250)][:3]
    assert [500, 2500] == [chip.cents for chip in standard_chips(500)][:2]


def test_instruments() -> None:
    """At least chips; others with an approval under 7.A, credits under 11.L."""
    name = "choices.wagering_instruments"
    for game in EVERY_GAME:
        assert [f'{name}: ["plaques"] does not include chips [{game} 7.A]'] == errors(
            game, {name: ["plaques"]}
        )
        assert ("chips", "plaques") == build(
            example_data(game, {name: ["plaques", "chips"]})
        ).choices.wagering_instruments
    for game in (TEXAS, TOP, RUN):
        tickets = {name: ["chips", "tickets"]}
        missing = validated(game, tickets).of("outstanding")
        assert [f"{name}_approval"] == [issue.field for issue in missing]
        assert validated(game, tickets | {f"{name}_approval": "Letter 3"}).ready
    assert [f'{name}: "tickets" is not chips or plaques [jackpot_holdem 7.A]'] == errors(
        JACKPOT, {name: ["chips", "tickets"]}
    )
    assert [
        f'{name}: "credits" need choices.electronic_version = true (A80) '
        "[ultimate_texas_holdem 11.L]"
    ] == errors(ULTIMATE, {name: ["chips", "credits"]})
    electronic = {"choices.electronic_version": True}
    assert [] == errors(ULTIMATE, electronic | {name: ["credits"]})
    unstated = validated(ULTIMATE, electronic | {name: LEFT_OUT})
    assert [f"{name}: not stated, read as chips, plaques (A80) [ultimate_texas_holdem 7.A]"] == [
        str(issue) for issue in unstated.issues
    ]


def test_cut() -> None:
    """At least ten cards above the cover card, and a position for it (A136)."""
    assert 1 == len(errors(TOP, {"choices.cut_min_top": 9}))
    assert [] == errors(TOP, {"choices.cut_min_top": 10, "choices.cut_min_bottom": 41})
    assert [
        "choices.cut_min_bottom: 41 below and 11 above leave no position to cut a deck of 52 "
        "(A136) [top_five 5.D]"
    ] == errors(TOP, {"choices.cut_min_top": 11, "choices.cut_min_bottom": 41})


def test_tip_box() -> None:
    """Another location needs the location, the obstruction and the approval."""
    moved = {"choices.drop_tip_box_position": "same_side_as_dealer"}
    for game in EVERY_GAME:
        clause = "2.D" if game == TEXAS else "2.E"
        result = validated(game, moved)
        assert result.legal
        assert [
            ("choices.tip_box_alternative", clause),
            ("choices.tip_box_obstruction", clause),
            ("choices.tip_box_approval", clause),
        ] == [(issue.field, issue.clause) for issue in result.of("outstanding")]
        settled = {
            "choices.tip_box_alternative": "left of the chip tray",
            "choices.tip_box_obstruction": "the shuffler",
            "choices.tip_box_approval": "Letter 12, 2031-02-01",
        }
        assert validated(game, moved | settled).ready


def test_layout_approval_has_a_date() -> None:
    """A reference without a calendar date is not an approval on file."""
    field = "choices.layout_approval"
    for text in ("Layout 7", "Layout 7, 2031-02-30"):
        issue = issue_at(validated(TOP, {field: text}), field)
        assert ("outstanding", "2.B") == (issue.severity, issue.clause)
    assert validated(TOP, {field: "Layout 7 of 2031-02-28"}).ready


def test_flags_agree() -> None:
    """An offers_ flag may repeat what [paytables] says, not contradict it."""
    assert [] == errors(TEXAS, {"choices.offers_bonus": True})
    assert [
        "choices.offers_bonus: false, but paytables.texas_holdem_bonus is listed "
        "[texas_holdem_bonus 7.F.2]"
    ] == errors(TEXAS, {"choices.offers_bonus": False})
    assert [
        "choices.offers_bonus: true, but paytables.texas_holdem_bonus is not listed "
        "[texas_holdem_bonus 7.F.2]"
    ] == errors(
        TEXAS,
        {
            "choices.offers_bonus": True,
            "paytables": LEFT_OUT,
            "limits.texas_holdem_bonus": LEFT_OUT,
        },
    )


def test_warnings_only_where_it_matters() -> None:
    """A default reading is reported only if the table can encounter it."""

    def warned(game: str, changes: dict[str, Any]) -> list[str]:
        return [issue.field.split(".")[1] for issue in validated(game, changes).of("warning")]

    peek: dict[str, Any] = {"choices.peek_all_boxes": LEFT_OUT}
    assert ["peek_all_boxes"] == warned(TOP, peek)
    assert [] == warned(TOP, peek | {"table.max_adjacent_boxes": 1})
    stub: dict[str, Any] = {"choices.stub_count_every": LEFT_OUT}
    assert [] == warned(TOP, stub)
    assert ["stub_count_every"] == warned(TOP, stub | {"table.shuffle_method": "shuffler"})
    floor: dict[str, Any] = {"choices.partial_award_floor": LEFT_OUT}
    assert [] == warned(ULTIMATE, floor)
    bad_beat: dict[str, Any] = {"choices.bad_beat_scope": LEFT_OUT}
    assert ["bad_beat_scope"] == warned(ULTIMATE, bad_beat)
    gone: dict[str, Any] = {"paytables.bad_beat": LEFT_OUT, "limits.bad_beat": LEFT_OUT}
    assert [] == warned(ULTIMATE, bad_beat | gone)
    assert [
        "choices.bad_beat_scope: not stated, read as either_hand (A15) "
        "[ultimate_texas_holdem 7.F.6]"
    ] == [str(issue) for issue in validated(ULTIMATE, bad_beat).issues]
