"""The rules as a player asks for them: streets, clauses, limits and what every wager pays.

Nothing is restated here: texts come from the rule book, odds from the posted paytables or, for
wagers without one, from the settlement of the House itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from croupier import rulebook
from croupier.errors import Unknown
from croupier.games import House, Street, Wager, title
from croupier.games.odds import contest_odds, posted
from croupier.money import Pays, dollars, down_to_cent
from croupier.rulebook import PaytableLine as PayLine
from croupier.terminal.io.styled_text import Line, chips, cite, line, listed

WIDE_ROW = 66  # columns that a row of a paytable with its clause takes
_READING = re.compile(r"A\d+")


def meaning(game: str, id: str) -> str:
    """What a cited clause says in our words; of a reading, what is followed by default."""
    try:
        if found := rulebook.readings(game or None).get(id):
            return f"{found.title}: {found.readings[found.default]}"
        return rulebook.clause(game, id).summary
    except Unknown:
        return ""


def written(game: rulebook.DocumentRef, id: str) -> str:
    """A clause id as its document writes it, whatever the case it was typed in."""
    for clause in rulebook.clauses(game):
        known = clause.id
        if f"{known.lower()}.".startswith(f"{id.lower()}."):
            return known[: len(id)]
    return id


def explain(house: House, id: str) -> Iterator[Line]:
    """A clause and those below it, or a reading with its alternatives."""
    game = house.game.document
    id = written(game, id)
    if id.upper() in rulebook.readings(game) or _READING.fullmatch(id.upper()):
        found = rulebook.reading(id.upper(), game)
        yield line((f"{found.id} {found.title}", "title"))
        yield line(found.question)
        for letter, text in found.readings.items():
            here = "  (followed unless the operator chose)" if letter == found.default else ""
            yield line(f"  {letter}  {text}{here}")
        return
    for clause in rulebook.clauses_under(game, id):
        yield line(cite(clause.id), f" {clause.summary}")
    for found in rulebook.readings_of(game, id):
        yield line((f"  unclear: {found.id} {found.title}", "quiet"))


def street_rules(house: House, street: Street) -> Iterator[Line]:
    """What may be done on a street and why, then what the wagers pay."""
    game = house.game
    yield line((f"{street.when.capitalize()}: {choices_of(street)}", "title"))
    cited = {street.clause, *(option.clause for option in street.options)}
    for clause in rulebook.clauses(game.document):
        if any(clause.id == id or clause.id.startswith(f"{id}.") for id in cited):
            yield line("  ", cite(clause.id), f" {clause.summary}")
    unclear = {found.id: found for id in cited for found in rulebook.readings_of(game.document, id)}
    if unclear:
        ids = [id for id in rulebook.readings(game.document) if id in unclear]
        yield line((f"  Unclear places settled by readings: {', '.join(ids)}.", "quiet"))
    yield line(("What the wagers pay", "title"))
    for wager in game.wagers:
        if house.offers(wager.name):
            yield line(f"  {wager.title}: {in_short(house, wager)}")
    yield line(("Type ? and a clause, such as ? " + street.clause + ", to read it.", "quiet"))


def whole_game(house: House, meters: Mapping[str, Fraction], width: int = 80) -> Iterator[Line]:
    """The game from the first bet to the last payment, for somebody who has never seen it."""
    game = house.game
    yield line((game.title, "title"))
    yield line(game.tagline)
    dealer = f", the dealer {game.dealer_cards}" if game.dealer_cards else "; the dealer has none"
    board = f", and {game.community_cards} lie for everybody" if game.community_cards else ""
    yield line(f"Every player is dealt {game.player_cards} cards{dealer}{board}.")
    yield line(("What you may bet before the deal", "title"))
    for wager in game.wagers:
        if wager.role != "decision" and house.offers(wager.name):
            looks = f", on {wager.judged_on(house).words}" if wager.judged_on else ""
            text = f"  {wager.title}: {limit_of(house, wager)}{looks} "
            yield line(text, cite(wager.clause))
    yield line(("What you decide", "title"))
    for street in game.streets:
        yield line(f"  {street.when.capitalize()}: {choices_of(street)} ", cite(street.clause))
    yield line(("What is paid", "title"))
    yield from paytables(house, meters, width=width)
    yield line(("During a round ? explains the decision before you.", "quiet"))


def choices_of(street: Street) -> str:
    """ "check, 3x or 4x"."""
    return listed([option.word for option in street.options])


def in_short(house: House, wager: Wager) -> str:
    """A wager's payouts in one sentence."""
    table = posted(house, wager.name)
    if table:
        return ", ".join(f"{title(row.hand)} {row.pays}" for row in table)
    return "; ".join(contest_words(house, wager.name))


