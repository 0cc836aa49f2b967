"""The player's rack card: one page with the rules, the odds, and how to play in a few words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from croupier.documents.felt import inscriptions
from croupier.documents.filing.gaming_guide import steps_of_a_round
from croupier.documents.pdf import compiled, queried
from croupier.games import House, Street

if TYPE_CHECKING:
    from croupier.analysis import StrategyCost

WIDTH = 78  # columns of the card as text
# Points, the largest that leaves everything on one page.
SIZES = (12.0, 11.0, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5)


class StreetAdvice(msgspec.Struct, frozen=True):
    """How to play one street: the answers with their conditions, and what to do otherwise."""

    when: str
    answers: tuple[tuple[str, str], ...]
    otherwise: str


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """What a rack card says."""

    title: str
    operator: str
    tagline: str
    rounds: tuple[str, ...]
    odds: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    strategy: tuple[StreetAdvice, ...]
    cost: str
    digest: str

    def text(self) -> str:
        """The card for a terminal."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield self.title.upper()
        yield from textwrap.wrap(self.tagline, WIDTH)
        yield from ("", "HOW A ROUND GOES")
        for at, sentence in enumerate(self.rounds, 1):
            yield from _hung(f"{at}. ", sentence)
        yield from ("", "HOW TO PLAY")
        for play in self.strategy:
            yield f"{play.when}:"
            for answer, condition in play.answers:
                yield from _hung(f"  {answer}: ", condition)
            yield f"  otherwise {play.otherwise}"
        yield ""
        yield from textwrap.wrap(self.cost, WIDTH)
        for heading, lines in self.odds:
            yield from ("", heading.upper())
            yield from (f"{hand:<44}{pays:>20}" for hand, pays in lines)
        yield from ("", f"Rules Submission {self.digest[:16]}")

    def pdf(self) -> bytes:
        """One page, in the largest letters with which everything fits."""
        for size in SIZES:
            inputs = {"data": msgspec.json.encode({"size": size, "card": self}).decode()}
            if queried("card", inputs, "<pages>")[0] == 1:
                break
        return compiled("card", inputs)


def _hung(head: str, text: str) -> list[str]:
    """A paragraph whose further lines stand under its first word."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=head, subsequent_indent=" " * min(len(head), 6)
    )


def card(house: House, priced: StrategyCost) -> Card:
    """The rack card of a House with a strategy that was priced under it."""
    return Card(
        title=house.game.title,
        operator=house.operator,
        tagline=house.game.tagline,
        rounds=tuple(steps_of_a_round(house)),
        odds=tuple((block.heading, block.lines) for block in inscriptions.odds(house)),
        strategy=tuple(_play(street, priced) for street in house.game.streets),
        cost=cost_line(house, priced),
        digest=house.digest,
    )


def _play(street: Street, priced: StrategyCost) -> StreetAdvice:
    """A street's lines in words; a last line that holds always says what to do otherwise."""
    lines = [line for line in priced.lines if line.street == street.name]
    *rules, rest = lines
    if rules and rules[-1].used and not rest.used:
        *rules, rest = rules
    answers: dict[str, list[str]] = {}
    for line in rules:
        answers.setdefault(_answer(line.action), []).append(line.words or line.rule)
    when = street.when[0].upper() + street.when[1:]
    told = tuple((answer, "; ".join(said)) for answer, said in answers.items())
    return StreetAdvice(when, told, _answer(rest.action).lower())


def _answer(word: str) -> str:
    return f"Bet {word}" if word[:1].isdigit() else word.capitalize()


def cost_line(house: House, priced: StrategyCost) -> str:
    """What following the strategy costs, exactly priced, against perfect play."""
    edge, best = (100 * float(value) for value in (priced.house_edge, -priced.best_ev))
    ante = house.game.ante.title
    if priced.cost == 0:
        return f"This is perfect play: the house keeps {best:.2f} % of one {ante} on average."
    return (
        f"Played like this the house keeps {edge:.2f} % of one {ante} on average; under perfect "
        f"play, which no card can hold, {best:.2f} %. The difference is "
        f"{100 * float(priced.cost):.2f} cents for every dollar of the {ante}."
    )
