"""Valid random scenarios for `replay`: all games, methods, paytables, choices, irregularities.

    scenario = random_scenario(random.Random(1))

All randomness comes from the generator that is passed in. More than half of the decks are stacked,
so that royals, straight flushes, quads, aces against aces, super royals, exact ties and meters
won by several seats occur often. About a third of the scenarios contain irregularities.

Excluded, because the schema does not specify them: stakes that are not a multiple of the lowest
chip with `up_to_chip`, a community card exposed when none is hidden or when all have folded, and
irregularities out of chronological order.
"""

from __future__ import annotations

import random
from typing import Any

from tests.table.scenario import naive_replay as naive
from tests.table.scenario.naive_paytables import METER_MINIMUMS, PAYTABLES
from tests.table.scenario.random_decks import DECK, random_deck
from tests.table.scenario.scenario_shapes import (
    Choices,
    Irregularity,
    Letters,
    Place,
    Scenario,
    SeatData,
    Submission,
    Table,
)

TEXAS, TOP_FIVE, ULTIMATE = naive.TEXAS, naive.TOP_FIVE, naive.ULTIMATE
JACKPOT, RUN = naive.JACKPOT, naive.RUN
GAMES = [TEXAS, TOP_FIVE, ULTIMATE, JACKPOT, RUN]

# Fields that the validator requires; a round does not depend on them.
CHOICES_OF_A_MANUAL_SHOE = {"manual_shoe_location": "to the right of the dealer"}
CHOICES_OF_A_RESHUFFLING_SHOE = {"continuous_device_approval": "MD-2024-017"}
CHOICES_OF_A_PROGRESSIVE = {"internal_controls_ref": "IC-12"}

# Run 'Em Twice allows more than one box only with an approval that no field records.
SEVERAL_BOXES = [TOP_FIVE, ULTIMATE, JACKPOT]


def random_scenario(rng: random.Random) -> Scenario:
    game = rng.choices(GAMES, weights=[2, 2, 4, 2, 3])[0]
    submission = random_submission(rng, game)
    scenario: Scenario = {
        "game": game,
        "submission": submission,
        "deck": " ".join(DECK),
        "seats": random_seats(rng, game, submission),
    }
    if "progressive" in submission["paytables"] and rng.random() < 0.8:
        scenario["meters"] = {
            name: random_meter(rng, meter["reset"]) for name, meter in submission["meters"].items()
        }
    scenario["deck"] = " ".join(random_deck(rng, scenario))
    if rng.random() < 0.34:
        scenario["irregularities"] = random_irregularities(rng, scenario)
        leave_out_decisions(rng, scenario)
    return scenario


# ---- the submission ------------------------------------------------------------------------


def random_submission(rng: random.Random, game: str) -> Submission:
    table = random_table(rng, game)
    paytables = random_paytables(rng, game)
    choices: Choices = {"accept_player_edge": True}
    if "six_card_bonus" in paytables and table["dealing_method"] != "automated_shoe":
        choices["six_card_deal_position"] = "after_hands"
    rounding, chip = random_rounding(rng, choices, paytables)
    limits = random_limits(rng, game, paytables, whole_tens=rounding != "exact")
    random_choices(rng, game, table, paytables, choices)
    if chip == 5 and "progressive" in paytables:
        choices["progressive_stake"] = 5
    if game in (ULTIMATE, JACKPOT) and rng.random() < 0.5:
        most = naive.most_at_the_minimum(game, limits, paytables, choices)
        least = max(50_000, most / 100)
        choices["payout_limit"] = int(least) + rng.choice([0, 0, 1, 2500, 100_000])
    submission: Submission = {
        "game": game,
        "operator": {"name": "Twin Casino"},
        "table": table,
        "limits": limits,
        "paytables": paytables,
        "choices": choices,
    }
    if "progressive" in paytables:
        submission["meters"] = {
            name: {
                "initial": least + rng.choice([0, 0, 1, 2500]),
                "reset": least + rng.choice([0, 0, 250]),
                "rate": rng.choice([0.5, 1, 2.5, 3.33, 4.0, 8.0, 0.125, 10]),
            }
            for name, least in METER_MINIMUMS[game][paytables["progressive"]].items()
        }
    return submission


def random_table(rng: random.Random, game: str) -> Table:
    method = rng.choice(["manual_shoe", "hand", "automated_shoe"])
    shuffles = ["shuffler", "counting_shuffler"]
    if method != "hand":
        shuffles += ["manual", "shuffler_loading_shoe"]
    table: Table = {"dealing_method": method, "shuffle_method": rng.choice(shuffles)}
    if rng.random() < 0.85:
        table["decks"] = 1 if table["shuffle_method"] == "manual" else rng.choice([1, 2])
    if game in SEVERAL_BOXES and rng.random() < 0.8:
        table["max_adjacent_boxes"] = rng.choice([1, 2, 2, 3, 6])
    if game in (TEXAS, ULTIMATE, JACKPOT) and rng.random() < 0.4:
        table["positions"] = rng.randint(table.get("max_adjacent_boxes", 1), 6)
    return table