def contest_words(house: House, wager: str) -> list[str]:
    """Each clause that pays a wager without a paytable: "1 to 1 [12.A]"."""
    return [f"{_span_of(found)} [{clause}]" for clause, found in contest_odds(house, wager).items()]


def _span_of(found: Sequence[Pays]) -> str:
    return str(found[0]) if len(found) == 1 else f"{found[0]} up to {found[-1]}"


def paytables(
    house: House, meters: Mapping[str, Fraction], only: str = "", width: int = 80
) -> Iterator[Line]:
    """Every posted paytable with its clauses, the meters at what they hold now."""
    game = house.game
    # A table that several wagers share has no spot of its own: the runs of Run 'Em Twice.
    shared = [name for name in game.fixed_paytables if game.wager(name) is None]
    named = [(wager.name, wager.title) for wager in game.wagers if house.offers(wager.name)]
    for name, heading in [*named, *((name, name.capitalize()) for name in shared)]:
        if only and name != only:
            continue
        rows = house.paytable(name).lines if name in shared else posted(house, name)
        if rows:
            yield line((heading, "title"), " ", cite(house.paytable(name).clause))
            yield from (_row(row, meters, width) for row in rows)
        else:
            pays = contest_words(house, name)
            yield line((heading, "title"), f" wins {listed(pays, 'or')}")
    schedule = house.envy_paytable()
    if schedule is not None and not only:
        yield line(("Envy bonus, for another player's hand", "title"), " ", cite(schedule.clause))
        yield from (_row(row, meters, width) for row in schedule.lines)
    if house.payout_limit is not None and game.limit is not None and not only:
        text = f"One box wins at most {dollars(house.payout_limit)} a round. "
        yield line(text, cite(game.limit.clause))


def _row(row: PayLine, meters: Mapping[str, Fraction], width: int) -> Line:
    worth = ""
    if row.pays.unit == "percent" and row.pays.meter in meters:
        worth = f" = {dollars(down_to_cent(meters[row.pays.meter] * row.pays.win / 100))}"
    hand = title(row.hand)
    if width < WIDE_ROW:  # the clauses are left to wider screens
        pays = f"{row.pays}{worth}"
        return line(f" {hand:<{max(1, width - len(pays) - 2)}} ", (pays, "chips"))
    return line(f"  {hand:<40} ", (f"{row.pays}{worth}".ljust(14), "chips"), " ", cite(row.clause))


def limit_of(house: House, wager: Wager) -> str:
    """How much may be put on a wager before the deal."""
    if wager.role == "matching":
        return f"equals the {house.game.ante.title}"
    if wager.role == "progressive" and house.progressive is not None:
        return f"{chips(house.progressive.stake)}, on or off"
    limits = house.limits.get(wager.name)
    if limits is None:
        return "any amount"
    if limits.minimum == limits.maximum:
        return f"{chips(limits.minimum)} exactly"
    most = "up" if limits.maximum is None else f"to {chips(limits.maximum)}"
    return f"{chips(limits.minimum)} {most}"
