"""A second, naive implementation of the scenario schema, to check the engine against.

It imports nothing from the package: it was written from the scenario schema, the rules and the
listed interpretations only. It aims at being obviously right, not fast: hands are ranked by trying
every five cards, money is integer cents, odds and meters are fractions. Scenarios are assumed to
be valid. Clause citations and events are left out. `naive_self_check` tests it on its own.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from tests.table.scenario.naive_hands import (
    CATEGORIES,
    PAIR,
    best_hand,
    hand_names,
    live_cards,
    pocket_names,
    six_card_names,
    top_five_dealer_qualifies,
    top_five_rank,
)
from tests.table.scenario.naive_paytables import ENVY, METER_MINIMUMS, PAYTABLES
from tests.table.scenario.scenario_shapes import (
    Amount,
    Choices,
    Letters,
    Limits,
    Line,
    Place,
    Result,
    Scenario,
    SeatData,
    Steps,
    WagerResult,
)

TEXAS = "texas_holdem_bonus"
TOP_FIVE = "top_five"
ULTIMATE = "ultimate_texas_holdem"
JACKPOT = "jackpot_holdem"
RUN = "run_em_twice"

STREETS = {
    TEXAS: ["preflop", "flop", "turn"],
    TOP_FIVE: ["play"],
    ULTIMATE: ["preflop", "flop", "river"],
    JACKPOT: ["preflop", "flop", "river"],
    RUN: ["first", "second", "center"],
}

# The wager that a decision places, by street.
DECISION_WAGERS = {
    TEXAS: ["flop", "turn", "river"],
    TOP_FIVE: ["play"],
    ULTIMATE: ["play", "play", "play"],
    JACKPOT: ["play", "play", "play"],
    RUN: ["first_run", "second_run", "center"],
}

# Wagers lost when the box folds, if they were placed.
LOST_BY_FOLDING = {
    TEXAS: ["ante"],
    TOP_FIVE: ["ante"],
    ULTIMATE: ["ante", "blind"],
    JACKPOT: ["ante", "xtra_bonus"],
    RUN: ["first_ante", "second_ante", "first_run", "second_run"],
}

OPTIONAL_WAGERS = {
    TEXAS: ["texas_holdem_bonus"],
    TOP_FIVE: ["top_five_bonus", "poker_bonus"],
    ULTIMATE: [
        "trips",
        "six_card_bonus",
        "ultimate_pairs",
        "bad_beat",
        "play_the_board",
        "progressive",
    ],
    JACKPOT: ["player_bonus", "progressive"],
    RUN: ["five_card_bonus", "ultimate_pairs_bonus", "progressive"],
}

# The wager that some void rounds still settle.
SAVED = {TEXAS: "texas_holdem_bonus", ULTIMATE: "trips", JACKPOT: "player_bonus"}

# Wagers under the payout limit, in the order in which they are paid.
LIMITED = {
    TEXAS: ["ante", "flop", "turn", "river", "texas_holdem_bonus"],
    TOP_FIVE: [],
    ULTIMATE: ["ante", "blind", "play", "trips"],
    JACKPOT: ["ante", "xtra_bonus", "play", "player_bonus"],
    RUN: ["first_run", "second_run", "center"],
}
LIMITED_SIDE_WAGERS = ["ultimate_pairs", "bad_beat", "play_the_board"]

DEFAULT_CHOICES: Choices = {
    "chip_rounding": "exact",
    "community_first": False,
    "tie_break_extra_cards": True,
    "six_card_deal_position": None,
    "dealer_stack_order": "dealer_first",
    "progressive_stake": 1,
    "partial_award_floor": False,
    "meter_rounding": "up_to_cent",
    "progressive_after_fold": True,
    "envy_on_folded_hand": True,
    "envy_holder_must_wager": False,
    "bad_beat_scope": "either_hand",
    "bad_beat_after_fold": True,
    "payout_limit": None,
    "limit_covers_side_wagers": False,
    "ace_low_straight": True,
    "ante_rule": "own_run",
    "center_rule": "higher_run_table",
    "cross_order": ["left", "right", "top", "bottom", "center"],
}


class Void(Exception):
    """The round is void from here on."""

    def __init__(self, kind: str, saves: bool = False) -> None:
        super().__init__(kind)
        self.kind = kind
        self.saves = saves


class Seat:
    def __init__(self, number: int, data: SeatData) -> None:
        self.number = number
        self.player: str | tuple[str, int] = data.get("player", ("seat", number))
        self.stakes = dict(data["wagers"])
        self.decisions = list(data.get("decisions", []))
        self.cards: list[str] = []
        self.decisions_made = 0
        self.folded = False
        self.skipped = False  # Run 'Em Twice: dealt no cards, out of the round
        self.outcomes: dict[str, tuple[str, int]] = {}  # wager -> outcome, returned
        self.envy = 0


def cents(dollars: float | str) -> Fraction:
    """Return dollars as written (10, 2.5, "2.50") in exact cents."""
    return Fraction(str(dollars)) * 100


def plain_number(value: Fraction) -> int | str:
    """Return a meter as it is printed: an integer, or else the shortest decimal string."""
    value = Fraction(value)
    if value.denominator == 1:
        return int(value)
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(abs(int(value * 10**places))).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def deck_of(scenario: Scenario) -> list[str]:
    """Return the cards of the deck, written as text or as a list."""
    deck = scenario["deck"]
    return deck.split() if isinstance(deck, str) else list(deck)


class Round:
    def __init__(self, scenario: Scenario) -> None:
        submission = scenario["submission"]
        table = submission.get("table", {})
        self.game = scenario["game"]
        self.method = table.get("dealing_method", "automated_shoe")
        shuffle = table.get("shuffle_method", "counting_shuffler")
        self.decks = table.get("decks", 1 if shuffle == "manual" else 2)
        self.choices = {**DEFAULT_CHOICES, **submission.get("choices", {})}
        self.letters = submission.get("paytables", {})
        self.limits = submission.get("limits", {})
        self.ace_low = self.game != RUN or self.choices["ace_low_straight"]

        self.deck = deck_of(scenario)
        self.seats = {
            int(number): Seat(int(number), data) for number, data in scenario["seats"].items()
        }
        self.irregularities = scenario.get("irregularities", [])
        self.face_up = {
            card
            for entry in self.irregularities
            if entry["kind"] == "card_face_up"
            for card in entry["cards"]
        }
        for entry in self.irregularities:
            if entry["kind"] == "player_skipped" and self.game == RUN:
                self.seats[entry["seat"]].skipped = True

        self.drawn = 0  # cards that have left the deck
        self.face_up_seen = 0
        self.void: Void | None = None
        self.dealer: list[str] = []
        self.box: list[str] = []
        self.community: list[str] = []
        self.cross: dict[str, str] = {}
        self.plan = self.dealing_plan()

        self.reset: dict[str, Fraction] = {}
        self.meters_before: dict[str, Fraction] = {}
        self.rates: dict[str, Fraction] = {}
        if "progressive" in self.letters:
            meters = scenario.get("meters", {})
            for meter in METER_MINIMUMS[self.game][self.letters["progressive"]]:
                data = submission["meters"][meter]
                self.reset[meter] = cents(data["reset"])
                self.rates[meter] = Fraction(str(data["rate"]))
                self.meters_before[meter] = (
                    Fraction(str(meters[meter])) if meter in meters else cents(data["initial"])
                )
        self.meters = dict(self.meters_before)
        # (meter, change, why), for the self-check
        self.meter_log: list[tuple[str, Amount, str]] = []

    # ---- the deal --------------------------------------------------------------------------

    def dealing_plan(self) -> list[Steps]:
        """Return the dealing steps before the decisions of every street; in Texas one more.

        A step is where the next card of the deck goes: a seat number, "dealer", "community",
        "box", "burn" or a place of the cross. A wrong number of cards is noticed at the steps
        "check community" and "check hands".
        """
        seats: Steps = [number for number in sorted(self.seats) if not self.seats[number].skipped]
        automated = self.method == "automated_shoe"
        board: Steps = ["community"] * 5
        cards = 7 if self.game == TOP_FIVE else 2
        places = seats if self.game == RUN else seats + ["dealer"]
        if automated:  # stacks
            dealer_first = self.choices["dealer_stack_order"] == "dealer_first"
            if self.game in (ULTIMATE, JACKPOT) and dealer_first:
                places = ["dealer", *seats]
            hands = [place for place in places for _ in range(cards)]
        else:  # one card at a time
            hands = places * cards

        if self.game == TEXAS:
            if automated and self.choices["community_first"]:
                return [board + ["check community"] + hands + ["check hands"], [], [], []]
            return [
                hands + ["check hands"],
                ["burn", *board[:3], "check community"],
                ["burn", "community"],
                ["burn", "community"],
            ]
        if self.game == TOP_FIVE:
            return [hands + ["check hands"]]
        if self.game == ULTIMATE:
            offered = "six_card_bonus" in self.letters
            if automated:
                box = ["box"] * 4 if offered else []
                return [box + board + ["check community"] + hands + ["check hands"], [], []]
            after_hands = self.choices["six_card_deal_position"] == "after_hands"
            box = ["box"] * 4 if offered and after_hands else []
            burn = ["burn"] if self.method == "hand" else []
            return [
                hands + box + ["check hands"],
                [*burn, *board[:3], "check community"],
                [*burn, *board[3:]],
            ]
        if self.game == JACKPOT:
            if automated:
                return [board + ["check community"] + hands + ["check hands"], [], []]
            return [hands + board + ["check community", "check hands"], [], []]
        cross = list(self.choices["cross_order"])
        return [cross + ["check community"] + hands + ["check hands"], [], []]

    def deal(self, steps: Steps) -> None:
        """Perform steps of the plan, removing each when it is done."""
        while steps:
            step = steps[0]
            if step == "check community":
                self.notice_wrong_number(lambda where: where == "community")
            elif step == "check hands":
                self.notice_wrong_number(lambda where: where != "community")
            else:
                self.put(self.draw(), step)
            steps.pop(0)

    def put(self, card: str, place: Place) -> None:
        if place == "dealer":
            self.dealer.append(card)
        elif place == "community":
            self.community.append(card)
        elif place == "box":
            self.box.append(card)
        elif isinstance(place, int):
            self.seats[place].cards.append(card)
        elif place != "burn":
            self.cross[place] = card

    def draw(self) -> str:
        """Draw the next card; cards found face up are set aside until there are too many."""
        tolerated = 0 if self.game in (TOP_FIVE, RUN) else 1
        while True:
            card = self.deck[self.drawn]
            self.drawn += 1
            if card not in self.face_up:
                return card
            self.face_up_seen += 1
            if self.face_up_seen > tolerated and self.void is None:
                raise Void("card_face_up", saves=self.hands_are_complete())

    def hands_are_complete(self) -> bool:
        """Whether no seat and no dealer card is left in the plan."""
        left = [step for steps in self.plan for step in steps]
        return not any(step == "dealer" or step in self.seats for step in left)

    # ---- irregularities --------------------------------------------------------------------

    def notice_wrong_number(self, concerns: Callable[[str], bool]) -> None:
        if self.void is not None:
            return
        for entry in self.irregularities:
            if entry["kind"] == "wrong_number_of_cards":
                where = entry["where"]
            elif entry["kind"] == "player_skipped" and self.game != RUN:
                where = f"seat {entry['seat']}"
            else:
                continue
            if concerns(where):
                raise Void("wrong_number_of_cards")

    def happen_before_the_deal(self) -> None:
        for entry in self.irregularities:
            if entry["kind"] == "shuffler_jam" and self.decks == 1:
                raise Void("shuffler_jam")
            if entry["kind"] == "shoe_jam" and entry["when"] == "deal":
                raise Void("shoe_jam")

    def happen_at(self, street: str) -> None:
        for entry in self.irregularities:
            if entry.get("when") != street:
                continue
            if entry["kind"] == "dealer_card_exposed" and self.a_decision_is_left():
                raise Void("dealer_card_exposed", saves=True)
            if entry["kind"] == "community_card_exposed":
                raise Void("community_card_exposed")
            if entry["kind"] == "shoe_jam" and self.still_in():
                raise Void("shoe_jam")

    def happen_before_settlement(self) -> None:
        for entry in self.irregularities:
            if entry["kind"] == "wrong_count":
                raise Void("wrong_count")

    # ---- decisions -------------------------------------------------------------------------

    def still_in(self) -> list[Seat]:
        return [s for _, s in sorted(self.seats.items()) if not s.folded and not s.skipped]

    def may_decide(self, seat: Seat) -> bool:
        """Whether a seat decides; Ultimate and Jackpot have no decision after a bet."""
        return not (self.game in (ULTIMATE, JACKPOT) and "play" in seat.stakes)

    def a_decision_is_left(self) -> bool:
        return any(self.may_decide(seat) for seat in self.still_in())

    def decide(self, street_number: int) -> None:
        for seat in self.still_in():
            if not self.may_decide(seat):
                continue
            decision = seat.decisions[street_number]
            seat.decisions_made += 1
            if decision == "fold":
                seat.folded = True
            elif decision != "check":
                ante = seat.stakes["first_ante" if self.game == RUN else "ante"]
                wager = DECISION_WAGERS[self.game][street_number]
                if decision.endswith("c"):
                    seat.stakes[wager] = int(decision[:-1])
                else:
                    seat.stakes[wager] = int(decision[:-1]) * ante

    # ---- the course of the round -----------------------------------------------------------

    def play(self) -> Result:
        try:
            self.happen_before_the_deal()
            for number, street in enumerate(STREETS[self.game]):
                if number > 0 and not self.still_in():
                    break  # all folded: the cards dealt are enough to settle
                self.deal(self.plan[number])
                self.happen_at(street)
                self.decide(number)
            else:
                for steps in self.plan:
                    self.deal(steps)
            self.happen_before_settlement()
        except Void as void:
            self.void = void
            self.settle_void()
        else:
            self.settle()
        return self.result()

    def settle_void(self) -> None:
        for seat in self.seats.values():
            for wager, stake in seat.stakes.items():
                seat.outcomes[wager] = ("void", stake)
        saved = SAVED.get(self.game)
        holders = [seat for seat in self.seats.values() if saved in seat.stakes]
        assert self.void is not None
        if self.void.saves and saved and holders:
            if self.game in (ULTIMATE, JACKPOT):
                for steps in self.plan:
                    self.deal(steps)
            for seat in holders:
                if self.game == TEXAS:
                    self.pay(seat, saved, pocket_names(seat.cards, self.dealer))
                else:
                    self.pay(seat, saved, hand_names(seat.cards + self.community))
                self.apply_limit(seat)

    def settle(self) -> None:
        for seat in self.seats.values():
            if seat.skipped:
                for wager, stake in seat.stakes.items():
                    seat.outcomes[wager] = ("void", stake)
        playing = [s for _, s in sorted(self.seats.items(), reverse=True) if not s.skipped]
        for seat in playing:
            if "progressive" in seat.stakes:
                for meter, rate in self.rates.items():
                    self.change_meter(meter, seat.stakes["progressive"] * rate / 100, "rate")
        for seat in playing:  # from the highest number down
            if seat.folded:
                for wager in LOST_BY_FOLDING[self.game]:
                    if wager in seat.stakes:
                        seat.outcomes[wager] = ("lose", 0)
            if self.game == TEXAS:
                self.settle_texas(seat)
            elif self.game == TOP_FIVE:
                self.settle_top_five(seat)
            elif self.game == ULTIMATE:
                self.settle_ultimate(seat)
            elif self.game == JACKPOT:
                self.settle_jackpot(seat)
            else:
                self.settle_run_em_twice(seat)
            self.apply_limit(seat)
            if "progressive" in seat.stakes:
                self.settle_progressive(seat)
        if self.game in (ULTIMATE, RUN) and "progressive" in self.letters:
            self.pay_envy(playing)

    # ---- paying ----------------------------------------------------------------------------

    def table_of(self, wager: str) -> list[Line]:
        return PAYTABLES[self.game][wager][self.letters[wager]]

    def whole(self, amount: Amount) -> int:
        """Round an amount up to whole cents or whole chips of the lowest value."""
        unit = Fraction(1)
        if self.choices["chip_rounding"] == "up_to_chip":
            unit = cents(self.choices["lowest_chip"])
        return int(ceil(Fraction(amount) / unit) * unit)

    def even_money(self, seat: Seat, wager: str, outcome: str) -> None:
        stake = seat.stakes[wager]
        returned = {"win": stake + self.whole(stake), "push": stake, "lose": 0}[outcome]
        seat.outcomes[wager] = (outcome, returned)

    def pay(
        self,
        seat: Seat,
        wager: str,
        names: set[str],
        table: list[Line] | None = None,
        otherwise: str = "lose",
    ) -> None:
        """Pay a wager by the first line of its table that names the hand."""
        stake = seat.stakes[wager]
        lines = [line for line in table or self.table_of(wager) if line[0] in names]
        if not lines:
            self.even_money(seat, wager, otherwise)
            return
        _, unit, number = lines[0]
        if unit == "push":
            seat.outcomes[wager] = ("push", stake)
        elif unit == "to 1":
            seat.outcomes[wager] = ("win", stake + self.whole(stake * number))
        elif unit == "for 1":
            seat.outcomes[wager] = ("win", self.whole(stake * number))
        elif unit == "dollars":
            seat.outcomes[wager] = ("win", stake + int(number) * 100)
        else:
            meter = unit.removeprefix("percent of ")
            seat.outcomes[wager] = ("win", self.award(meter, number))

    def apply_limit(self, seat: Seat) -> None:
        """Reduce the winnings of covered wagers to the payout limit."""
        left = self.payout_limit()
        if left is None:
            return
        covered = list(LIMITED[self.game])
        if self.choices["limit_covers_side_wagers"]:
            covered += LIMITED_SIDE_WAGERS
        for wager in covered:
            outcome, returned = seat.outcomes.get(wager, ("", 0))
            if outcome == "win":
                stake = seat.stakes[wager]
                paid = min(returned - stake, left)
                left -= paid
                seat.outcomes[wager] = ("win", stake + paid)

    def most_at_the_minimum(self) -> Amount:
        return most_at_the_minimum(self.game, self.limits, self.letters, self.choices)

    def payout_limit(self) -> int | None:
        if self.choices["payout_limit"] is not None:
            return int(cents(self.choices["payout_limit"]))
        if self.game in (TEXAS, RUN):
            return max(5_000_000, int(self.most_at_the_minimum()))
        return None

    # ---- progressives and envy -------------------------------------------------------------

    def change_meter(self, meter: str, change: Amount, why: str) -> None:
        self.meters[meter] += change
        self.meter_log.append((meter, change, why))

    def award(self, meter: str, percent: Amount) -> int:
        """Pay an award from the current value of a meter."""
        exact = self.meters[meter] * percent / 100
        paid = floor(exact) if self.choices["meter_rounding"] == "down_to_cent" else ceil(exact)
        self.change_meter(meter, -paid, "award")
        if percent == 100:
            self.change_meter(meter, self.reset[meter], "reset")
        elif self.choices["partial_award_floor"] and self.meters[meter] < self.reset[meter]:
            self.change_meter(meter, self.reset[meter] - self.meters[meter], "floor")
        return paid

    def progressive_cards(self, seat: Seat) -> list[str]:
        """Return the cards that decide the progressive and envy."""
        basis = self.choices["progressive_basis"]
        if self.game == RUN:
            first, second = self.runs(seat)
            if basis == "first_run":
                return first
            if basis == "higher_run":
                return max(first, second, key=lambda run: best_hand(run, self.ace_low))
            return seat.cards + list(self.cross.values())
        if basis == "best_five_of_seven":
            return seat.cards + self.community
        return seat.cards + self.community[:3]

    def progressive_is_live(self, seat: Seat) -> bool:
        if seat.folded and self.game != JACKPOT:
            return bool(self.choices["progressive_after_fold"])
        return True

    def settle_progressive(self, seat: Seat) -> None:
        if self.progressive_is_live(seat):
            names = hand_names(self.progressive_cards(seat), self.ace_low)
            self.pay(seat, "progressive", names)
        else:
            seat.outcomes["progressive"] = ("lose", 0)

    def has_live_optional_wager(self, seat: Seat) -> bool:
        for wager in OPTIONAL_WAGERS[self.game]:
            if wager not in seat.stakes:
                continue
            if wager == "progressive" and not self.progressive_is_live(seat):
                continue
            if wager == "bad_beat" and seat.folded and not self.choices["bad_beat_after_fold"]:
                continue
            return True
        return False

    def pay_envy(self, playing: list[Seat]) -> None:
        letter = self.choices.get("envy_schedule", self.letters["progressive"])
        for holder in playing:
            names = hand_names(self.progressive_cards(holder), self.ace_low)
            if not names & {"royal_flush", "straight_flush"}:
                continue
            if self.choices["envy_holder_must_wager"] and "progressive" not in holder.stakes:
                continue
            if holder.folded:
                if not self.choices["envy_on_folded_hand"]:
                    continue
                if not self.has_live_optional_wager(holder):
                    continue
            for receiver in playing:
                if receiver.player == holder.player:
                    continue
                if "progressive" not in receiver.stakes:
                    continue
                if receiver.folded and not self.choices["envy_on_folded_hand"]:
                    continue
                dollars = receiver.stakes["progressive"] // 100
                schedule = ENVY[self.game][f"{letter}{dollars}"]
                hand = "royal_flush" if "royal_flush" in names else "straight_flush"
                receiver.envy += schedule[hand] * 100

    # ---- the five games --------------------------------------------------------------------

    def against_dealer(self, seat: Seat) -> str:
        """Return win, push or lose on the best five of seven."""
        player = best_hand(seat.cards + self.community)
        dealer = best_hand(self.dealer + self.community)
        if player == dealer:
            return "push"
        return "win" if player > dealer else "lose"

    def settle_texas(self, seat: Seat) -> None:
        if not seat.folded:
            outcome = self.against_dealer(seat)
            for wager in ("flop", "turn", "river"):
                if wager in seat.stakes:
                    self.even_money(seat, wager, outcome)
            needed = CATEGORIES.index(self.choices["ante_return_threshold"])
            if outcome == "win" and best_hand(seat.cards + self.community)[0] < needed:
                outcome = "push"
            self.even_money(seat, "ante", outcome)
        if "texas_holdem_bonus" in seat.stakes:
            self.pay(seat, "texas_holdem_bonus", pocket_names(seat.cards, self.dealer))

    def settle_top_five(self, seat: Seat) -> None:
        if not seat.folded:
            extra = self.choices["tie_break_extra_cards"]
            player = top_five_rank(seat.cards, extra)
            dealer = top_five_rank(self.dealer, extra)
            outcome = "push" if player == dealer else "win" if player > dealer else "lose"
            self.even_money(seat, "play", outcome)
            qualified = top_five_dealer_qualifies(self.dealer)
            self.even_money(seat, "ante", outcome if qualified else "push")
        live = live_cards(seat.cards)
        if "top_five_bonus" in seat.stakes:
            self.pay(seat, "top_five_bonus", {f"count_{len(live)}"})
        if "poker_bonus" in seat.stakes:
            self.pay(seat, "poker_bonus", hand_names(live))

    def settle_main_with_blind(self, seat: Seat, blind: str) -> None:
        """Settle ante, play and the blind (Ultimate) or X-tra Bonus (Jackpot)."""
        outcome = self.against_dealer(seat)
        self.even_money(seat, "play", outcome)
        dealer_qualifies = best_hand(self.dealer + self.community)[0] >= PAIR
        self.even_money(seat, "ante", outcome if dealer_qualifies else "push")
        if outcome == "win":  # blind paytable B has no line for a straight: it pushes
            self.pay(seat, blind, hand_names(seat.cards + self.community), otherwise="push")
        else:
            self.even_money(seat, blind, outcome)

    def settle_ultimate(self, seat: Seat) -> None:
        names = hand_names(seat.cards + self.community)
        if not seat.folded:
            self.settle_main_with_blind(seat, "blind")
        if "trips" in seat.stakes:
            self.pay(seat, "trips", names)
        if "six_card_bonus" in seat.stakes:
            self.pay(seat, "six_card_bonus", six_card_names(seat.cards + self.box))
        if "ultimate_pairs" in seat.stakes:
            self.pay(seat, "ultimate_pairs", pocket_names(seat.cards, self.dealer))
        if "bad_beat" in seat.stakes:
            self.settle_bad_beat(seat)
        if "play_the_board" in seat.stakes:
            self.pay(seat, "play_the_board", hand_names(self.community))

    def settle_bad_beat(self, seat: Seat) -> None:
        loser: list[str] | None = {
            "lose": seat.cards + self.community,
            "win": self.dealer + self.community,
            "push": None,
        }[self.against_dealer(seat)]
        if self.choices["bad_beat_scope"] == "player_hand" and self.against_dealer(seat) == "win":
            loser = None
        if seat.folded and not self.choices["bad_beat_after_fold"]:
            loser = None
        self.pay(seat, "bad_beat", hand_names(loser) if loser else set())

    def settle_jackpot(self, seat: Seat) -> None:
        if not seat.folded:
            self.settle_main_with_blind(seat, "xtra_bonus")
        if "player_bonus" in seat.stakes:
            self.pay(seat, "player_bonus", hand_names(seat.cards + self.community))

    def runs(self, seat: Seat) -> tuple[list[str], list[str]]:
        cross = self.cross
        first = seat.cards + [cross["left"], cross["center"], cross["right"]]
        second = seat.cards + [cross["top"], cross["center"], cross["bottom"]]
        return first, second

    def run_outcome(self, names: set[str]) -> str:
        for name, unit, _ in PAYTABLES[RUN]["run"]["fixed"]:
            if name in names:
                return "push" if unit == "push" else "win"
        return "lose"

    def settle_run_em_twice(self, seat: Seat) -> None:
        if not seat.folded:
            table = PAYTABLES[RUN]["run"]["fixed"]
            runs = self.runs(seat)
            first, second = (hand_names(run, self.ace_low) for run in runs)
            better = first
            if best_hand(runs[1], self.ace_low) > best_hand(runs[0], self.ace_low):
                better = second
            self.pay(seat, "first_run", first, table)
            self.pay(seat, "second_run", second, table)
            if self.choices["center_rule"] == "even_money":
                self.even_money(seat, "center", self.run_outcome(better))
            else:
                self.pay(seat, "center", better, table)
            own_run = self.choices["ante_rule"] == "own_run"
            self.even_money(seat, "first_ante", self.run_outcome(first if own_run else better))
            self.even_money(seat, "second_ante", self.run_outcome(second if own_run else better))
        if "five_card_bonus" in seat.stakes:
            names = hand_names(list(self.cross.values()), self.ace_low)
            self.pay(seat, "five_card_bonus", names)
        if "ultimate_pairs_bonus" in seat.stakes:
            self.pay(seat, "ultimate_pairs_bonus", pocket_names(seat.cards))

    # ---- the result ------------------------------------------------------------------------

    def result(self) -> Result:
        community = list(self.community)
        if self.game == RUN:
            places = ["left", "right", "top", "bottom", "center"]
            community = [self.cross[place] for place in places if place in self.cross]
        if self.game == TEXAS and self.void is None and not self.still_in():
            community = []  # also if the cards are on the table face down
        result: Result = {"game": self.game, "void": self.void is not None}
        if self.void is not None:
            result["reason"] = {"kind": self.void.kind}
        result["community"] = community
        result["dealer"] = list(self.dealer)
        if len(self.box) == 4:
            result["six_card_box"] = list(self.box)
        result["seats"] = {}
        for number, seat in sorted(self.seats.items()):
            wagers: dict[str, WagerResult] = {}
            for wager, stake in seat.stakes.items():
                outcome, returned = seat.outcomes[wager]
                wagers[wager] = {"stake": stake, "outcome": outcome, "returned": returned}
            returned = sum(wager["returned"] for wager in wagers.values())
            result["seats"][str(number)] = {
                "cards": list(seat.cards),
                "wagers": wagers,
                "envy": seat.envy,
                "net": returned + seat.envy - sum(seat.stakes.values()),
            }
        meters = self.meters if self.void is None else self.meters_before
        result["meters"] = {meter: plain_number(value) for meter, value in meters.items()}
        return result


def most_at_the_minimum(game: str, limits: Limits, letters: Letters, choices: Choices) -> Amount:
    """Return the most a player can win in a round at the minimum bets, in cents (A60)."""

    def least(wager: str, offered: bool = True) -> Amount:
        return cents(limits[wager]["min"]) if offered else 0

    if game == TEXAS:
        bonus = least("texas_holdem_bonus", "texas_holdem_bonus" in letters)
        return 5 * least("ante") + 1000 * bonus
    if game == ULTIMATE:
        plain = 505 * least("ante") + 50 * least("trips")
        if not choices.get("limit_covers_side_wagers"):
            return plain
        return max(plain + ultimate_sides(limits, letters, choices, *case) for case in SIDE_CASES)
    if game == JACKPOT:
        return 504 * least("ante") + 100 * least("player_bonus", "player_bonus" in letters)
    center = 3 if choices.get("center_rule") == "even_money" else 1500
    return (1500 + 300 + center) * least("first_ante")


# The deals that can pay the most when side wagers are covered: the player's hand and the board, who
# loses with a straight flush, and whether the dealer holds the other two aces.
SIDE_CASES = [
    ("royal_flush", "straight_flush", "dealer", True),
    ("straight_flush", "straight_flush", "player", True),
    ("royal_flush", "royal_flush", "nobody", False),
]


def ultimate_sides(
    limits: Limits,
    letters: Letters,
    choices: Choices,
    own: str,
    board: str,
    loser: str,
    four_aces: bool,
) -> Amount:
    """Return what a deal adds to a winning royal flush; main bets count only if it wins."""

    def pays(wager: str, *names: str) -> Amount:
        if wager not in letters:
            return 0
        lines = PAYTABLES[ULTIMATE][wager][letters[wager]]
        odds = [number for hand, _, number in lines if hand in names]
        return odds[0] * cents(limits[wager]["min"]) if odds else 0

    aces = ["pocket_aces", "pocket_aces_hearts_diamonds"]
    if four_aces:
        aces += ["pocket_aces_player_and_dealer", "pocket_aces_hearts_diamonds_player_and_dealer"]
    paid_loser = loser == "player" or (
        loser == "dealer" and choices.get("bad_beat_scope", "either_hand") == "either_hand"
    )
    total = pays("ultimate_pairs", *aces) + pays("play_the_board", board)
    total += pays("bad_beat", "straight_flush") if paid_loser else 0
    total += pays("trips", own) - pays("trips", "royal_flush")
    return total - (0 if loser == "dealer" else 505 * cents(limits["ante"]["min"]))


def replay(scenario: Scenario) -> Result:
    """Return the expected result of `croupier replay SCENARIO --json`, without clauses."""
    return Round(scenario).play()