def random_paytables(rng: random.Random, game: str) -> dict[str, str]:
    paytables: dict[str, str] = {}
    for wager, letters in PAYTABLES[game].items():
        if wager == "run":  # printed odds, not offered by letter
            continue
        always = wager in ("blind", "trips", "xtra_bonus")
        if always or rng.random() < (0.8 if wager == "progressive" else 0.7):
            paytables[wager] = rng.choice(sorted(letters))
    return paytables


def random_rounding(
    rng: random.Random, choices: Choices, paytables: Letters
) -> tuple[str, float | None]:
    rounding, chip = rng.choice(["exact"] * 6 + ["up_to_chip", "up_to_chip", "even"]), None
    if rounding == "up_to_chip":
        chip = rng.choice([0.25, 0.5, 1, 5])
        choices.update(chip_rounding=rounding, lowest_chip=chip)
    elif rounding == "even":
        choices["chip_rounding"] = "require_even_ante"
    elif rng.random() < 0.3:
        choices["chip_rounding"] = "exact"
    return rounding, chip


def random_limits(
    rng: random.Random, game: str, paytables: Letters, whole_tens: bool
) -> dict[str, dict[str, int]]:
    def limit(least: int) -> dict[str, int]:
        if whole_tens:
            least = max(10, least - least % 10)
        return {"min": least, "max": least * rng.choice([1, 2, 10, 10, 100, 400])}

    ante = "first_ante" if game == RUN else "ante"
    limits = {ante: limit(rng.choice([1, 5, 5, 10, 15, 20, 100]))}
    for wager in naive.OPTIONAL_WAGERS[game]:
        if wager in paytables and wager != "progressive":
            limits[wager] = limit(rng.choice([1, 1, 5, 5, 10, 60]))
    return limits


def random_choices(
    rng: random.Random, game: str, table: Table, paytables: Letters, choices: Choices
) -> None:
    def maybe(name: str, *values: Any) -> None:
        if rng.random() < 0.75:
            choices[name] = rng.choice(values)

    automated = table["dealing_method"] == "automated_shoe"
    if table["dealing_method"] == "manual_shoe":
        choices.update(CHOICES_OF_A_MANUAL_SHOE)
    if game == TEXAS:
        choices["ante_return_threshold"] = rng.choice(["straight", "flush"])
        if automated and rng.random() < 0.5:
            choices["community_first"] = True
            choices.update(CHOICES_OF_A_RESHUFFLING_SHOE)
            table["shuffle_method"] = "counting_shuffler"
            table.pop("decks", None)
    if game == TOP_FIVE:
        maybe("tie_break_extra_cards", True, False)
    if game in (TOP_FIVE, ULTIMATE, JACKPOT) and automated:
        maybe("dealer_stack_order", "dealer_first", "dealer_in_shuffler")
    if game == ULTIMATE:
        if "bad_beat" in paytables:
            maybe("bad_beat_scope", "either_hand", "player_hand")
            maybe("bad_beat_after_fold", True, False)
        maybe("limit_covers_side_wagers", True, False)
    if game == RUN:
        maybe("ace_low_straight", True, False)
        maybe("ante_rule", "own_run", "better_run")
        maybe("center_rule", "higher_run_table", "even_money")
        maybe("run_bet_steps", "whole_multiples", "any_amount")
        order = ["left", "right", "top", "bottom", "center"]
        rng.shuffle(order)
        maybe("cross_order", order)
    if "progressive" not in paytables:
        return
    choices.update(CHOICES_OF_A_PROGRESSIVE)
    basis = {
        ULTIMATE: ["own_two_plus_flop", "best_five_of_seven"],
        JACKPOT: ["own_two_plus_first_three", "best_five_of_seven"],
        RUN: ["first_run", "higher_run", "best_five_of_seven"],
    }
    choices["progressive_basis"] = rng.choice(basis[game])
    maybe("meter_rounding", "up_to_cent", "down_to_cent")
    if game == JACKPOT:
        maybe("progressive_stake", 1, 5, 2, 3)
        return
    maybe("progressive_stake", 1, 5)
    choices["envy_holder_must_wager"] = rng.choice([True, False])
    if game == RUN and rng.random() < 0.3:
        del choices["envy_holder_must_wager"]
    maybe("envy_schedule", paytables["progressive"])
    maybe("partial_award_floor", True, False)
    if game == ULTIMATE:
        maybe("progressive_after_fold", True, False)
    maybe("envy_on_folded_hand", True, False)


