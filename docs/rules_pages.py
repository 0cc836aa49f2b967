"""A page of rules for each game, in our words: `make docs` writes them into docs/rules.

Nothing is stated here. Wagers, streets and odds come from the game, sentences from the rule book.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.games import CATALOGUE, Game, House, Street, title
from croupier.games.odds import schedules
from croupier.rulebook import clauses, letters, readings
from croupier.submission import example

GENERATED = "<!-- Written by `make docs`; change the rule book or the game instead. -->"


def pages() -> dict[str, str]:
    """The page of every game by its file name."""
    return {f"{game.key}.md": "\n".join(page(game)) + "\n" for game in CATALOGUE}


def page(game: Game) -> Iterator[str]:
    """One game: what is bet, how a round goes, what is paid, what is unclear, every clause."""
    house = example(game.key)
    yield f"# {game.title}"
    yield ""
    yield GENERATED
    yield ""
    yield game.tagline
    yield ""
    yield f"![The felt](../pictures/felt_{game.key}.svg)"
    yield ""
    yield from wagers(game, house)
    yield from streets(game)
    yield from payouts(house)
    yield from unclear(game)
    yield from every_clause(game)


def wagers(game: Game, house: House) -> Iterator[str]:
    """The betting spots."""
    yield "## What is bet"
    yield ""
    yield "| wager | when | judged on | paytables | clause |"
    yield "| --- | --- | --- | --- | --- |"
    for wager in game.wagers:
        judged = wager.judged_on(house).words if wager.judged_on else ""
        known = ", ".join(letters(game.document, wager.name))
        yield f"| {wager.title} | {when(game, wager.name)} | {judged} | {known} | {wager.clause} |"
    yield ""


def when(game: Game, name: str) -> str:
    """When a wager is made."""
    wager = game.wager(name)
    assert wager is not None
    if wager.role == "decision":
        moments = [street.when for street in game.streets if makes(street, name)]
        return ", ".join(moments)
    words = {"ante": "opens the box", "matching": f"equals the {game.ante.title}"}
    return words.get(wager.role, "before the deal, if you like")


def makes(street: Street, name: str) -> bool:
    """Whether one of the options of a street puts down this wager."""
    return any(option.wager == name for option in street.options)


def streets(game: Game) -> Iterator[str]:
    """The decisions in their order."""
    yield "## How a round goes"
    yield ""
    dealer = f"the dealer {game.dealer_cards}" if game.dealer_cards else "the dealer none"
    yield f"Each player gets {game.player_cards} cards, {dealer};"
    yield f"{game.community_cards or 'no'} community cards lie for everybody."
    yield ""
    for number, street in enumerate(game.streets, 1):
        words = ", ".join(f"`{option.word}` [{option.clause}]" for option in street.options)
        shown = f", with {street.shown} community cards up" if street.shown else ""
        yield f"{number}. {street.when.capitalize()}{shown}: {words}."
    yield ""


def payouts(house: House) -> Iterator[str]:
    """What every wager pays, under the paytables of the example."""
    yield "## What is paid"
    yield ""
    yield "Under the paytables that our example submission chooses."
    for schedule in schedules(house):
        letter = house.letters.get(schedule.name, "")
        yield ""
        yield f"### {schedule.title}{f', paytable {letter}' if letter else ''}"
        yield ""
        yield "| hand | pays | clause |"
        yield "| --- | --- | --- |"
        for line in schedule.lines:
            hand = title(line.hand) if line.hand else "every win"
            yield f"| {hand} | {line.pays} | {line.clause} |"
    yield ""


def unclear(game: Game) -> Iterator[str]:
    """The readings that touch this game."""
    yield "## Where the document is unclear"
    yield ""
    yield "| reading | question | followed |"
    yield "| --- | --- | --- |"
    for reading in readings(game.document).values():
        if game.key in reading.games:
            followed = reading.readings.get(reading.default, "must be stated by the operator")
            yield f"| {reading.id} | {cell(reading.question)} | {cell(followed)} |"
    yield ""


def every_clause(game: Game) -> Iterator[str]:
    """All clauses by chapter."""
    yield "## Every clause"
    chapter = ""
    for clause in clauses(game.document):
        if clause.id.split(".")[0] != chapter:
            chapter = clause.id.split(".")[0]
            yield ""
            yield f"### Chapter {chapter}"
            yield ""
        yield f"- **{clause.id}** {clause.summary}"


def cell(text: str) -> str:
    """Text that does not end a cell of a table."""
    return text.replace("|", "\\|")
