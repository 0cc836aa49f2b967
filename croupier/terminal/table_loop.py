"""One person at one table: bets, decisions, settlement, round after round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.coach import asked_at
from croupier.coach.coach_messages import OptionValue
from croupier.coach.phrases import compared
from croupier.errors import BadInput, CroupierError
from croupier.games import Option, Street
from croupier.money import Cents, dollars
from croupier.table import Account, Event, Round, Shoe, Table
from croupier.table import commands as cmd
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler
from croupier.table.drivers.simulated_staff import step_phrase
from croupier.terminal import bot_players
from croupier.terminal.bankroll import BUY_IN, Bank
from croupier.terminal.bot_players_people import COMPANIONS, YOU
from croupier.terminal.coach_thread import CoachThread
from croupier.terminal.dealer import Dealing
from croupier.terminal.drill import close_deck
from croupier.terminal.io import input_parser
from croupier.terminal.io.prompt import ASK_RULES, LEAVE, Conversation, Leaving, PromptKey
from croupier.terminal.io.styled_text import Line, chips, cite, line, listed, signed
from croupier.terminal.render import bet_slip, narration
from croupier.terminal.render.felt_text import View, felt

CHORES_TOLD = 4  # so many, so that the line leaves room for the round


class Sitting:
    """A place at a table for the person, with boxes to bet on, and companions at other seats.

    Everybody sits, buys in, bets and leaves at the table itself, and what anybody has is read from
    it; the bank is told after every round.
    """

    def __init__(
        self,
        dealing: Dealing,
        *,
        talk: Conversation,
        bank: Bank,
        shuffler: Shuffler,
        seats: Sequence[int] = (1,),
        players: int = 0,
        tutor: CoachThread | None = None,
        drill: bool = False,
        remember_meters: bool = True,
    ) -> None:
        self.dealing = dealing
        self.house = dealing.table.house
        self.talk = talk
        self.bank = bank
        self.shuffler = shuffler
        self.seats = tuple(sorted(set(seats)))
        self.tutor = tutor
        self.drill = drill
        self.remember_meters = remember_meters
        free = [seat for seat in range(1, 7) if seat not in self.seats]
        self.others = dict(zip(free[:players], COMPANIONS))
        self.stakes = self._first_stakes()
        if tutor is not None:
            tutor.begin(self.house)
        self.deck = self._next_deck()
        self.committed = self.deck.commitment
        self.last: tuple[str, CommittedDeck] | None = None  # a commitment and what it committed to
        self.news: list[Line] = []

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.dealing.table

    @property
    def home(self) -> int:
        """The seat that the person sits at; the other boxes are beside it."""
        return self.seats[0]

    @property
    def chips(self) -> Cents:
        """The chips before the person, those on the felt left out."""
        return self.table.book.rack(YOU.id)

    # Coming and going.

    def sit_down(self) -> None:
        """Everybody takes a seat, the person with all that the bank has."""
        self._seat(self.home, YOU, self.bank.bankroll)
        for seat, companion in self.others.items():
            self._seat(seat, companion, 0)

    def _seat(self, seat: int, player: Account, cash: Cents) -> None:
        if self.table.seats.seat_of(player.id) is None:  # not there since the opening
            self.dealing.do(cmd.SitDown(seat), player)
        if (more := cash - self.table.book.rack(player.id)) > 0:
            self.dealing.buy_in(seat, more)

    def buy(self, cash: Cents) -> None:
        """The person buys more chips."""
        self.dealing.buy_in(self.home, cash)
        self.bank.buy(cash)

    def leave(self) -> None:
        """Everybody leaves with their chips, and the person takes them home."""
        chips = self.chips
        for seat, player in ((self.home, YOU), *self.others.items()):
            self.dealing.do(cmd.Leave(seat), player)
        self.bank.keep(chips)

    # Bets.

    def _first_stakes(self) -> bet_slip.Stakes:
        remembered = self.bank.purse.bets.get(self.house.game.key, {})
        stakes = bet_slip.ordered(self.house.game, remembered)
        try:
            self.check(stakes)
        except CroupierError:  # remembered from a table with other limits, or from none
            return bet_slip.smallest(self.house)
        return stakes

    def check(self, stakes: bet_slip.Stakes) -> None:
        """Refuse stakes that the table would refuse; nothing is placed."""
        if not stakes:
            raise BadInput("no bets")
        Table(self.house).do(cmd.PlaceWagers(self.home, stakes, YOU.id))

    @property
    def total(self) -> Cents:
        """What the bets on the slip cost on all boxes together."""
        return sum(self.stakes.values()) * len(self.seats)

    def change(self, answer: str) -> None:
        """Change the slip as the person says, if the table takes it."""
        stakes = bet_slip.edit(self.house, self.stakes, answer)
        self.check(stakes)
        self.stakes = stakes

    # A round.

    @property
    def current(self) -> Round:
        """The round on the table."""
        assert self.table.round is not None, "no round was opened"
        return self.table.round

    def play_round(self) -> None:
        """Close the betting and play to the settlement; a person who leaves is played out."""
        list(self.dealing.keep_house())
        bets = bet_slip.in_one_line(self.house, self.stakes)
        self.bank.begin(f"{self.house.game.title}, {bets}")
        self._place_all()
        self.last = None
        shoe = Shoe(self.deck.cards)
        closed = self.dealing.do(cmd.NoMoreBets(), self.dealing.dealer)
        self.news = self._tell(closed)
        leaving: Leaving | None = None
        ending: list[Event] = []
        while True:
            events = list(self.dealing.advance(shoe))
            self.news += self._chores()
            if self.table.due().kind != "decide":
                ending = events
                break
            self.news += self._tell(events)
            try:
                self._decide(leaving is not None)
            except Leaving as leave:
                leaving = leave
        self._book()
        self._show_settlement(ending)
        if leaving:
            raise leaving

    def _place_all(self) -> None:
        for seat in self.seats:
            self.dealing.do(cmd.PlaceWagers(seat, self.stakes, YOU.id), YOU)
        enough = bot_players.enough(self.house)
        for seat, companion in self.others.items():
            if self.table.book.rack(companion.id) < enough:
                self.dealing.buy_in(seat, max(BUY_IN, 10 * enough))
            stakes = bot_players.stakes_of(self.house)
            self.dealing.do(cmd.PlaceWagers(seat, stakes, companion.id), companion)

    def _next_deck(self) -> CommittedDeck:
        if not self.drill or self.tutor is None:
            return self.shuffler.deck()
        if said := self.tutor.working(self.house):
            self.talk.say(line((f"{said} The drill waits for it.", "quiet")))
        best = self.tutor.best(self.house, wait=True)
        assert best is not None, "waited for"
        return close_deck(best, self.home, self.shuffler)

    def _tell(self, events: Iterable[Event]) -> list[Line]:
        return [told for event in events if (told := narration.tell(event, self.current))]

    def _chores(self) -> list[Line]:
        """What the house did around the round, in one line; nothing where nobody serves."""
        done = list(dict.fromkeys(map(step_phrase, self.dealing.chores)))
        self.dealing.chores.clear()
        if not done:
            return []
        more = f" (and {len(done) - CHORES_TOLD} more)" if len(done) > CHORES_TOLD else ""
        return [line((f"The house {listed(done[:CHORES_TOLD], 'and')}{more}.", "quiet"))]

    def _decide(self, leaving: bool) -> None:
        due = self.table.due()
        street = self.current.street
        assert street is not None
        box = self.current.boxes[due.seat]
        if due.seat in self.others:
            # The others play best as soon as the coach knows how.
            best = self.tutor.known(self.house) if self.tutor else None
            simple, _ = bot_players.choose_option(self.current, street, box)
            word = best.word(self.current, due.seat) if best else simple
            by = self.others[due.seat]
            self.news += self._tell(self.dealing.do(cmd.Decide(due.seat, word), by))
        elif leaving:
            word = bot_players.passive_option(street).word
            self.news += self._tell(self.dealing.do(cmd.Decide(due.seat, word), YOU))
        elif word := self._easy_word(due.seat):
            self.news += self._tell(self.dealing.do(cmd.Decide(due.seat, word), YOU))
        else:
            self._ask_decision(due.seat, street)

    def _easy_word(self, seat: int) -> str:
        """In a drill, the answer that needs no thought; "" where the person has to think."""
        best = self.tutor.known(self.house) if self.drill and self.tutor else None
        if best is None or best.close(self.current, seat):
            return ""
        return best.word(self.current, seat)

    def _book(self) -> None:
        self.last = (self.committed, self.deck)
        self.deck = self._next_deck()
        self.committed = self.deck.commitment
        self.bank.purse.bets[self.house.game.key] = dict(self.stakes)
        if self.remember_meters:
            self.bank.keep_meters(self.house.digest, self.table.meters)
        self.bank.keep(self.chips, rounds=1)

    # What is seen.

    def show_table(self, seat: int, below: Sequence[Line], *, reserve: int = 1) -> None:
        """The felt with lines below it, in cards of the size that leaves room for the prompt."""
        current, purse, meters = self.current, self.chips, self.table.displayed

        def scene(width: int, room: int | None) -> list[Line]:
            view = View(seat=seat, purse=purse, meters=meters, width=width)
            rows = felt(current, view)
            if room is not None and len(rows) > room:
                rows = felt(current, msgspec.structs.replace(view, tall=False))
            return rows

        self.talk.paint(scene, below, reserve=reserve)

    def _show_settlement(self, events: Sequence[Event]) -> None:
        # Where others act last, the felt shows their bets and the room is needed for the result.
        news = [] if self.others else [*self.news, *self._tell(events)][-3:]
        told = [*news, *narration.settlement(events, self.current)]
        if self.tutor is not None:
            earlier, now = self.tutor.round_over(self.current, self.seats)
            told = [*earlier, *told, *now]  # what is new stays in sight
        self.news = []
        self.show_table(self.seats[0], told, reserve=4)  # the bets to come and their prompt

    # Decisions.

    def _ask_decision(self, seat: int, street: Street) -> None:
        redraw, hinted = True, False
        keys = self.keys(street)
        while True:
            if redraw:
                self.show_table(seat, [*self.news[-4:], *self.options(seat, street, hinted)])
            prompt = f"{listed([o.word for o in street.options])}> "
            answer = self.talk.ask(prompt, keys, risks=True)
            if answer == "q":
                self._confirm_leaving()
                redraw = True
                continue
            try:
                redraw = self.talk.answer_question(answer, self.house, street, self.table.meters)
                if redraw:
                    continue
                if answer in ("h", "hint"):
                    redraw = hinted = self._can_hint()
                elif answer in ("v", "verify"):
                    self.talk.say(*self.commitment_lines())
                elif answer:
                    self._decide_as(seat, street, answer)
                    return
            except CroupierError as error:
                self.talk.refuse(error)

    def _decide_as(self, seat: int, street: Street, answer: str) -> None:
        word, cents = input_parser.pick_option(answer, street)
        if cents is not None and not self.any_amount:
            word = answer  # refused in the words it was typed in
        option = street.option(word)
        stake = self._stake_of(seat, option) if option else cents or 0
        if stake > self.chips:
            raise BadInput(f"{word} needs {dollars(stake)} and you have {dollars(self.chips)} left")
        asked = asked_at(self.current, seat, word) if self.tutor else None
        self.news = self._tell(self.dealing.do(cmd.Decide(seat, word, cents), YOU))
        if self.tutor is not None:
            self.tutor.decided(asked)

    @property
    def any_amount(self) -> bool:
        """Whether bets need not be whole multiples of the ante here."""
        return self.house.game.any_amount(self.house)

    def _stake_of(self, seat: int, option: Option) -> Cents:
        return option.times * self.current.boxes[seat].stakes[self.house.game.ante.name]

    def keys(self, street: Street) -> list[PromptKey]:
        """The keys that answer on this street, where single keys do."""
        options = [
            PromptKey(input_parser.key_of(option), option.word, option.word)
            for option in street.options
        ]
        hint = [PromptKey("h", "h", "hint")] if self.tutor else []
        return [*options, *hint, *ASK_RULES, PromptKey("v", "v", "deck"), LEAVE]

    def options(self, seat: int, street: Street, hinted: bool = False) -> list[Line]:
        """The legal answers with what they cost and their clause, or with what they are worth."""
        where = f", seat {seat}" if len(self.seats) > 1 else ""
        rows = [line((f"Your decision {street.when}{where}", "title"), " ", cite(street.clause))]
        worths = self.tutor.worths(self.current, seat) if hinted and self.tutor else {}
        for option in street.options:
            rows.append(self._option_line(seat, option, worths.get(option.word)))
        if self.any_amount:
            rows.append(line("  or any amount between them, written with its sign: $12.50"))
        if self.talk.by_keys:
            return rows
        hint = "h hint  " if self.tutor else ""
        return [*rows, line((f"? rules  r paytables  {hint}v deck  q leave", "quiet"))]

    def _option_line(self, seat: int, option: Option, worth: OptionValue | None) -> Line:
        if not option.wager:
            cost = "give up the hand" if option.word == "fold" else "no bet for now"
        else:
            stake = self._stake_of(seat, option)
            cost = f"{narration.title_of(self.house.game, option.wager)} {chips(stake)}"
            if stake > self.chips:
                cost += f" (you have {dollars(self.chips)})"
        column = max(0, min(32, self.talk.width - 24))
        shown = line("  ", (f"{option.word:<7}", "key"), f"{cost:<{column}} ")
        if worth is None:
            return (*shown, cite(option.clause))
        style = "lose" if worth.less else "win"
        return (*shown, (f"{signed(worth.cents):>9}  ", "strong"), (compared(worth), style))

    def _can_hint(self) -> bool:
        if self.tutor is None:
            self.talk.say(line("No coach sits at this table; the study room brings one."))
            return False
        if self.tutor.best(self.house) is None:
            self.talk.say(line((self.tutor.working(self.house), "quiet")))
            return False
        return True

    def _confirm_leaving(self) -> None:
        text = (
            "Leave in the middle of the round? Your bets stay and are settled; you add no chips: "
            "a check where it is free, otherwise a fold."
        )
        if self.talk.yes(text, default=False):
            raise Leaving

    # The deck.

    def commitment_lines(self) -> list[Line]:
        """The deck of this round: committed to while it is played, revealed when it is over."""
        if self.last is None:
            return [
                line(f"SHA-256 of this round's deck: {self.committed}"),
                line("It was fixed before the bets closed and is revealed after the round."),
            ]
        committed, deck = self.last
        agrees = deck.commitment == committed
        return [
            line(f"Committed before the bets closed: {committed}"),
            line(f"SHA-256 of what was dealt:        {deck.commitment}"),
            line(("They agree." if agrees else "They differ!", "win" if agrees else "refusal")),
            line("It is taken of this salt and deck, top card first, in one line:"),
            line(f"  {deck.revealed}"),
            line(f"The next deck is committed to as {self.committed}"),
        ]