def random_meter(rng: random.Random, reset: int) -> int | str:
    """Return a meter before the round: near or above the reset amount, sometimes fractional."""
    value = reset * 100 + rng.choice([0, 1, 50, rng.randrange(100_000), rng.randrange(10**8)])
    if rng.random() < 0.4:
        value = int(value * 0.9)  # after a 10 percent award
    if rng.random() < 0.6:
        return value
    return f"{value}.{rng.choice(['25', '5', '125', '04', '9', '0001', '3333'])}"


# ---- the seats -----------------------------------------------------------------------------


def random_seats(rng: random.Random, game: str, submission: Submission) -> dict[str, SeatData]:
    limits, paytables = submission["limits"], submission["paytables"]
    choices = submission["choices"]
    positions = submission["table"].get("positions", 6)
    numbers = sorted(rng.sample(range(1, positions + 1), rng.randint(1, positions)))
    players = random_players(rng, numbers, submission["table"].get("max_adjacent_boxes", 1))
    fold = rng.choice([0.0, 0.15, 0.15, 0.4, 0.4, 0.9])

    def stake(wager: str) -> int:
        low, high = (int(limits[wager][end] * 100) for end in ("min", "max"))
        rounding, unit = choices.get("chip_rounding", "exact"), rng.choice([1, 100, 100, 100])
        if rounding == "up_to_chip":
            unit = int(choices["lowest_chip"] * 100)
        elif rounding == "require_even_ante":
            unit = 200
        pick = rng.choice([low, high, rng.randint(low, high), rng.randint(low, high)])
        return max(low, pick - pick % unit)

    seats: dict[str, SeatData] = {}
    for number in numbers:
        ante = stake("first_ante" if game == RUN else "ante")
        wagers = {"ante": ante}
        if game == ULTIMATE:
            wagers["blind"] = ante
        elif game == JACKPOT:
            wagers["xtra_bonus"] = ante
        elif game == RUN:
            wagers = {"first_ante": ante, "second_ante": ante}
        for wager in naive.OPTIONAL_WAGERS[game]:
            if wager not in paytables or rng.random() < 0.35:
                continue
            if wager == "progressive":
                wagers[wager] = choices.get("progressive_stake", 1) * 100
            elif wager != "six_card_bonus" or "trips" in wagers:
                wagers[wager] = stake(wager)
        decisions = random_decisions(rng, game, choices, ante, fold)
        seats[str(number)] = {"wagers": wagers, "decisions": decisions}
        if number in players:
            seats[str(number)]["player"] = players[number]
    return seats


def random_players(rng: random.Random, numbers: list[int], most: int) -> dict[int, str]:
    """Return names for some seats: adjacent seats of one player, and single seats."""
    players: dict[int, str] = {}
    names = iter(["Ann", "Bob", "Cat", "Dan", "Eve", "Fay"])
    left = list(numbers)
    while left:
        run = [left.pop(0)]
        wanted = rng.randint(1, most)
        while left and left[0] == run[-1] + 1 and len(run) < wanted:
            run.append(left.pop(0))
        if len(run) > 1 or rng.random() < 0.2:
            players.update(dict.fromkeys(run, next(names)))
    return players


def random_decisions(
    rng: random.Random, game: str, choices: Choices, ante: int, fold: float
) -> list[str]:
    if game == TEXAS:
        if rng.random() < fold:
            return ["fold"]
        return ["2x", rng.choice(["check", "1x"]), rng.choice(["check", "1x"])]
    if game == TOP_FIVE:
        return ["fold" if rng.random() < fold else "1x"]
    decisions: list[str] = []
    if game == RUN:
        for _ in range(3):
            if rng.random() < fold / 2:
                return decisions + ["fold"]
            bet = rng.choice(["1x", "2x", "3x"])
            if choices.get("run_bet_steps") == "any_amount" and rng.random() < 0.5:
                chip = int(choices.get("lowest_chip", 0.01) * 100)
                amount = rng.randint(ante, 3 * ante)
                bet = f"{amount - amount % chip}c"  # the ante is a multiple of the chip
            decisions.append(bet)
        return decisions
    for bets in (["3x", "4x"] if game == ULTIMATE else ["3x"], ["2x"]):
        if rng.random() < 0.35:
            return decisions + [rng.choice(bets)]
        decisions.append("check")
    return decisions + ["fold" if rng.random() < fold else "1x"]


# ---- irregularities ------------------------------------------------------------------------


