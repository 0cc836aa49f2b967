"""An evening at the tables: choose a game, bet, play, change the table, leave with the bankroll."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.errors import BadInput, CroupierError, UnknownGame
from croupier.games import Game, House, catalogue
from croupier.money import Cents, dollars
from croupier.table import Table
from croupier.table import commands as cmd
from croupier.table.committed import Shuffler
from croupier.table.walk import open_quietly, walk
from croupier.terminal import slip, words
from croupier.terminal.bank import BUY_IN, Bank
from croupier.terminal.conversation import Conversation, Leaving
from croupier.terminal.dealing import Dealing
from croupier.terminal.people import YOU
from croupier.terminal.record import OpenTable, Service, in_memory
from croupier.terminal.sitting import Advisor, Sitting
from croupier.terminal.text import Line, chips, cite, line, signed


class Session:
    """Everything between sitting down and going home."""

    def __init__(
        self,
        *,
        talk: Conversation,
        bank: Bank,
        shuffler: Shuffler,
        house_of: Callable[[Game], House],
        seats: Sequence[int] = (1,),
        players: int = 0,
        advisor: Advisor | None = None,
        remember_meters: bool = True,
        opening: bool = False,
        open_table: OpenTable = in_memory,
    ) -> None:
        self.talk = talk
        self.bank = bank
        self.shuffler = shuffler
        self.house_of = house_of
        self.seats = seats
        self.players = players
        self.advisor = advisor
        self.remember_meters = remember_meters
        self.opening = opening
        self.open_table = open_table
        self.start = (bank.bankroll, bank.purse.bought, bank.purse.rounds)

    def run(self, game: Game | None) -> None:
        """Play until the person leaves."""
        try:
            sitting = self.sit(game) if game else self.choose_table()
            while True:
                try:
                    self.play_at(sitting)
                except Leaving:
                    sitting.leave()
                    raise
                sitting.leave()
                sitting = self.choose_table()
        except Leaving:
            self.farewell()

    def choose_table(self) -> Sitting:
        """A table of a game off the menu, where the person's boxes are allowed."""
        refused: CroupierError | None = None
        while True:
            game = self.choose_game(refused)
            try:
                return self.sit(game)
            except CroupierError as error:
                refused = error

    def sit(self, game: Game) -> Sitting:
        """A place at a table of the game, with all that the bank has in chips."""
        house = self.house_of(game)
        check_betting(house, self.seats)
        meters = self.bank.meters(house.digest, house.meters) if self.remember_meters else {}
        service: Service = "attended" if self.opening else "practice"
        dealing = Dealing(self.open_table(house, service, meters))
        dealing.clear()
        sitting = Sitting(
            dealing,
            talk=self.talk,
            bank=self.bank,
            shuffler=self.shuffler,
            seats=self.seats,
            players=self.players,
            advisor=self.advisor,
            remember_meters=self.remember_meters,
        )
        if self.opening:
            self.opening = False
            if cash := self.chips_to_buy(sitting, self.bank.bankroll):
                self.bank.buy(cash)
            self.walk_through_opening(sitting)
        sitting.sit_down()
        return sitting

    def walk_through_opening(self, sitting: Sitting) -> None:
        """The opening ceremony step by step, as an attended table asks for it; q skips the rest."""
        opened, clock = sitting.dealing.opened, sitting.dealing.clock
        seat, cash = sitting.home, self.bank.bankroll
        walk(opened, self.talk.ask, self.tell, clock, seat=seat, cash=cash)
        open_quietly(opened, clock, seat=seat, cash=cash)

    def tell(self, text: str) -> None:
        """One line of plain text."""
        self.talk.say(line(text))

    # The menu.

    def choose_game(self, refused: CroupierError | None = None) -> Game:
        """The menu, until one game of it is named; says why the last one was refused."""
        self.talk.clear()
        self.talk.say(*self.menu())
        self.notices()
        if refused:
            self.talk.refuse(refused)
        while True:
            answer = self.talk.ask("game> ")
            if answer == "q":
                raise Leaving
            if not answer or answer == "?":
                self.talk.say(*self.menu())
                continue
            try:
                return words.pick_game(answer)
            except (BadInput, UnknownGame) as error:
                self.talk.refuse(error)

    def menu(self) -> list[Line]:
        """Every game with its number and a sentence about it."""
        rows = [line(("Croupier", "title"), f"  bankroll {dollars(self.bank.bankroll)}"), ()]
        for number, game in enumerate(catalogue(), 1):
            rows.append(line((f"{number}  ", "key"), (game.title, "strong")))
            rows.append(line((f"   {game.tagline}", "quiet")))
        keys = "A number or the beginning of a name; q leaves. The chips are play money."
        return [*rows, (), line((keys, "quiet"))]

    # The table.

    def play_at(self, sitting: Sitting) -> None:
        """Rounds at one table, until another game is wanted."""
        self.talk.clear()
        whole_slip = True
        while True:
            if cash := self.chips_to_buy(sitting, sitting.chips):
                sitting.buy(cash)
            self.notices()
            self.show_bets(sitting, whole=whole_slip)
            answer = self.talk.ask("bets> ")
            whole_slip = True
            if answer == "q":
                raise Leaving
            if answer in ("g", "game", "games", "menu"):
                return
            try:
                whole_slip = self.bet(sitting, answer)
            except CroupierError as error:
                self.talk.refuse(error)
                whole_slip = False

    def bet(self, sitting: Sitting, answer: str) -> bool:
        """Deal, change the bets or answer a question; True if the whole slip is to be shown."""
        if answer in ("", "deal", "d"):
            if sitting.total > sitting.chips:
                have = dollars(sitting.chips)
                raise BadInput(f"these bets cost {dollars(sitting.total)} and you have {have}")
            sitting.play_round()
            return False
        if answer in ("v", "verify"):
            self.talk.say(*sitting.commitment_lines())
            return False
        if answer in ("b", "buy", "rebuy"):
            sitting.buy(BUY_IN)
            self.talk.say(line(f"You buy chips for {dollars(BUY_IN)}."))
            return False
        meters = sitting.table.meters
        if self.talk.answer_question(answer, sitting.house, None, meters):
            if self.talk.screen.live:
                self.talk.clear()
            return self.talk.screen.live
        if answer not in ("c", "change", "bets"):
            sitting.change(answer)
        self.talk.clear()
        return True

    def show_bets(self, sitting: Sitting, *, whole: bool) -> None:
        """The slip with its limits, or in one line after a round."""
        house = sitting.house
        short = f"deck {sitting.committed[:12]}"
        boxes = f" on each of {len(sitting.seats)} boxes" if len(sitting.seats) > 1 else ""
        if not whole:
            bets = slip.in_one_line(house, sitting.stakes)
            if len(bets) > self.talk.screen.width - 24:
                bets = f"the same {len(sitting.stakes)} bets"
            keys = f"Enter deals, c changes bets, v verifies, g games, q leaves · {short}"
            self.talk.say(
                line(("Again: ", "strong"), f"{bets}{boxes} = {chips(sitting.total)}."),
                line((keys, "quiet")),
            )
            return
        limits = house.cite("limits")[0]
        self.talk.say(
            line((house.game.title, "title"), f" at {house.operator}"),
            line(f"Your bets{boxes}: ", (chips(sitting.total), "chips"), " of ")
            + line((dollars(sitting.chips), "strong"), ", limits ", cite(limits)),
            *slip.slip_lines(house, sitting.stakes),
            *self.warnings(sitting),
            line((f"Enter deals. 25 sets the {house.game.ante.title}; {sample(house)}", "quiet")),
            line(("min smallest  ? rules  r paytables  b buy chips  g games  q leave", "quiet")),
            line((f"The {short}... is shuffled and committed; v shows all of it.", "quiet")),
        )

    def warnings(self, sitting: Sitting) -> list[Line]:
        """A word before a bet that leaves nothing to play on with."""
        left = sitting.chips - sitting.total
        ante = sitting.stakes[sitting.house.game.ante.name]
        if left < 0:
            return [line(("That is more than you have.", "refusal"))]
        if left < ante:
            text = f"Only {dollars(left)} would be left: too little for a bet during the round."
            return [line((text, "refusal"))]
        return []

    def notices(self) -> None:
        """What the bank has to say: a file set aside, or none to write to."""
        for notice in self.bank.notices:
            self.talk.say(line((notice, "refusal")))
        self.bank.notices.clear()

    def chips_to_buy(self, sitting: Sitting, have: Cents) -> Cents:
        """What somebody buys who cannot make the smallest bets; who declines goes home."""
        needed = sum(slip.smallest(sitting.house).values()) * len(sitting.seats)
        if have >= needed:
            return 0
        amount = max(BUY_IN, 10 * needed)
        text = f"You have {dollars(have)}; the smallest bets here are {dollars(needed)}. "
        if not self.talk.yes(f"{text}Buy chips for {dollars(amount)}?", default=True):
            raise Leaving
        return amount

    def farewell(self) -> None:
        """The evening in two sentences."""
        bankroll, bought, rounds = self.start
        played = self.bank.purse.rounds - rounds
        count = "1 round" if played == 1 else f"{played} rounds"
        net = self.bank.bankroll - bankroll - (self.bank.purse.bought - bought)
        lifetime = self.bank.bankroll - self.bank.purse.bought
        self.talk.say(
            line(f"You leave with {dollars(self.bank.bankroll)} after {count}: ")
            + line((signed(net), "strong"), f" today, {signed(lifetime)} in all.")
        )
        self.notices()


def check_betting(house: House, seats: Sequence[int]) -> None:
    """Let a table itself say whether these boxes may be bet on, before any money is."""
    trial = Table(house)
    for seat in sorted(seats):
        trial.do(cmd.PlaceWagers(seat, slip.smallest(house), YOU.id))


def sample(house: House) -> str:
    """How the side wagers of this table are changed, in an example; "" where there are none."""
    for wager in house.game.wagers:
        if wager.role == "optional" and house.offers(wager.name):
            word = wager.title.split()[0].lower()
            return f'"{word} 5" or "{word} off" the others.'
    return ""
