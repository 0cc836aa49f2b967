"""The printed odds for the naive replay, read from `tests.analysis.known_values.odds`.

PAYTABLES[game][wager][letter] is a list of lines (hand, unit, number); the first match applies.
"to 1": winnings per unit; "for 1": amount returned per unit; "percent of METER"; "dollars": a
fixed sum; "push": the stake. Wagers that always pay 1 to 1 are not listed.
"""

from fractions import Fraction

from tests.analysis.known_values import odds
from tests.table.scenario.scenario_shapes import Line


def read_line(printed: odds.Line) -> Line:
    """Return a printed line as hand, unit and number: `3 to 2` is 3/2 to 1."""
    pays = printed.pays.replace(",", "")
    if pays == "push":
        return printed.hand, "push", 0
    if pays.startswith("$"):
        return printed.hand, "dollars", int(pays[1:])
    number, word, rest = pays.split()
    if word == "of":
        return printed.hand, f"percent of {rest}", int(number.removesuffix("%"))
    return printed.hand, f"{word} 1", Fraction(int(number), int(rest))


PAYTABLES: dict[str, dict[str, dict[str, list[Line]]]] = {game: {} for game in odds.GAMES}
# Dollars by hand; ENVY[game]["A5"] is schedule A for a receiver who stakes $5.
ENVY: dict[str, dict[str, dict[str, int]]] = {game: {} for game in odds.GAMES}
for table in (table for game in odds.GAMES for table in odds.tables(game)):
    lines = [read_line(printed) for printed in table.lines]
    if table.wager == "envy":
        ENVY[table.game][table.letter] = {hand: int(dollars) for hand, _, dollars in lines}
    else:
        PAYTABLES[table.game].setdefault(table.wager, {})[table.letter] = lines

# Minimum initial and reset amount of every meter, in dollars; 0: the table has no such meter.
METER_MINIMUMS = {
    game: {
        letter: {floor.meter: floor.dollars for floor in floors if floor.dollars}
        for letter, floors in odds.floors(game)
    }
    for game in odds.GAMES
}
