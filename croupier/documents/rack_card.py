"""Rack card for players: one page with the rules, the odds and a short strategy."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from croupier.documents import patron_sentences
from croupier.documents.felt import inscriptions
from croupier.documents.filing.gaming_guide import steps_of_a_round
from croupier.documents.imprint import imprint
from croupier.documents.pdf import compile_pdf, query_template
from croupier.games import House, Street

if TYPE_CHECKING:
    from croupier.analysis import StrategyCost

WIDTH = 78  # columns of the text version
# Font sizes in points; the largest at which everything fits on one page is used.
SIZES = (12.0, 11.0, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5)


class StreetAdvice(msgspec.Struct, frozen=True):
    """Strategy of one street: actions with their conditions, and the action otherwise."""

    when: str
    answers: tuple[tuple[str, str], ...]
    otherwise: str


class RackCard(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a rack card."""

    title: str
    operator: str
    tagline: str
    rounds: tuple[str, ...]
    decided: tuple[tuple[str, str], ...]  # wagers, and the cards that decide them
    showdown: tuple[str, ...]
    odds: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    strategy: tuple[StreetAdvice, ...]
    cost: str
    digest: str

    def text(self) -> str:
        """The card as text."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield self.title.upper()
        yield from textwrap.wrap(self.tagline, WIDTH)
        yield from ("", "HOW TO PLAY")
        for number, sentence in enumerate(self.rounds, 1):
            yield from _hanging_indent(f"{number}. ", sentence)
        yield from ("", "WHICH CARDS COUNT")
        for titles, basis in self.decided:
            yield from _hanging_indent(f"{titles}: ", basis)
        yield from ("", "WHO WINS")
        for sentence in self.showdown:
            yield from textwrap.wrap(sentence, WIDTH)
        yield from ("", "STRATEGY")
        for play in self.strategy:
            yield f"{play.when}:"
            for answer, condition in play.answers:
                yield from _hanging_indent(f"  {answer}: ", condition)
            yield f"  otherwise {play.otherwise}"
        yield ""
        yield from textwrap.wrap(self.cost, WIDTH)
        for heading, lines in self.odds:
            yield from ("", heading.upper())
            yield from (f"{hand:<44}{pays:>20}" for hand, pays in lines)
        yield from ("", f"Rules Submission {self.digest[:16]}", imprint())

    def pdf(self) -> bytes:
        """The card as a one-page PDF in the largest font size that fits."""
        for size in SIZES:
            inputs = {"data": msgspec.json.encode({"size": size, "card": self}).decode()}
            if query_template("rack_card", inputs, "<pages>")[0] == 1:
                break
        return compile_pdf("rack_card", inputs)


def _hanging_indent(head: str, text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=head, subsequent_indent=" " * min(len(head), 6)
    )


def card(house: House, priced: StrategyCost) -> RackCard:
    """The rack card of a House with a priced strategy."""
    return RackCard(
        title=house.game.title,
        operator=house.operator,
        tagline=house.game.tagline,
        rounds=tuple(steps_of_a_round(house)),
        decided=decided_by(house),
        showdown=(*patron_sentences.showdown(house), *patron_sentences.limit(house)),
        odds=tuple((block.heading, block.lines) for block in inscriptions.odds(house)),
        strategy=tuple(_street_advice(street, priced) for street in house.game.streets),
        cost=cost_line(house, priced),
        digest=house.digest,
    )


def decided_by(house: House) -> tuple[tuple[str, str], ...]:
    """The cards that decide each wager; wagers that the same cards decide are combined."""
    titles: dict[str, list[str]] = {}
    for wager in patron_sentences.wager_descriptions(house):
        if wager.decided_by:
            titles.setdefault(wager.decided_by, []).append(wager.title)
    return tuple((", ".join(names), basis) for basis, names in titles.items())


def _street_advice(street: Street, priced: StrategyCost) -> StreetAdvice:
    """The strategy of a street; a last rule that always applies becomes the action otherwise."""
    lines = [line for line in priced.lines if line.street == street.name]
    *rules, rest = lines
    if rules and rules[-1].used and not rest.used:
        *rules, rest = rules
    answers: dict[str, list[str]] = {}
    for line in rules:
        answers.setdefault(_action(line.action), []).append(line.words or line.rule)
    when = street.when[0].upper() + street.when[1:]
    advice = tuple((answer, "; ".join(conditions)) for answer, conditions in answers.items())
    return StreetAdvice(when, advice, _action(rest.action).lower())


def _action(word: str) -> str:
    return f"Bet {word}" if word[:1].isdigit() else word.capitalize()


def cost_line(house: House, priced: StrategyCost) -> str:
    """The house edge of the strategy and its cost against perfect play."""
    edge, best = (100 * float(value) for value in (priced.house_edge, -priced.best_ev))
    ante = house.game.ante.title
    if priced.cost == 0:
        return f"This is perfect play: the house edge is {best:.2f}% of the {ante}."
    return (
        f"With this strategy the house edge is {edge:.2f}% of the {ante}; with perfect play, "
        f"which is too long for a card, it is {best:.2f}%. The difference is "
        f"{100 * float(priced.cost):.2f} cents for every dollar of the {ante}."
    )
