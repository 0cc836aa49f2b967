"""The demonstration: plays and explains one round of each game without input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from croupier.cards import require_seen
from croupier.coach import SolvedGame
from croupier.games import Game, House, Street, catalogue
from croupier.money import dollars
from croupier.table import Event, Round, Shoe, Table
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.drivers.bots import choose_option
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler
from croupier.terminal.bankroll import BUY_IN
from croupier.terminal.bot_players import DEALER, YOU
from croupier.terminal.coach_thread import Solve
from croupier.terminal.dealer import practice_table
from croupier.terminal.io.output import Screen
from croupier.terminal.io.styled_text import EMPTY, Line, cite, line
from croupier.terminal.render import bet_slip, card_faces, narration
from croupier.terminal.render.felt_text import FeltView, felt_lines, hand_line
from croupier.terminal.render.rules_pages import clause_meaning

SEAT = 1
SEED = 8879
MAX_SIDE_WAGERS = 2  # keeps the transcript of a round short


def demonstrate(
    screen: Screen,
    seed: int,
    load_house: Callable[[Game], House],
    games: Sequence[Game] | None = None,
    solve: Solve | None = None,
) -> int:
    """Play and explain one seeded round of each game; returns the exit code.

    `solve` solves a game for perfect play; without it the player is a simple bot.
    """
    selected = games or catalogue()
    shuffler = Shuffler(seed)
    screen.show(introduction(len(selected), seed, best=solve is not None))
    for game in selected:
        screen.show(round_lines(load_house(game), shuffler.deck(), solve))
    command = ("croupier play", "strong")
    screen.show([line("End of the demonstration. To play, run ", command, " in a terminal.")])
    return 0


def introduction(count: int, seed: int, *, best: bool) -> Iterator[Line]:
    """What the demonstration shows."""
    what = f"one round of each of the {count} games" if count > 1 else "one round"
    yield line(("Croupier", "title"), f" plays {what}, dealt from seed {seed}.")
    if seed == SEED:
        yield line("The seed was chosen because a lot happens; most rounds are quieter.")
    if best:
        yield line("There is no keyboard input, so decisions are made by perfect play.")
        yield line("Each game is solved before its round; the first time takes a few seconds.")
    else:
        yield line("There is no keyboard input, so decisions are made by a simple bot.")
    yield line("The clause of the rules behind each step is in brackets, followed by a summary.")


def round_lines(house: House, deck: CommittedDeck, solve: Solve | None = None) -> Iterator[Line]:
    """A whole round from the bets to the net result."""
    game = house.game
    stakes = demonstration_stakes(house)
    cash = max(BUY_IN, 10 * sum(stakes.values()))
    table = practice_table(house, SEAT, cash)
    table.do(cmd.PlaceWagers(SEAT, stakes, YOU.id), YOU)
    closed = table.do(cmd.NoMoreBets(), DEALER)
    current = table.round
    assert current is not None
    yield EMPTY
    yield line((f"== {game.title} ==", "title"))
    yield line(game.tagline)
    yield from bet_lines(house, stakes)
    yield line(("Deck committed before the bets close: ", "quiet"), (deck.commitment[:24], "quiet"))
    yield from event_lines(closed, current)
    solved = solve(house, lambda progress, step: None) if solve is not None else None
    shoe = Shoe(deck.cards)
    events = list(shoe.advance(table, DEALER))
    while (street := current.street) is not None and table.due().kind == "decide":
        yield from event_lines(events, current)
        yield from decision_lines(table, current, street, solved)
        events = list(shoe.advance(table, DEALER))
    yield from ending_lines(events, table, current)
    left = dollars(table.book.rack(YOU.id))
    yield line((f"Your bankroll was {dollars(cash)} and is now {left}.", "quiet"))


def demonstration_stakes(house: House) -> bet_slip.Stakes:
    """Twice the minimum bets, a few side wagers and the progressive."""
    game = house.game
    stakes = bet_slip.minimum_stakes(house)
    doubled = bet_slip.with_ante(game, {}, 2 * stakes[game.ante.name])
    if bet_slip.is_accepted(house, doubled):
        stakes = doubled
    sides = [w for w in game.wagers if w.role == "optional" and house.offers(w.name)]
    progressives = [w for w in game.wagers if w.role == "progressive" and house.offers(w.name)]
    for wager in (*sides[:MAX_SIDE_WAGERS], *progressives):
        more = stakes | {wager.name: bet_slip.minimum_stake(house, wager)}
        if bet_slip.is_accepted(house, more):
            stakes = more
    return bet_slip.in_felt_order(game, stakes)


def bet_lines(house: House, stakes: bet_slip.Stakes) -> Iterator[Line]:
    """The bets with the clauses that allow them."""
    yield line(f"You bet {bet_slip.stakes_line(house, stakes)}.")
    clauses = dict.fromkeys(wager.clause for wager in house.game.wagers if wager.name in stakes)
    for clause in clauses:
        yield from clause_lines(house, clause)


def clause_lines(house: House, clause: str) -> Iterator[Line]:
    """The summary of a clause, indented."""
    # A losing wager cites its whole paytable, a heading without a summary.
    text = clause_meaning(house.game.key, clause) or "The paytable does not pay this hand."
    yield line(("    ", ""), cite(clause), (f" {text}", "quiet"))


def event_lines(events: Iterable[Event], current: Round) -> Iterator[Line]:
    """Events as sentences."""
    for event in events:
        if row := narration.event_line(event, current):
            yield row


def decision_lines(
    table: Table, current: Round, street: Street, solved: SolvedGame | None = None
) -> Iterator[Line]:
    """One decision with its options and the reason."""
    box = current.boxes[SEAT]
    word, reason = best_choice(solved, current) if solved else choose_option(current, street, box)
    hand = hand_line(current, SEAT)
    held = line(", ", *hand) if hand else EMPTY
    options = ", ".join(option.word for option in street.options)
    cards = card_faces.flat_cards(require_seen(box.cards))
    yield line("You hold ", *cards, *held, f"; {street.when}: {options}.")
    events = table.do(cmd.Decide(SEAT, word), YOU)
    for row in event_lines(events, current):
        yield line("  ", *row, (f" Reason: {reason}.", "quiet"))
        reason = "other wagers still need the cards"
    option = street.option(word)
    if option:
        yield from clause_lines(table.house, option.clause)


def best_choice(solved: SolvedGame, current: Round) -> tuple[str, str]:
    """The best option, and its advantage over the next best."""
    first, *others = solved.rank_options(current, SEAT)
    if not others:
        return first.option, "the only option"
    ante = current.boxes[SEAT].stakes[current.game.ante.name]
    gain = round((first.ev - others[0].ev) * ante)
    more = f"worth {dollars(gain)} more than" if gain else "as good as"
    return first.option, f"{more} {others[0].option}"


def ending_lines(events: Sequence[Event], table: Table, current: Round) -> Iterator[Line]:
    """The last cards, the felt, and the settlement with its clauses."""
    house = table.house
    yield from event_lines(events, current)
    view = FeltView(seat=SEAT, chips=table.book.rack(YOU.id), meters=table.displayed)
    yield from felt_lines(current, view)
    explained: set[str] = set()
    for event in events:
        yield from narration.settlement_line(event, current)
        if isinstance(event, ev.WagerSettled) and event.clause not in explained:
            explained.add(event.clause)
            yield from clause_lines(house, event.clause)
    yield from narration.net_lines(current)
