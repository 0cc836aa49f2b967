"""One person at one table: bets, decisions, settlement, round after round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from croupier.errors import BadInput, CroupierError
from croupier.games import House, Option, Street
from croupier.money import Cents, dollars
from croupier.table import Event, Round, Table
from croupier.table import commands as cmd
from croupier.terminal import companions, slip, telling, words
from croupier.terminal.bank import Bank
from croupier.terminal.conversation import Conversation, Leaving
from croupier.terminal.dealer import Dealer
from croupier.terminal.felt import YOU, View, felt
from croupier.terminal.record import OpenTable
from croupier.terminal.shuffle import Committed, Shuffler
from croupier.terminal.text import Line, chips, cite, line, listed

# The hint of the study room: words with a text each, best first.
Advisor: TypeAlias = Callable[[House, Round, int], list[tuple[str, str]]]


class Sitting:
    """A table of one House with the person's boxes and the companions."""

    def __init__(
        self,
        house: House,
        *,
        talk: Conversation,
        bank: Bank,
        shuffler: Shuffler,
        seats: Sequence[int] = (1,),
        players: int = 0,
        advisor: Advisor | None = None,
        remember_meters: bool = True,
        open_table: OpenTable = Table,
    ) -> None:
        self.house = house
        self.talk = talk
        self.bank = bank
        self.shuffler = shuffler
        self.seats = tuple(sorted(set(seats)))
        self.advisor = advisor
        self.remember_meters = remember_meters
        meters = bank.meters(house.digest, house.meters) if remember_meters else {}
        self.table = open_table(house, meters)
        free = [seat for seat in range(1, 7) if seat not in self.seats]
        self.others = dict(zip(free[:players], companions.NAMES))
        self.check_seats()
        self.stakes = self._first_stakes()
        self.deck = shuffler.deck()
        self.committed = self.deck.commitment
        self.last: tuple[str, Committed] | None = None  # a commitment and what it committed to
        self.news: list[Line] = []

    # Bets.

    def check_seats(self) -> None:
        """Let the table itself say whether these boxes may be bet on, before any money is."""
        trial = Table(self.house)
        for seat in self.seats:
            trial.do(cmd.PlaceWagers(seat, slip.smallest(self.house), YOU))

    def _first_stakes(self) -> slip.Stakes:
        remembered = self.bank.purse.bets.get(self.house.game.key, {})
        stakes = slip.ordered(self.house.game, remembered)
        try:
            self.check(stakes)
        except CroupierError:  # remembered from a table with other limits, or from none
            return slip.smallest(self.house)
        return stakes

    def check(self, stakes: slip.Stakes) -> None:
        """Refuse stakes that the table would refuse; nothing is placed."""
        if not stakes:
            raise BadInput("no bets")
        Table(self.house).decide(cmd.PlaceWagers(self.seats[0], stakes, YOU))

    @property
    def total(self) -> Cents:
        """What the bets on the slip cost on all boxes together."""
        return sum(self.stakes.values()) * len(self.seats)

    def change(self, answer: str) -> None:
        """Change the slip as the person says, if the table takes it."""
        stakes = slip.edit(self.house, self.stakes, answer)
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
        self._place_all()
        self.last = None
        dealer = Dealer(self.table, self.deck)
        self.news = self._tell(self.table.do(cmd.NoMoreBets()))
        leaving: Leaving | None = None
        ending: list[Event] = []
        while True:
            events = list(dealer.advance())
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
            self.table.do(cmd.PlaceWagers(seat, self.stakes, YOU))
        for seat, name in self.others.items():
            self.table.do(cmd.PlaceWagers(seat, companions.stakes_of(self.house), name))

    def _tell(self, events: Iterable[Event]) -> list[Line]:
        return [told for event in events if (told := telling.tell(event, self.current))]

    def _decide(self, leaving: bool) -> None:
        due = self.table.due()
        street = self.current.street
        assert street is not None
        box = self.current.boxes[due.seat]
        if due.seat in self.others:
            word, _ = companions.choose(self.current, street, box)
            self.news += self._tell(self.table.do(cmd.Decide(due.seat, word)))
        elif leaving:
            word = companions.waiting(street).word
            self.news += self._tell(self.table.do(cmd.Decide(due.seat, word)))
        else:
            self._ask_decision(due.seat, street)

    def _book(self) -> None:
        self.last = (self.committed, self.deck)
        self.deck = self.shuffler.deck()
        self.committed = self.deck.commitment
        self.bank.purse.bets[self.house.game.key] = dict(self.stakes)
        if self.remember_meters:
            self.bank.keep_meters(self.house.digest, self.table.meters)
        self.bank.book(sum(self.current.boxes[seat].net for seat in self.seats))

    # What is seen.

    @property
    def purse(self) -> Cents:
        """The chips in front of the person, those on the felt left out."""
        current = self.table.round
        if current is None or current.closed:
            return self.bank.bankroll
        boxes = [current.boxes[seat] for seat in self.seats if seat in current.boxes]
        return self.bank.bankroll - sum(sum(box.stakes.values()) for box in boxes)

    def show_table(self, seat: int, below: Sequence[Line], *, reserve: int = 1) -> None:
        """The felt with lines below it, in cards of the size that leaves room for the prompt."""
        screen = self.talk.screen
        view = View(seat=seat, purse=self.purse, meters=self.table.meters, width=screen.width)
        rows = felt(self.current, view)
        if screen.height is not None and len(rows) + len(below) + reserve > screen.height:
            low = View(
                seat=seat,
                purse=self.purse,
                meters=self.table.meters,
                width=screen.width,
                tall=False,
            )
            rows = felt(self.current, low)
        self.talk.clear()
        self.talk.say(*rows, *below)

    def _show_settlement(self, events: Sequence[Event]) -> None:
        # Where others act last, the felt shows their bets and the room is needed for the result.
        news = [] if self.others else [*self.news, *self._tell(events)][-3:]
        told = [*news, *telling.settlement(events, self.current)]
        self.news = []
        self.show_table(self.seats[0], told, reserve=4)  # the bets to come and their prompt

    # Decisions.

    def _ask_decision(self, seat: int, street: Street) -> None:
        redraw = True
        while True:
            if redraw:
                self.show_table(seat, [*self.news[-4:], *self.options(seat, street)])
            answer = self.talk.ask(f"{listed([o.word for o in street.options])}> ")
            if answer == "q":
                self._confirm_leaving()
                redraw = True
                continue
            try:
                redraw = self.talk.answer_question(answer, self.house, street, self.table.meters)
                if redraw:
                    continue
                if answer in ("h", "hint"):
                    self._hint(seat)
                elif answer in ("v", "verify"):
                    self.talk.say(*self.commitment_lines())
                elif answer:
                    self._decide_as(seat, street, answer)
                    return
            except CroupierError as error:
                self.talk.refuse(error)

    def _decide_as(self, seat: int, street: Street, answer: str) -> None:
        word, cents = words.pick_option(answer, street)
        if cents is not None and not self.any_amount:
            word = answer  # refused in the words it was typed in
        option = street.option(word)
        stake = self._stake_of(seat, option) if option else cents or 0
        if stake > self.purse:
            raise BadInput(f"{word} needs {dollars(stake)} and you have {dollars(self.purse)} left")
        self.news = self._tell(self.table.do(cmd.Decide(seat, word, cents)))

    @property
    def any_amount(self) -> bool:
        """Whether bets need not be whole multiples of the ante here."""
        return self.house.game.any_amount(self.house)

    def _stake_of(self, seat: int, option: Option) -> Cents:
        return option.times * self.current.boxes[seat].stakes[self.house.game.ante.name]

    def options(self, seat: int, street: Street) -> list[Line]:
        """The legal answers with what they cost and their clause."""
        where = f", seat {seat}" if len(self.seats) > 1 else ""
        rows = [line((f"Your decision {street.when}{where}", "title"), " ", cite(street.clause))]
        for option in street.options:
            rows.append(self._option_line(seat, option))
        if self.any_amount:
            rows.append(line("  or any amount between them, written with its sign: $12.50"))
        hint = "h hint  " if self.advisor else ""
        return [*rows, line((f"? rules  r paytables  {hint}v deck  q leave", "quiet"))]

    def _option_line(self, seat: int, option: Option) -> Line:
        if not option.wager:
            cost = "give up the hand" if option.word == "fold" else "no bet for now"
        else:
            stake = self._stake_of(seat, option)
            cost = f"{telling.title_of(self.house.game, option.wager)} {chips(stake)}"
            if stake > self.purse:
                cost += f" (you have {dollars(self.purse)})"
        return line("  ", (f"{option.word:<7}", "key"), f"{cost:<32} ", cite(option.clause))

    def _hint(self, seat: int) -> None:
        if self.advisor is None:
            self.talk.say(line("No adviser sits at this table; the study room brings one."))
            return
        for word, text in self.advisor(self.house, self.current, seat):
            self.talk.say(line("  ", (f"{word:<7}", "key"), text))

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
