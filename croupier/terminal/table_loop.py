"""One player at one table: bets, decisions, settlement, round after round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.coach import decision_at, find_close_deck
from croupier.coach.coach_messages import OptionValue
from croupier.coach.phrases import compare_to_best, signed_dollars
from croupier.errors import BadInput, CroupierError
from croupier.games import Option, Street
from croupier.money import Cents, chip_amount, dollars
from croupier.table import Account, Event, Round, Shoe, Table
from croupier.table import commands as cmd
from croupier.table.drivers.bots import COMPANIONS, choose_option, passive_option
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler
from croupier.table.drivers.simulated_staff import step_phrase
from croupier.table.event_text import wager_title
from croupier.terminal.bankroll import BUY_IN, Bankroll
from croupier.terminal.bot_players import YOU, bot_stakes, chips_needed
from croupier.terminal.coach_thread import CoachThread
from croupier.terminal.dealer import TableDealer
from croupier.terminal.io import input_parser
from croupier.terminal.io.prompt import QUIT_KEY, RULES_KEYS, PlayerLeft, PromptKey, TextInterface
from croupier.terminal.io.styled_text import Line, cite, line
from croupier.terminal.render import bet_slip, narration
from croupier.terminal.render.felt_text import FeltView, felt_lines
from croupier.wording import join_words

MAX_STAFF_STEPS = 4  # shown in one line


class TableSession:
    """The player's session at one table, with one or more seats, and bots at other seats.

    Chips are only counted by the table; the bankroll is updated after every round.
    """

    def __init__(
        self,
        dealer: TableDealer,
        *,
        ui: TextInterface,
        bankroll: Bankroll,
        shuffler: Shuffler,
        seats: Sequence[int] = (1,),
        players: int = 0,
        coach: CoachThread | None = None,
        drill: bool = False,
        remember_meters: bool = True,
    ) -> None:
        self.dealer = dealer
        self.house = dealer.table.house
        self.ui = ui
        self.bankroll = bankroll
        self.shuffler = shuffler
        self.seats = tuple(sorted(set(seats)))
        self.coach = coach
        self.drill = drill
        self.remember_meters = remember_meters
        free = [seat for seat in range(1, self.house.positions + 1) if seat not in self.seats]
        self.bots = dict(zip(free[:players], COMPANIONS))
        self.stakes = self._first_stakes()
        if coach is not None:
            coach.start(self.house)
        self.deck = self._next_deck()
        self.committed = self.deck.commitment
        self.last: tuple[str, CommittedDeck] | None = None  # commitment and deck of the last round
        self.messages: list[Line] = []

    @property
    def table(self) -> Table:
        """The current table."""
        return self.dealer.table

    @property
    def home(self) -> int:
        """The seat the player sits at; other boxes are additional hands."""
        return self.seats[0]

    @property
    def chips(self) -> Cents:
        """The player's chips, without those on the felt."""
        return self.table.book.rack(YOU.id)

    # Sitting down and leaving.

    def sit_down(self) -> None:
        """Seat the player with the whole bankroll, and the bots."""
        self._seat(self.home, YOU, self.bankroll.amount)
        for seat, bot in self.bots.items():
            self._seat(seat, bot, 0)

    def _seat(self, seat: int, player: Account, cash: Cents) -> None:
        if self.table.seats.seat_of(player.id) is None:  # the opening may have seated the player
            self.dealer.do(cmd.SitDown(seat), player)
        if (more := cash - self.table.book.rack(player.id)) > 0:
            self.dealer.buy_in(seat, more)

    def buy(self, cash: Cents) -> None:
        """Buy chips for the player."""
        self.dealer.buy_in(self.home, cash)
        self.bankroll.buy(cash)

    def leave(self) -> None:
        """All players leave; the player's chips go to the bankroll."""
        chips = self.chips
        for seat, player in ((self.home, YOU), *self.bots.items()):
            self.dealer.do(cmd.Leave(seat), player)
        self.bankroll.update(chips)

    # Bets.

    def _first_stakes(self) -> bet_slip.Stakes:
        saved = self.bankroll.saved.bets.get(self.house.game.key, {})
        stakes = bet_slip.in_felt_order(self.house.game, saved)
        try:
            self.check_bets(stakes)
        except CroupierError:  # no saved bets, or from a table with other limits
            return bet_slip.minimum_stakes(self.house)
        return stakes

    def check_bets(self, stakes: bet_slip.Stakes) -> None:
        """Raise the refusal of a trial table if the stakes are not legal."""
        if not stakes:
            raise BadInput("no bets")
        Table(self.house).do(cmd.PlaceWagers(self.home, stakes, YOU.id))

    @property
    def total(self) -> Cents:
        """The cost of the bets on all hands."""
        return sum(self.stakes.values()) * len(self.seats)

    def change_bets(self, answer: str) -> None:
        """Change the bets as typed; raises a CroupierError if they are not legal."""
        stakes = bet_slip.edit_stakes(self.house, self.stakes, answer)
        self.check_bets(stakes)
        self.stakes = stakes

    # Round.

    @property
    def current(self) -> Round:
        """The round on the table."""
        assert self.table.round is not None, "no round is open"
        return self.table.round

    def play_round(self) -> None:
        """Play a round to its settlement; if the player quits, it is finished without more bets."""
        list(self.dealer.do_staff_steps())
        bets = bet_slip.stakes_line(self.house, self.stakes)
        self.bankroll.start_round(f"{self.house.game.title}, {bets}")
        self._place_bets()
        self.last = None
        shoe = Shoe(self.deck.cards)
        closed = self.dealer.do(cmd.NoMoreBets(), self.dealer.dealer)
        self.messages = self._event_lines(closed)
        left: PlayerLeft | None = None
        ending: list[Event] = []
        while True:
            events = list(self.dealer.advance(shoe))
            self.messages += self._staff_lines()
            if self.table.due().kind != "decide":
                ending = events
                break
            self.messages += self._event_lines(events)
            try:
                self._decide(left is not None)
            except PlayerLeft as error:
                left = error
        self._save_round()
        self._show_settlement(ending)
        if left:
            raise left

    def _place_bets(self) -> None:
        for seat in self.seats:
            self.dealer.do(cmd.PlaceWagers(seat, self.stakes, YOU.id), YOU)
        needed = chips_needed(self.house)
        for seat, bot in self.bots.items():
            if self.table.book.rack(bot.id) < needed:
                self.dealer.buy_in(seat, max(BUY_IN, 10 * needed))
            self.dealer.do(cmd.PlaceWagers(seat, bot_stakes(self.house), bot.id), bot)

    def _next_deck(self) -> CommittedDeck:
        if not self.drill or self.coach is None:
            return self.shuffler.deck()
        if status := self.coach.status(self.house):
            self.ui.show(line((f"{status} The drill starts when it is done.", "quiet")))
        solved = self.coach.solved(self.house, wait=True)
        assert solved is not None, "waited for the solver"
        stakes = bet_slip.minimum_stakes(self.house)
        return find_close_deck(solved, self.home, stakes, self.shuffler)

    def _event_lines(self, events: Iterable[Event]) -> list[Line]:
        return [row for event in events if (row := narration.event_line(event, self.current))]

    def _staff_lines(self) -> list[Line]:
        """The staff's steps since the last call in one line; a practice table has none."""
        steps = list(dict.fromkeys(map(step_phrase, self.dealer.staff_log)))
        self.dealer.staff_log.clear()
        if not steps:
            return []
        hidden = len(steps) - MAX_STAFF_STEPS
        more = f" (and {hidden} more)" if hidden > 0 else ""
        text = join_words(steps[:MAX_STAFF_STEPS], "and")
        return [line((f"The house {text}{more}.", "quiet"))]

    def _decide(self, left: bool) -> None:
        due = self.table.due()
        street = self.current.street
        assert street is not None
        box = self.current.boxes[due.seat]
        if due.seat in self.bots:
            # Bots play perfectly once the coach has solved the game.
            solved = self.coach.solved_or_none(self.house) if self.coach else None
            simple, _ = choose_option(self.current, street, box)
            word = solved.best_word(self.current, due.seat) if solved else simple
            by = self.bots[due.seat]
            self.messages += self._event_lines(self.dealer.do(cmd.Decide(due.seat, word), by))
        elif left:
            word = passive_option(street).word
            self.messages += self._event_lines(self.dealer.do(cmd.Decide(due.seat, word), YOU))
        elif word := self._easy_word(due.seat):
            self.messages += self._event_lines(self.dealer.do(cmd.Decide(due.seat, word), YOU))
        else:
            self._ask_decision(due.seat, street)

    def _easy_word(self, seat: int) -> str:
        """In a drill, the best option if the decision is not close; otherwise ""."""
        solved = self.coach.solved_or_none(self.house) if self.drill and self.coach else None
        if solved is None or solved.is_close(self.current, seat):
            return ""
        return solved.best_word(self.current, seat)

    def _save_round(self) -> None:
        self.last = (self.committed, self.deck)
        self.deck = self._next_deck()
        self.committed = self.deck.commitment
        self.bankroll.saved.bets[self.house.game.key] = dict(self.stakes)
        if self.remember_meters:
            self.bankroll.set_meters(self.house.digest, self.table.meters)
        self.bankroll.update(self.chips, rounds=1)

    # Display.

    def show_table(self, seat: int, below: Sequence[Line], *, reserve: int = 1) -> None:
        """Show the felt with lines below; with small cards if tall ones leave no space."""
        current, chips, meters = self.current, self.chips, self.table.displayed

        def scene(width: int, height: int | None) -> list[Line]:
            view = FeltView(seat=seat, chips=chips, meters=meters, width=width)
            rows = felt_lines(current, view)
            if height is not None and len(rows) > height:
                rows = felt_lines(current, msgspec.structs.replace(view, tall=False))
            return rows

        self.ui.show_scene(scene, below, reserve=reserve)

    def _show_settlement(self, events: Sequence[Event]) -> None:
        # With bots the felt already shows the last bets, and the rows are needed for the result.
        messages = [] if self.bots else [*self.messages, *self._event_lines(events)][-3:]
        lines = [*messages, *narration.settlement_lines(events, self.current)]
        if self.coach is not None:
            earlier, now = self.coach.finish_round(self.current, self.seats)
            lines = [*earlier, *lines, *now]  # the newest at the end, where it is visible
        self.messages = []
        self.show_table(self.seats[0], lines, reserve=4)  # for the next bets and their prompt

    # Decisions.

    def _ask_decision(self, seat: int, street: Street) -> None:
        redraw, hinted = True, False
        keys = self.keys(street)
        while True:
            if redraw:
                self.show_table(seat, [*self.messages[-4:], *self.options(seat, street, hinted)])
            prompt = f"{join_words([o.word for o in street.options])}> "
            answer = self.ui.ask(prompt, keys, risks_chips=True)
            if answer == "q":
                self._confirm_quit()
                redraw = True
                continue
            try:
                redraw = self.ui.answer_question(answer, self.house, street, self.table.meters)
                if redraw:
                    continue
                if answer in ("h", "hint"):
                    redraw = hinted = self._can_hint()
                elif answer in ("v", "verify"):
                    self.ui.show(*self.commitment_lines())
                elif answer:
                    self._decide_as(seat, street, answer)
                    return
            except CroupierError as error:
                self.ui.show_error(error)

    def _decide_as(self, seat: int, street: Street, answer: str) -> None:
        word, cents = input_parser.pick_option(answer, street)
        if cents is not None and not self.any_amount:
            word = answer  # the table refuses it as typed
        option = street.option(word)
        stake = self._bet_stake(seat, option) if option else cents or 0
        if stake > self.chips:
            raise BadInput(
                f"Not enough chips for {word}: it costs {dollars(stake)}, "
                f"you have {dollars(self.chips)} left"
            )
        decision = decision_at(self.current, seat, word) if self.coach else None
        self.messages = self._event_lines(self.dealer.do(cmd.Decide(seat, word, cents), YOU))
        if self.coach is not None:
            self.coach.add_decision(decision)

    @property
    def any_amount(self) -> bool:
        """Whether bets can be any amount, not only multiples of the ante."""
        return self.house.game.any_amount(self.house)

    def _bet_stake(self, seat: int, option: Option) -> Cents:
        return option.times * self.current.boxes[seat].stakes[self.house.game.ante.name]

    def keys(self, street: Street) -> list[PromptKey]:
        """The keys of the full-screen app on this street."""
        options = [
            PromptKey(input_parser.option_key(option), option.word, option.word)
            for option in street.options
        ]
        hint = [PromptKey("h", "h", "hint")] if self.coach else []
        return [*options, *hint, *RULES_KEYS, PromptKey("v", "v", "deck"), QUIT_KEY]

    def options(self, seat: int, street: Street, hinted: bool = False) -> list[Line]:
        """The options with their cost and clause, or with their value if `hinted`."""
        where = f", seat {seat}" if len(self.seats) > 1 else ""
        rows = [line((f"Your decision {street.when}{where}", "title"), " ", cite(street.clause))]
        values = self.coach.option_values(self.current, seat) if hinted and self.coach else {}
        for option in street.options:
            rows.append(self._option_line(seat, option, values.get(option.word)))
        if self.any_amount:
            rows.append(line("  or any amount in between, with a dollar sign: $12.50"))
        if self.ui.full_screen:
            return rows
        hint = "h hint  " if self.coach else ""
        return [*rows, line((f"? rules  r paytables  {hint}v deck  q quit", "quiet"))]

    def _option_line(self, seat: int, option: Option, value: OptionValue | None) -> Line:
        if not option.wager:
            cost = "give up the hand" if option.word == "fold" else "no bet for now"
        else:
            stake = self._bet_stake(seat, option)
            cost = f"{wager_title(self.house.game, option.wager)} {chip_amount(stake)}"
            if stake > self.chips:
                cost += f" (you have {dollars(self.chips)})"
        column = max(0, min(32, self.ui.width - 24))
        row = line("  ", (f"{option.word:<7}", "key"), f"{cost:<{column}} ")
        if value is None:
            return (*row, cite(option.clause))
        style = "lose" if value.less else "win"
        amount = f"{signed_dollars(value.cents):>9}  "
        return (*row, (amount, "strong"), (compare_to_best(value), style))

    def _can_hint(self) -> bool:
        if self.coach is None:
            self.ui.show(line("There is no coach; install croupier[analysis] for hints."))
            return False
        if self.coach.solved(self.house) is None:
            self.ui.show(line((self.coach.status(self.house), "quiet")))
            return False
        return True

    def _confirm_quit(self) -> None:
        text = (
            "Quit during the round? Your bets stay on the table and are settled; "
            "you check if possible, otherwise you fold."
        )
        if self.ui.confirm(text, default=False):
            raise PlayerLeft

    # Deck commitment.

    def commitment_lines(self) -> list[Line]:
        """The commitment to the current deck, and the revealed deck of the last round."""
        if self.last is None:
            return [
                line(f"SHA-256 of this round's deck: {self.committed}"),
                line("The deck was fixed before the bets closed and is revealed after the round."),
            ]
        committed, deck = self.last
        matches = deck.commitment == committed
        return [
            line(f"Committed before the bets closed: {committed}"),
            line(f"SHA-256 of the dealt deck:        {deck.commitment}"),
            line(("They match.", "win") if matches else ("They do not match!", "refusal")),
            line("The hash is computed from this line of salt and deck, top card first:"),
            line(f"  {deck.revealed}"),
            line(f"Commitment to the next deck: {self.committed}"),
        ]
