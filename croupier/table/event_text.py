"""Event text: each event of a table as one sentence for one viewer.

The sentence is made from the redacted event, so it contains nothing that the viewer may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from croupier.games import Game, Slot, title
from croupier.games.hand_names import SINGULARS
from croupier.money import Cents, chip_amount, down_to_cent
from croupier.table import events as ev
from croupier.table.core.messages import Event, MeterText
from croupier.table.core.roles import Account
from croupier.table.core.titles import title_of
from croupier.table.core.views import HIDDEN, Viewer, redact
from croupier.wording import join_words, person_name

YOU = "you"
AUDITOR = Viewer(Account("audit", "audit"))  # who sees all of a settled round
LATER = "will be paid when it is approved"
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
# Fields that no sentence lists: the table, citations, digests, times and positions.
UNLISTED = {
    *("table", "schema", "clauses", "clause", "at", "by", "house", "commitment", "position"),
    *("refers_to", "until", "effective", "before", "time"),
}


class EventText(msgspec.Struct, frozen=True):
    """Words events for a viewer: "You bet ...", "Ann bets ...", "Seat 3 bets ...".

    `players` are the players by seat. A seat is named by its number if it has no player, or if its
    player has several. `settled` is for `redact`; `name_cards` words a row of cards.
    """

    viewer: Viewer
    game: Game
    players: Mapping[int, str] = {}
    settled: bool = False
    name_cards: Callable[[Sequence[str]], str] = " ".join

    def describe(self, event: Event) -> str:
        """Return the sentence; "" for a hidden event, and for players if it concerns only staff.

        >>> from croupier import Account, PlaceWagers, Table, example
        >>> table = Table(example("top_five"))
        >>> ann = Viewer(Account("ann", "player"))
        >>> for event in table.do(PlaceWagers(2, {"ante": 1000}, "ann")):
        ...     print(EventText(ann, table.house.game, {2: "ann"}).describe(event))
        Round 1 starts.
        You bet Ante $10.
        """
        return self.describe_visible(redact(event, self.viewer, settled=self.settled))

    def describe_visible(self, visible: Event | None) -> str:
        """Return the sentence for an event that is already redacted; None is a hidden event."""
        if visible is None:
            return ""
        text = self._of_round(visible) or self._of_settlement(visible) or self._of_player(visible)
        if not text and self.viewer.account.role != "player":
            text = self._generic(visible)
        return f"{text[0].upper()}{text[1:]}." if text else ""

    # Events

    def _of_round(self, event: Event) -> str:
        """An event between the first bet and the last card."""
        match event:
            case ev.RoundOpened():
                return f"round {event.number} starts"
            case ev.WagersPlaced(stakes=stakes):
                who = self.who(event.seat, event.player)
                bets = ", ".join(self._stake(*stake) for stake in stakes.items())
                return does(who, f"bet {bets}" if bets else "take back all bets")
            case ev.BettingClosed():
                return "no more bets"
            case ev.ProgressiveLocked(contributions=added) if added:
                amounts = (f"{meter} +{meter_amount(value)}" for meter, value in added.items())
                return f"progressive bets locked: {', '.join(amounts)}"
            case ev.CardsDealt():
                return self._cards_at("dealt to", event.cards, event.places)
            case ev.CardsRead():
                return self._cards_at("read for", event.cards, (event.place,) * len(event.cards))
            case ev.CardsTurned():
                return self._cards_at("turned over for", event.cards, event.places)
            case ev.StreetShown(community=cards) if cards:
                return f"community cards: {self.name_cards(cards)}"
            case ev.StreetShown(street=name):
                when = next((each.when for each in self.game.streets if each.name == name), "")
                return when and f"decisions {when}"
            case ev.Decided():
                who = self.who(event.seat)
                multiple = f"{event.word}: " if event.word.endswith("x") else ""
                bet = f"bet {multiple}{self._stake(event.wager, event.stake)}"
                return does(who, bet if event.wager else event.word)
            case ev.WagersCollected(wagers=lost):
                wagers = join_words([self._stake(*stake) for stake in lost.items()], "and")
                return f"the dealer collects {whose(self.who(event.seat))} {wagers}"
            case ev.HandKept():
                wagers = join_words([wager_title(self.game, name) for name in event.wagers], "and")
                return f"{whose(self.who(event.seat))} hand stays in play for {wagers}"
            case ev.HandDiscarded():
                return f"{whose(self.who(event.seat))} hand goes to the discard rack"
            case ev.IrregularityNoted():
                return f"irregularity: {listed(event.irregularity, self._fields(event.detail))}"
            case ev.PlayerSatOut():
                return f"seat {event.seat} was skipped in the deal and sits out"
            case ev.RoundVoided():
                return f"the round is void: {spaced(event.irregularity)}"
            case ev.RoundClosed(discards=cards):
                rack = f"; discard rack: {self.name_cards(cards)}; {event.stub} in the stub"
                return f"the round is over{'' if HIDDEN in cards else rack}"
        return ""

    def _of_settlement(self, event: Event) -> str:
        """A hand at the showdown, or a payment."""
        match event:
            case ev.HandAnnounced():
                cards = self.name_cards(event.cards)
                return does(self.who(event.seat), f"show {cards}: {event.hand}")
            case ev.BoxShown():
                return f"the Six Card box shows {self.name_cards(event.cards)}"
            case ev.HandsShown():
                return "all hands are face up"
            case ev.WagerSettled():
                won = event.returned - event.stake
                cut = f" (reduced by {chip_amount(event.withheld)}: payout limit)"
                return (
                    f"{whose(self.who(event.seat))} {self._stake(event.wager, event.stake)} "
                    f"{event.result}{f', +{chip_amount(won)}' if event.outcome == 'win' else ''}"
                    f"{cut if event.withheld else ''}"
                )
            case ev.PaymentDelayed(holder=0):
                paid = f"{whose(self.who(event.seat))} {self._stake(event.wager, event.stake)}"
                return f"{paid} wins {event.pays}; {chip_amount(event.returned)} {LATER}"
            case ev.PaymentDelayed():
                bonus = f"{whose(self.who(event.seat))} envy bonus of {chip_amount(event.returned)}"
                return f"{bonus} for {whose(self.who(event.holder))} hand {LATER}"
            case ev.MeterPaid():
                paid = f"pays {self.who(event.seat)} {chip_amount(event.paid)}"
                after = chip_amount(down_to_cent(Fraction(event.after)))
                return f"the {event.meter} meter {paid} and is now at {after}"
            case ev.EnvyPaid():
                hand = f"{whose(self.who(event.holder))} {title(event.hand)}"
                bonus = f"an envy bonus of {chip_amount(event.paid)}"
                return does(self.who(event.seat), f"win {bonus} for {hand}")
            case ev.PaidByCheck():
                who = self.who(event.seat, event.player)
                return f"the cage pays {who} {chip_amount(event.amount)} by check"
            case ev.DeckKept(deck=deck, aside=aside):
                left = f"; {spaced(aside)} leaves play" if aside else ""
                return f"{spaced(deck)} is the only deck in play{left}"
            case ev.DeckRevealed():
                return "the deck of this round is revealed"
        return ""

    def _of_player(self, event: Event) -> str:
        """A player who comes, goes, changes money or disputes a round."""
        match event:
            case ev.SatDown():
                return does(self._name(event.player), f"sit down at seat {event.seat}")
            case ev.Left():
                return does(self._name(event.player), f"leave with {chip_amount(event.chips)}")
            case ev.LeftDuringRound():
                return does(self._name(event.player), "leave the table during the round")
            case ev.BoughtIn():
                return does(self._name(event.player), f"buy in for {chip_amount(event.cash)}")
            case ev.CashedOut():
                return does(self._name(event.player), f"cash out {chip_amount(event.chips)}")
            case ev.DisputeOpened():
                complaint = f"dispute round {event.round}: “{event.text}”"
                return does(self._name(event.player), f"{complaint} (dispute {event.number})")
            case ev.DisputeDecided():
                decision = f"dispute {event.number} is decided: “{event.decision}”"
                return f"{decision}, because “{event.reason}”"
            case ev.DisputeForwarded():
                return f"dispute {event.number} goes to the Commission: “{event.reason}”"
        return ""

    def _generic(self, event: Event) -> str:
        """Any other event: its title, the person, and its fields."""
        if isinstance(event, ev.TableDisabled):
            return "; ".join(map(str, event.orders))
        values = msgspec.structs.asdict(event)
        by = f" by {person_name(values['by'].id)}" if "by" in values else ""
        if "seat" in values:
            values["seat"] = self.who(values["seat"], values.pop("player", ""))
        money = {name for name, kind in type(event).__annotations__.items() if is_money(kind)}
        return listed(f"{title_of(type(event)).title}{by}", self._fields(values, money))

    # Fields

    def _fields(self, values: Mapping[str, Any], money: Iterable[str] = ()) -> Iterator[str]:
        """The fields of an event that are numbers or text."""
        for name, value in values.items():
            if name in UNLISTED or type(value) not in (int, str) or value in ("", HIDDEN):
                continue
            if name in money:
                yield f"{spaced(name)} {meter_amount(value)}"
            elif name == "wager":
                yield wager_title(self.game, value)
            elif name in ("card", "was"):
                yield f"{'was ' if name == 'was' else ''}{self.name_cards([value])}"
            elif name in ("reason", "text"):
                yield f"“{value}”"
            elif name == "seat":
                yield self.who(value) if type(value) is int else value
            elif name in ("deck", "device"):
                yield spaced(value)
            elif name == "player":
                yield self._name(value)
            else:
                yield f"{spaced(name)} {spaced(str(value))}"

    def who(self, seat: int, player: str = "") -> str:
        """A seat in a sentence: "you", "Ann", "seat 3", "the dealer"."""
        if not seat:
            return "the dealer"
        player = self.players.get(seat, player)
        if not player or list(self.players.values()).count(player) > 1:
            return f"seat {seat}"
        return self._name(player)

    def _name(self, player: str) -> str:
        """A player in a sentence: "you" or "Ann". Staff are never addressed."""
        return YOU if self.viewer.account == Account(player, "player") else person_name(player)

    def _stake(self, wager: str, stake: Cents) -> str:
        return f"{wager_title(self.game, wager)} {chip_amount(stake)}"

    def _cards_at(self, verb: str, cards: Sequence[str], places: Sequence[Slot]) -> str:
        """Cards by place, in dealing order; for a player, only the places with visible cards."""
        by_place: dict[Slot, list[str]] = {}
        for card, place in zip(cards, places, strict=True):
            by_place.setdefault(place, []).append(card)
        texts = []
        for place, at_place in by_place.items():
            hidden = all(card == HIDDEN for card in at_place)
            if hidden and self.viewer.account.role == "player":
                continue
            names = f"{len(at_place)} face down" if hidden else self.name_cards(at_place)
            board = "the board" if place == "community" else f"the {place}"
            texts.append(f"{self.who(place) if isinstance(place, int) else board}: {names}")
        return f"{verb} {'; '.join(texts)}" if texts else ""


def players_of(event: Event, players: Mapping[int, str]) -> set[str]:
    """The players who may see more of an event than others, or whom its sentence may address."""
    concerned = set()
    for name in personal_fields(type(event)):
        value = getattr(event, name)
        if name == "player":
            concerned.add(value)
        else:
            seats = value if name == "places" else (value,)
            concerned.update(players.get(seat, "") for seat in seats)
    return concerned - {""}


@cache
def personal_fields(kind: type[Event]) -> tuple[str, ...]:
    """The fields that name a player or a seat."""
    names = ("player", "seat", "holder", "place", "places")
    return tuple(name for name in names if name in kind.__struct_fields__)


def wager_title(game: Game, name: str) -> str:
    """The title of a wager as on the felt."""
    wager = game.wager(name)
    return wager.title if wager else spaced(name)


def spoken_cards(cards: Sequence[str]) -> str:
    """Cards as they are spoken: "king of diamonds, deuce of clubs"."""
    return ", ".join(
        "a card face down" if card == HIDDEN else f"{SINGULARS[card[0]]} of {SUITS[card[1]]}"
        for card in cards
    )


def does(who: str, predicate: str) -> str:
    """A subject with what it does: "you bet 4x", "Ann bets 4x"."""
    verb, space, rest = predicate.partition(" ")
    return f"{who} {verb if who == YOU else third_person(verb)}{space}{rest}"


def third_person(verb: str) -> str:
    """A verb with its ending: "bets", "finishes", "verifies", "pays"."""
    if verb.endswith(("sh", "ch", "ss", "x", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def whose(who: str) -> str:
    """The possessive: "your", "Ann's"."""
    return "your" if who == YOU else f"{who}'s"


def meter_amount(value: MeterText) -> str:
    """An amount that may have fractions of a cent: "$0.04", "0.5c"."""
    exact = Fraction(value)
    return chip_amount(exact.numerator) if exact.denominator == 1 else f"{float(exact):g}c"


def is_money(annotation: str) -> bool:
    """Whether the annotation of a field is an amount of money."""
    return annotation.split(" | ")[0] in ("Cents", "MeterText")


def cited_clauses(event: Event) -> tuple[str, ...]:
    """The clauses behind an event, first the one that decided it."""
    return tuple(dict.fromkeys(filter(None, (getattr(event, "clause", ""), *event.clauses))))


def spaced(name: str) -> str:
    """A name of the record in words: "shoe_jam" as "shoe jam"."""
    return name.replace("_", " ")


def listed(heading: str, fields: Iterable[str]) -> str:
    """A heading with its fields, if it has any."""
    return ": ".join(filter(None, (spaced(heading), ", ".join(fields))))