def random_irregularities(rng: random.Random, scenario: Scenario) -> list[Irregularity]:
    game, table = scenario["game"], scenario["submission"]["table"]
    kinds = ["card_face_up"] * 6 + ["card_drawn_in_error", "wrong_number_of_cards"]
    kinds += ["player_skipped", "player_card_exposed", "wrong_count"]
    if game != RUN:
        kinds += ["dealer_card_exposed"] * 3
    else:
        kinds += ["player_skipped"] * 3
    if game != TOP_FIVE:
        kinds += ["community_card_exposed"]
    if table["dealing_method"] == "automated_shoe":
        kinds += ["shoe_jam"]
    if table["shuffle_method"] != "manual":
        kinds += ["shuffler_jam"]
    entries: list[Irregularity] = []
    skipped: set[Place | None] = set()
    for kind in rng.sample(kinds, rng.choice([1, 1, 2, 3])):
        entry = random_entry(rng, kind, scenario, entries)
        if {entry.get("seat"), entry.get("where")} & skipped:
            continue
        if kind == "player_skipped":
            skipped |= {entry["seat"], f"seat {entry['seat']}"}
            entries = [old for old in entries if not {old.get("seat"), old.get("where")} & skipped]
        entries.append(entry)
    if game == RUN:
        entries = [entry for entry in entries if is_noticed(scenario, entry, skipped)]
    first_board = naive.Round(scenario).plan[0].count("check community")
    return sorted(entries, key=lambda entry: moment(entry, game, first_board))


def random_entry(
    rng: random.Random, kind: str, scenario: Scenario, entries: list[Irregularity]
) -> Irregularity:
    game = scenario["game"]
    seat = int(rng.choice(sorted(scenario["seats"])))
    streets = naive.STREETS[game]
    if kind == "card_face_up":
        return {"kind": kind, "cards": random_face_up(rng, scenario, entries)}
    if kind == "wrong_number_of_cards":
        places = [f"seat {seat}", "dealer", "community"]
        without = {RUN: "dealer", TOP_FIVE: "community"}.get(game)
        return {"kind": kind, "where": rng.choice([p for p in places if p != without])}
    if kind == "dealer_card_exposed":
        return {"kind": kind, "when": rng.choice(streets)}
    if kind == "community_card_exposed":
        if game in (ULTIMATE, JACKPOT):
            streets = streets[:-1]  # nothing is hidden at the river
        return {"kind": kind, "when": rng.choice(streets)}
    if kind == "shoe_jam":
        return {"kind": kind, "when": rng.choice(["deal", *streets])}
    if kind in ("player_skipped", "player_card_exposed"):
        return {"kind": kind, "seat": seat}
    return {"kind": kind}


def is_noticed(scenario: Scenario, entry: Irregularity, skipped: set[Place | None]) -> bool:
    """Run 'Em Twice: whether any seat is still in when this happens on a street."""
    if entry.get("when") not in naive.STREETS[RUN]:
        return True
    street = naive.STREETS[RUN].index(entry["when"])
    return any(
        int(number) not in skipped and "fold" not in seat["decisions"][:street]
        for number, seat in scenario["seats"].items()
    )


def random_face_up(
    rng: random.Random, scenario: Scenario, entries: list[Irregularity]
) -> list[str]:
    """Return cards of the part of the deck that is dealt, often after the hands."""
    deck = naive.deck_of(scenario)
    plan = naive.Round(scenario).plan
    sizes = [sum(not str(step).startswith("check") for step in steps) for steps in plan]
    known = {card for entry in entries for card in entry.get("cards", [])}
    last = min(52, sum(sizes) + 3)
    after_hands = sizes[0]
    if scenario["game"] == JACKPOT and plan[0][0] != "community":
        after_hands -= 5
    first = rng.choice([0, after_hands, after_hands]) if after_hands < last - 4 else 0
    cards = [card for card in deck[first:last] if card not in known]
    return rng.sample(cards, min(len(cards), rng.choice([1, 1, 2, 2, 3, 4])))


def moment(entry: Irregularity, game: str, board_comes_first: int) -> int:
    """Return the sort key that puts irregularities in chronological order."""
    kind = entry["kind"]
    if kind == "shuffler_jam" or entry.get("when") == "deal":
        return 0
    if kind == "wrong_number_of_cards" and entry["where"] == "community":
        return 2 if board_comes_first else 11
    if kind in ("wrong_number_of_cards", "player_skipped"):
        return 3
    if kind == "wrong_count":
        return 99
    if "when" in entry:
        return 10 * naive.STREETS[game].index(entry["when"]) + 5
    return 1


def leave_out_decisions(rng: random.Random, scenario: Scenario) -> None:
    """In some void rounds, leave out the decisions that are never made."""
    layout = naive.Round(scenario)
    layout.play()
    for number, seat in layout.seats.items():
        data = scenario["seats"][str(number)]
        if (layout.void is not None or seat.skipped) and rng.random() < 0.4:
            data["decisions"] = data["decisions"][: seat.decisions_made]
