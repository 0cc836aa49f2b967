"""An evening at the tables: choose a game, bet, play, change the table, leave with the bankroll."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.coach import phrases
from croupier.errors import BadInput, CroupierError, UnknownGame
from croupier.games import Game, House, catalogue
from croupier.money import Cents, dollars
from croupier.table import Table
from croupier.table import commands as cmd
from croupier.table.drivers.shuffler import Shuffler
from croupier.table.drivers.simulated_staff import finish_opening, run_opening
from croupier.terminal.bankroll import BUY_IN, Bank
from croupier.terminal.bot_players_people import YOU
from croupier.terminal.coach_thread import CoachThread
from croupier.terminal.dealer import Dealing
from croupier.terminal.io import input_parser
from croupier.terminal.io.prompt import ASK_RULES, LEAVE, NO_SPOTS, Conversation, Leaving, PromptKey
from croupier.terminal.io.styled_text import Line, chips, cite, line, signed
from croupier.terminal.render import bet_slip, rules_pages
from croupier.terminal.table_factory import OpenTable, Service, in_memory
from croupier.terminal.table_loop import Sitting

MENU_KEYS = tuple(PromptKey(str(number), str(number), "") for number in range(1, 10))
BETS_TOLD = 60  # columns from which the history tells the bets
SLIP_ROW = 2  # where the first wager stands on the screen of the bets
KEYS_TOLD = "min smallest  ? the game  r paytables  l history  buy  g games  q leave"
BET_KEYS = (
    *(
        PromptKey("enter", "", "deal"),
        *ASK_RULES,
        PromptKey("l", "l", "history"),
        PromptKey("$", "buy", "buy"),
    ),
    *(PromptKey("v", "v", "deck"), PromptKey("g", "g", "games"), LEAVE),
)


class GameSession:
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
        tutor: CoachThread | None = None,
        drill: bool = False,
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
        self.tutor = tutor
        self.drill = drill
        self.remember_meters = remember_meters
        self.opening = opening
        self.open_table = open_table
        self.start = (bank.bankroll, bank.purse.bought, bank.purse.rounds)
        self.history: list[tuple[str, str, Cents]] = []  # game, bets and net of every round

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
            tutor=self.tutor,
            drill=self.drill,
            remember_meters=self.remember_meters,
        )
        if self.opening:
            self.opening = False
            if cash := self.chips_to_buy(sitting, self.bank.bankroll):
                self.bank.buy(cash)
            self.walk_through_opening(sitting)
        sitting.sit_down()
        table = sitting.table
        self.talk.beside(
            lambda width: rules_pages.paytables(house, table.meters, width=width),
            lambda width: [*self.coach_lines(), *self.evening(width)],
            lambda: self.tutor.working(house) if self.tutor else "",
        )
        return sitting

    def walk_through_opening(self, sitting: Sitting) -> None:
        """The opening ceremony step by step, as an attended table asks for it; q skips the rest."""
        opened, clock = sitting.dealing.opened, sitting.dealing.clock
        seat, cash = sitting.home, self.bank.bankroll
        run_opening(opened, self.talk.ask, self.tell, clock, seat=seat, cash=cash)
        finish_opening(opened, clock, seat=seat, cash=cash)

    def tell(self, text: str) -> None:
        """One line of plain text."""
        self.talk.say(line(text))

    # The menu.

    def choose_game(self, refused: CroupierError | None = None) -> Game:
        """The menu, until one game of it is named; says why the last one was refused."""
        self.talk.paint(lambda width, height: self.menu())
        self.notices()
        if refused:
            self.talk.refuse(refused)
        while True:
            answer = self.talk.ask("game> ", [*MENU_KEYS[: len(catalogue())], LEAVE])
            if answer == "q":
                raise Leaving
            if not answer or answer == "?":
                self.talk.say(*self.menu())
                continue
            try:
                return input_parser.pick_game(answer)
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
        whole_slip = True
        while True:
            if cash := self.chips_to_buy(sitting, sitting.chips):
                sitting.buy(cash)
            self.show_bets(sitting, whole=whole_slip)
            self.notices()  # below the slip, which begins a new screen
            spots = bet_slip.spots(sitting.house, SLIP_ROW) if whole_slip else NO_SPOTS
            answer = self.talk.ask("bets> ", BET_KEYS, spots=spots, risks=True)
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
            try:
                sitting.play_round()
            finally:
                self.remember(sitting)
            return False
        if answer in ("l", "log", "history"):
            self.talk.page(self.evening)
            return self.talk.watched
        if answer in ("v", "verify"):
            self.talk.say(*sitting.commitment_lines())
            return False
        if answer in ("buy", "rebuy"):
            sitting.buy(BUY_IN)
            self.talk.say(line(f"You buy chips for {dollars(BUY_IN)}."))
            return False
        if answer == "b":
            raise BadInput("b bets during a round; type buy for more chips")
        meters = sitting.table.meters
        if self.talk.answer_question(answer, sitting.house, None, meters):
            return self.talk.watched
        if answer not in ("c", "change", "bets"):
            sitting.change(answer)
        return True

    def remember(self, sitting: Sitting) -> None:
        """A line of the evening's history for a round that is over."""
        current = sitting.table.round
        if current is None or not current.closed:
            return
        net = sum(current.boxes[seat].net for seat in sitting.seats)
        bets = bet_slip.in_one_line(sitting.house, sitting.stakes)
        self.history.append((sitting.house.game.title, f", {bets}", net))

    def evening(self, width: int) -> list[Line]:
        """The history of the evening, the last round first; where it is narrow, its sums alone."""
        if not self.history:
            return [line("Nothing was played yet this evening.")]
        rows, all_of_it = [], 0
        for number, (title, bets, net) in enumerate(self.history, 1):
            style = "win" if net > 0 else "lose" if net < 0 else "push"
            all_of_it += net
            if width >= BETS_TOLD:
                rows.append(line(f"{number:>3}  {title}{bets}: ", (signed(net), style)))
            else:
                so_far = f"{signed(all_of_it):>13}"
                rows.append(line(f"{number:>3}", (f"{signed(net):>13}", style), so_far))
        heads = "" if width >= BETS_TOLD else f"{'net':>4}{'so far':>13}"
        return [line(("This evening", "title"), heads), *reversed(rows)]

    def coach_lines(self) -> list[Line]:
        """The coach's account, where it has seen something."""
        if self.tutor is None or not self.tutor.account.decisions:
            return []
        said = phrases.account(self.tutor.account)
        return [line(("Coach: ", "label"), (said, "quiet"))]

    def show_bets(self, sitting: Sitting, *, whole: bool) -> None:
        """The slip with its limits, or in one line after a round."""
        house = sitting.house
        short = f"deck {sitting.committed[:12]}"
        boxes = f" on each of {len(sitting.seats)} boxes" if len(sitting.seats) > 1 else ""
        if not whole:
            bets = bet_slip.in_one_line(house, sitting.stakes)
            if len(bets) > self.talk.width - 24:
                bets = f"the same {len(sitting.stakes)} bets"
            keys = f"Enter deals, c changes bets, v verifies, g games, q leaves · {short}"
            self.talk.say(
                *self.coach_lines(),
                line(("Again: ", "strong"), f"{bets}{boxes} = {chips(sitting.total)}."),
                *(() if self.talk.by_keys else (line((keys, "quiet")),)),
            )
            return
        limits = house.cite("limits")[0]
        rows = [
            line((house.game.title, "title"), f" at {house.operator}"),
            line(f"Your bets{boxes}: ", (chips(sitting.total), "chips"), " of ")
            + line((dollars(sitting.chips), "strong"), ", limits ", cite(limits)),
            *bet_slip.slip_lines(house, sitting.stakes),
            *self.warnings(sitting),
            *(() if self.talk.by_keys else self.how_to_bet(house)),
            line((f"The {short}... is shuffled and committed; v shows all of it.", "quiet")),
        ]
        self.talk.paint(lambda width, height: rows)

    def how_to_bet(self, house: House) -> list[Line]:
        """What may be typed, and how far the coach is."""
        working = self.tutor.working(house) if self.tutor else ""
        typed = f"Enter deals. 25 sets the {house.game.ante.title}; {sample(house)}"
        return [line((text, "quiet")) for text in (typed, KEYS_TOLD, working) if text]

    def warnings(self, sitting: Sitting) -> list[Line]:
        """A word before a bet that cannot be followed up."""
        house = sitting.house
        left = sitting.chips - sitting.total
        ante = sitting.stakes[house.game.ante.name] * len(sitting.seats)
        stay, most = bet_slip.follow_ups(house.game)
        if left < 0:
            text = "That is more than you have."
        elif left < stay * ante:
            need = chips(stay * ante)
            text = f"Only {dollars(left)} would be left, and playing on takes {need}: a fold."
        elif left < most * ante:
            text = f"Only {dollars(left)} would be left: too little for a bet of {most}x."
        else:
            return []
        return [line((text, "refusal"))]

    def notices(self) -> None:
        """What the bank has to say: a file set aside, or none to write to."""
        for notice in self.bank.notices:
            self.talk.say(line((notice, "refusal")))
        self.bank.notices.clear()

    def chips_to_buy(self, sitting: Sitting, have: Cents) -> Cents:
        """What somebody buys who cannot make the smallest bets; who declines goes home."""
        needed = sum(bet_slip.smallest(sitting.house).values()) * len(sitting.seats)
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
        self.talk.part(
            line(f"You leave with {dollars(self.bank.bankroll)} after {count}: ")
            + line((signed(net), "strong"), f" today, {signed(lifetime)} in all."),
            *(self.tutor.summary() if self.tutor else ()),
            *(line((notice, "refusal")) for notice in self.bank.notices),
        )


def check_betting(house: House, seats: Sequence[int]) -> None:
    """Let a table itself say whether these boxes may be bet on, before any money is."""
    trial = Table(house)
    for seat in sorted(seats):
        trial.do(cmd.PlaceWagers(seat, bet_slip.smallest(house), YOU.id))


def sample(house: House) -> str:
    """How the side wagers of this table are changed, in an example; "" where there are none."""
    for wager in house.game.wagers:
        if wager.role == "optional" and house.offers(wager.name):
            word = wager.title.split()[0].lower()
            return f'"{word} 5" or "{word} off" the others.'
    return ""
