"""Pages of rules for players: streets, clauses, limits and paytables.

Texts come from the rule book. Odds come from the posted paytables or, for wagers without one, from
the settlement of the House.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from croupier import rulebook
from croupier.errors import Unknown
from croupier.games import House, Street, Wager, title
from croupier.games.odds import paytable_lines, settlement_odds
from croupier.money import Pays, chip_amount, dollars, down_to_cent
from croupier.rulebook import PaytableLine as PayLine
from croupier.terminal.io.styled_text import Line, cite, line
from croupier.wording import join_words

WIDE_ROW = 66  # columns that a row of a paytable with its clause takes
_READING = re.compile(r"A\d+")


def clause_meaning(game: str, id: str) -> str:
    """The summary of a clause, or the default interpretation of a reading; "" if unknown."""
    try:
        if reading := rulebook.readings(game or None).get(id):
            return f"{reading.title}: {reading.readings[reading.default]}"
        return rulebook.clause(game, id).summary
    except Unknown:
        return ""


def spelled_id(game: rulebook.DocumentRef, id: str) -> str:
    """A clause id in the spelling of its document, from any case."""
    for clause in rulebook.clauses(game):
        if f"{clause.id.lower()}.".startswith(f"{id.lower()}."):
            return clause.id[: len(id)]
    return id


def explain_clause(house: House, id: str) -> Iterator[Line]:
    """A clause and its subclauses, or a reading with its alternatives.

    Raises Unknown for an unknown id.
    """
    game = house.game.document
    id = spelled_id(game, id)
    if id.upper() in rulebook.readings(game) or _READING.fullmatch(id.upper()):
        reading = rulebook.reading(id.upper(), game)
        yield line((f"{reading.id} {reading.title}", "title"))
        yield line(reading.question)
        for letter, text in reading.readings.items():
            default = "  (default)" if letter == reading.default else ""
            yield line(f"  {letter}  {text}{default}")
        return
    for clause in rulebook.clauses_under(game, id):
        yield line(cite(clause.id), f" {clause.summary}")
    for reading in rulebook.readings_of(game, id):
        yield line((f"  unclear: {reading.id} {reading.title}", "quiet"))


def street_rules(house: House, street: Street) -> Iterator[Line]:
    """The options of a street with their clauses, then what the wagers pay."""
    game = house.game
    yield line((f"{street.when.capitalize()}: {options_text(street)}", "title"))
    cited = {street.clause, *(option.clause for option in street.options)}
    for clause in rulebook.clauses(game.document):
        if any(clause.id == id or clause.id.startswith(f"{id}.") for id in cited):
            yield line("  ", cite(clause.id), f" {clause.summary}")
    unclear = {item.id for id in cited for item in rulebook.readings_of(game.document, id)}
    if unclear:
        ids = [id for id in rulebook.readings(game.document) if id in unclear]
        yield line((f"  Unclear rules, decided by readings: {', '.join(ids)}.", "quiet"))
    yield line(("Payouts", "title"))
    for wager in game.wagers:
        if house.offers(wager.name):
            yield line(f"  {wager.title}: {pays_sentence(house, wager)}")
    yield line((f"Type ? and a clause to read it, for example ? {street.clause}", "quiet"))


def whole_game(house: House, meters: Mapping[str, Fraction], width: int = 80) -> Iterator[Line]:
    """The game from the first bet to the last payout, for new players."""
    game = house.game
    yield line((game.title, "title"))
    yield line(game.tagline)
    dealer = f"{game.dealer_cards} cards" if game.dealer_cards else "no cards"
    board = f" There are {game.community_cards} community cards." if game.community_cards else ""
    yield line(f"Each player gets {game.player_cards} cards, the dealer {dealer}.{board}")
    yield line(("Bets before the deal", "title"))
    for wager in game.wagers:
        if wager.role != "decision" and house.offers(wager.name):
            basis = f", on {wager.judged_on(house).words}" if wager.judged_on else ""
            text = f"  {wager.title}: {limit_text(house, wager)}{basis} "
            yield line(text, cite(wager.clause))
    yield line(("Your decisions", "title"))
    for street in game.streets:
        yield line(f"  {street.when.capitalize()}: {options_text(street)} ", cite(street.clause))
    yield line(("Payouts", "title"))
    yield from paytables(house, meters, width=width)
    yield line(("During a round, ? explains your current decision.", "quiet"))


def options_text(street: Street) -> str:
    """ "check, 3x or 4x"."""
    return join_words([option.word for option in street.options])


def pays_sentence(house: House, wager: Wager) -> str:
    """The payouts of a wager in one line."""
    table = paytable_lines(house, wager.name)
    if table:
        return ", ".join(f"{title(row.hand)} {row.pays}" for row in table)
    return "; ".join(contest_words(house, wager.name))


def contest_words(house: House, wager: str) -> list[str]:
    """The payouts of a wager without a paytable, by clause: "1 to 1 [12.A]"."""
    return [f"{_range(pays)} [{clause}]" for clause, pays in settlement_odds(house, wager).items()]


def _range(pays: Sequence[Pays]) -> str:
    return str(pays[0]) if len(pays) == 1 else f"{pays[0]} up to {pays[-1]}"


def paytables(
    house: House, meters: Mapping[str, Fraction], only: str = "", width: int = 80
) -> Iterator[Line]:
    """The posted paytables with their clauses and the current meters; `only` selects a wager."""
    game = house.game
    # A paytable shared by several wagers is not a wager, for example one for two runs.
    shared = [name for name in game.fixed_paytables if game.wager(name) is None]
    wagers = [(wager.name, wager.title) for wager in game.wagers if house.offers(wager.name)]
    for name, heading in [*wagers, *((name, name.capitalize()) for name in shared)]:
        if only and name != only:
            continue
        rows = house.paytable(name).lines if name in shared else paytable_lines(house, name)
        if rows:
            yield line((heading, "title"), " ", cite(house.paytable(name).clause))
            yield from (_row(row, meters, width) for row in rows)
        else:
            pays = contest_words(house, name)
            yield line((heading, "title"), f" wins {join_words(pays, 'or')}")
    schedule = house.envy_paytable()
    if schedule is not None and not only:
        yield line(("Envy bonus for another player's hand", "title"), " ", cite(schedule.clause))
        yield from (_row(row, meters, width) for row in schedule.lines)
    if house.payout_limit is not None and game.limit is not None and not only:
        text = f"Maximum payout: {dollars(house.payout_limit)} per hand. "
        yield line(text, cite(game.limit.clause))


def _row(row: PayLine, meters: Mapping[str, Fraction], width: int) -> Line:
    worth = ""
    if row.pays.unit == "percent" and row.pays.meter in meters:
        worth = f" = {dollars(down_to_cent(meters[row.pays.meter] * row.pays.win / 100))}"
    hand = title(row.hand)
    if width < WIDE_ROW:  # no columns left for the clause
        pays = f"{row.pays}{worth}"
        return line(f" {hand:<{max(1, width - len(pays) - 2)}} ", (pays, "chips"))
    return line(f"  {hand:<40} ", (f"{row.pays}{worth}".ljust(14), "chips"), " ", cite(row.clause))


def limit_text(house: House, wager: Wager) -> str:
    """The limits of a wager before the deal."""
    if wager.role == "matching":
        return f"equals the {house.game.ante.title}"
    if wager.role == "progressive" and house.progressive is not None:
        return f"{chip_amount(house.progressive.stake)}, on or off"
    limits = house.limits.get(wager.name)
    if limits is None:
        return "any amount"
    if limits.minimum == limits.maximum:
        return f"{chip_amount(limits.minimum)} exactly"
    most = "up" if limits.maximum is None else f"to {chip_amount(limits.maximum)}"
    return f"{chip_amount(limits.minimum)} {most}"
