"""The demonstration: one round of each game, played and explained without anybody answering."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from croupier.cards import all_seen
from croupier.coach import Best
from croupier.games import Game, House, Street, catalogue
from croupier.money import dollars
from croupier.table import Event, Round, Shoe, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler
from croupier.terminal import bot_players
from croupier.terminal.bankroll import BUY_IN
from croupier.terminal.bot_players_people import DEALER, YOU
from croupier.terminal.coach_thread import Solve
from croupier.terminal.dealer import seated
from croupier.terminal.io.output import Screen
from croupier.terminal.io.styled_text import EMPTY, Line, cite, line
from croupier.terminal.render import bet_slip, card_faces, narration
from croupier.terminal.render.felt_text import View, felt, hand_line
from croupier.terminal.render.rules_pages import meaning

SEAT = 1
SEED = 8879
SIDE_WAGERS = 2  # so many of them, so that a round stays short enough to read


def demonstrate(
    screen: Screen,
    seed: int,
    house_of: Callable[[Game], House],
    games: Sequence[Game] | None = None,
    solve: Solve | None = None,
) -> int:
    """Play and explain one seeded round of each game; the exit status.

    `solve` works out the best play, which then decides; without it a simple player does.
    """
    shown = games or catalogue()
    shuffler = Shuffler(seed)
    screen.show(introduction(len(shown), seed, best=solve is not None))
    for game in shown:
        screen.show(round_lines(house_of(game), shuffler.deck(), solve))
    screen.show(
        [line("That was the demonstration. Run ", ("croupier play", "strong"), " in a terminal.")]
    )
    return 0


def introduction(count: int, seed: int, *, best: bool) -> Iterator[Line]:
    """What is going to be shown, and why nobody is asked."""
    what = "one round of each of the five games" if count > 1 else "one round"
    yield line(("Croupier", "title"), f" demonstrates {what}, dealt from seed {seed}.")
    if seed == SEED:
        yield line("The seed was picked because much happens in it; most rounds are quieter.")
    if best:
        yield line("Nobody is at the keyboard, so the best play decides. Each game is worked out")
        yield line("before its round, which takes some seconds the first time.")
    else:
        yield line("Nobody is at the keyboard, so a simple player decides.")
    yield line("In brackets stands the clause of the game's rules behind each step; its meaning")
    yield line("is in our own words.")


def round_lines(house: House, deck: CommittedDeck, solve: Solve | None = None) -> Iterator[Line]:
    """A whole round told from the bets to the net."""
    game = house.game
    stakes = demonstration_stakes(house)
    cash = max(BUY_IN, 10 * sum(stakes.values()))
    table = seated(house, SEAT, cash)
    table.do(cmd.PlaceWagers(SEAT, stakes, YOU.id), YOU)
    closed = table.do(cmd.NoMoreBets(), DEALER)
    current = table.round
    assert current is not None
    yield EMPTY
    yield line((f"== {game.title} ==", "title"))
    yield line(game.tagline)
    yield from bet_lines(house, stakes)
    yield line(("Deck committed before the bets close: ", "quiet"), (deck.commitment[:24], "quiet"))
    yield from tellings(closed, current)
    best = solve(house, lambda share, doing: None) if solve is not None else None
    shoe = Shoe(deck.cards)
    events = list(shoe.advance(table, DEALER))
    while (street := current.street) is not None and table.due().kind == "decide":
        yield from tellings(events, current)
        yield from decision(table, current, street, best)
        events = list(shoe.advance(table, DEALER))
    yield from ending(events, table, current)
    left = dollars(table.book.rack(YOU.id))
    yield line((f"The bankroll of {dollars(cash)} is now {left}.", "quiet"))


def demonstration_stakes(house: House) -> bet_slip.Stakes:
    """Twice the smallest compulsory bets, a few side wagers and the progressive."""
    game = house.game
    stakes = bet_slip.smallest(house)
    doubled = bet_slip.with_ante(game, {}, 2 * stakes[game.ante.name])
    if bet_slip.accepted(house, doubled):
        stakes = doubled
    sides = [w for w in game.wagers if w.role == "optional" and house.offers(w.name)]
    chosen = [w for w in game.wagers if w.role == "progressive" and house.offers(w.name)]
    for wager in (*sides[:SIDE_WAGERS], *chosen):
        more = stakes | {wager.name: bet_slip.least(house, wager)}
        if bet_slip.accepted(house, more):
            stakes = more
    return bet_slip.ordered(game, stakes)


def bet_lines(house: House, stakes: bet_slip.Stakes) -> Iterator[Line]:
    """The bets, each with what the rules say of it."""
    yield line(f"You bet {bet_slip.in_one_line(house, stakes)}.")
    explained = dict.fromkeys(wager.clause for wager in house.game.wagers if wager.name in stakes)
    for clause in explained:
        yield from why(house, clause)


def why(house: House, clause: str) -> Iterator[Line]:
    """A clause in our words, set off from what it explains."""
    # A wager that loses cites its whole table, a heading that has no words of its own.
    text = meaning(house.game.key, clause) or "No line of the posted paytable covers the hand."
    yield line(("    ", ""), cite(clause), (f" {text}", "quiet"))


def tellings(events: Iterable[Event], current: Round) -> Iterator[Line]:
    """What the dealer did."""
    for event in events:
        if told := narration.tell(event, current):
            yield told


def decision(
    table: Table, current: Round, street: Street, best: Best | None = None
) -> Iterator[Line]:
    """One decision, the options it was chosen from and the reason."""
    box = current.boxes[SEAT]
    word, reason = (
        chosen_by(best, current) if best else bot_players.choose_option(current, street, box)
    )
    said = hand_line(current, SEAT)
    held = line(", ", *said) if said else EMPTY
    offered = ", ".join(option.word for option in street.options)
    yield line(
        "You hold ", *card_faces.flat(all_seen(box.cards)), *held, f"; {street.when}: {offered}."
    )
    events = table.do(cmd.Decide(SEAT, word), YOU)
    for told in tellings(events, current):
        yield line("  ", *told, (f" Reason: {reason}.", "quiet"))
        reason = "live wagers need the cards"
    option = street.option(word)
    if option:
        yield from why(table.house, option.clause)


def chosen_by(best: Best, current: Round) -> tuple[str, str]:
    """The best option, and how much more it is worth than the next."""
    first, *others = best.answers(current, SEAT)
    if not others:
        return first.option, "nothing else is offered"
    ante = current.boxes[SEAT].stakes[current.game.ante.name]
    gain = round((first.ev - others[0].ev) * ante)
    more = f"worth {dollars(gain)} more than" if gain else "as good as"
    return first.option, f"{more} {others[0].option}"


def ending(events: Sequence[Event], table: Table, current: Round) -> Iterator[Line]:
    """The cards that came last, the felt and the settlement with its reasons."""
    house = table.house
    yield from tellings(events, current)
    view = View(seat=SEAT, purse=table.book.rack(YOU.id), meters=table.displayed)
    yield from felt(current, view)
    explained: set[str] = set()
    for event in events:
        yield from narration.settlement_line(event, current)
        if isinstance(event, ev.WagerSettled) and event.clause not in explained:
            explained.add(event.clause)
            yield from why(house, event.clause)
    yield from narration.nets(current)
