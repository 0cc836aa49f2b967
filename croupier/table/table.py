"""The table: a fold over events, and the one door through which commands become events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from croupier.cards import parse_card
from croupier.errors import Refusal
from croupier.games import House
from croupier.table import betting, dealing, irregularities, settlement
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.round import Due, Round

_DECIDE: dict[type[cmd.Command], Callable[[Table, Any], list[ev.Event]]] = {}


class Table:
    """One table of one House.

    `decide` checks a command against the rules and may refuse, changing nothing; `evolve` applies
    an event and may not. `do` is both. A table rebuilt from its events equals the original.
    """

    def __init__(self, house: House, meters: dict[str, Fraction] | None = None) -> None:
        self.house = house
        self.meters: dict[str, Fraction] = {
            name: Fraction(meter.initial) for name, meter in house.meters.items()
        }
        if meters:
            self.meters |= meters
        self.round: Round | None = None
        self.rounds_played = 0

    @classmethod
    def replay(
        cls, house: House, events: Iterable[ev.Event], meters: dict[str, Fraction] | None = None
    ) -> Table:
        """The table after these events."""
        table = cls(house, meters)
        for event in events:
            table.evolve(event)
        return table

    def due(self) -> Due:
        """What must happen next."""
        if self.round is None or self.round.closed:
            return Due("wagers")
        return self.round.due()

    def in_progress(self) -> Round:
        """The round whose betting is closed; refused when there is none."""
        if self.round is None or self.round.closed or not self.round.betting_closed:
            raise self.refusal("no round is in progress; close the betting first", "window")
        return self.round

    def refusal(self, problem: str, duty: str) -> Refusal:
        """A refusal that cites the clause behind a duty."""
        return Refusal(problem, self.house.cite(duty)[0], game=self.house.game.key)

    def decide(self, command: cmd.Command) -> list[ev.Event]:
        """The events a command leads to, or a refusal; the table is unchanged either way."""
        cmd.check_form(command)
        return _DECIDE[type(command)](self, command)

    def do(self, command: cmd.Command) -> Sequence[ev.Event]:
        """Decide and evolve."""
        events = self.decide(command)
        for event in events:
            self.evolve(event)
        return events

    def evolve(self, event: ev.Event) -> None:
        """Apply what happened."""
        match event:
            case ev.RoundOpened():
                self.round = Round(self.house, event.number, dict(self.meters))
                self.rounds_played = event.number
            case ev.ProgressiveLocked():
                self._add_to_meters(event.contributions)
            case ev.MeterPaid():
                self.meters[event.meter] = Fraction(event.after)
            case _:
                assert self.round is not None, f"{event} before a round was opened"
                self._evolve_round(self.round, event)

    def _evolve_round(self, current: Round, event: ev.Event) -> None:
        match event:
            case ev.WagersPlaced():
                betting.place(current, event)
            case ev.BettingClosed():
                current.close_betting(event.seats)
            case ev.CardsDealt():
                current.place(tuple(map(parse_card, event.cards)), event.places)
            case ev.StreetShown():
                current.show()
            case ev.Decided():
                current.act(event)
            case ev.WagerSettled():
                current.boxes[event.seat].settled[event.wager] = event
            case ev.EnvyPaid():
                current.boxes[event.seat].envy += event.paid
            case ev.IrregularityNoted(irregularity="card_face_up"):
                card = parse_card(event.detail["card"])
                current.face_up.append(card)
                current.left_deck.append(card)
            case ev.WagersForfeited():
                current.forfeit(event)
            case ev.PlayerSatOut():
                current.sit_out(event.seat)
                self._add_to_meters(event.contributions)
            case ev.RoundVoided():
                current.end(event)
                self.meters = {name: Fraction(value) for name, value in event.meters.items()}
            case ev.RoundClosed():
                current.closed = True

    def _add_to_meters(self, contributions: dict[str, ev.MeterText]) -> None:
        for meter, amount in contributions.items():
            self.meters[meter] += Fraction(amount)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Table)
            and self.house.digest == other.house.digest
            and self.meters == other.meters
            and self.rounds_played == other.rounds_played
            and self.round == other.round
        )

    __hash__ = None  # type: ignore[assignment]


_DECIDE.update(
    {
        cmd.PlaceWagers: betting.place_wagers,
        cmd.NoMoreBets: betting.no_more_bets,
        cmd.DealCards: dealing.deal_cards,
        cmd.ShowStreet: dealing.show_street,
        cmd.Decide: dealing.decide,
        cmd.Settle: settlement.settle,
        cmd.FindCardFaceUp: irregularities.find_card_face_up,
        cmd.DrawInError: irregularities.draw_in_error,
        cmd.FindWrongNumber: irregularities.find_wrong_number,
        cmd.ExposeDealerCard: irregularities.expose_dealer_card,
        cmd.ExposeCommunityCard: irregularities.expose_community_card,
        cmd.ExposePlayerCard: irregularities.expose_player_card,
        cmd.JamShuffler: irregularities.jam_shuffler,
        cmd.JamShoe: irregularities.jam_shoe,
        cmd.SkipPlayer: irregularities.skip_player,
        cmd.FindWrongCount: irregularities.find_wrong_count,
        cmd.Forfeit: irregularities.forfeit,
    }
)
