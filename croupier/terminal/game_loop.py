"""The game loop of a session: choose a game, place bets, play rounds, change tables, quit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.coach import phrases
from croupier.coach.phrases import signed_dollars
from croupier.errors import BadInput, CroupierError, UnknownGame
from croupier.games import Game, House, catalogue
from croupier.money import Cents, chip_amount, dollars
from croupier.table import Table
from croupier.table import commands as cmd
from croupier.table.drivers.shuffler import Shuffler
from croupier.table.drivers.simulated_staff import finish_opening, run_opening
from croupier.terminal.bankroll import BUY_IN, Bankroll
from croupier.terminal.bot_players import YOU
from croupier.terminal.coach_thread import CoachThread
from croupier.terminal.dealer import TableDealer
from croupier.terminal.io import input_parser
from croupier.terminal.io.prompt import (
    NO_ROWS,
    QUIT_KEY,
    RULES_KEYS,
    PlayerLeft,
    PromptKey,
    TextInterface,
)
from croupier.terminal.io.styled_text import Line, cite, line
from croupier.terminal.render import bet_slip, rules_pages
from croupier.terminal.table_factory import OpenTable, Service, memory_table
from croupier.terminal.table_loop import TableSession
from croupier.wording import counted

MENU_KEYS = tuple(PromptKey(str(number), str(number), "") for number in range(1, 10))
WIDE_HISTORY = 60  # columns from which the history includes the bets
FIRST_SLIP_ROW = 2  # row of the first wager on the betting screen
BET_HELP = "min minimum bets  ? rules  r paytables  l history  buy  g games  q quit"
BET_KEYS = (
    *(
        PromptKey("enter", "", "deal"),
        *RULES_KEYS,
        PromptKey("l", "l", "history"),
        PromptKey("$", "buy", "buy"),
    ),
    *(PromptKey("v", "v", "deck"), PromptKey("g", "g", "games"), QUIT_KEY),
)


class GameSession:
    """One session: the player, the bankroll, and the tables they visit."""

    def __init__(
        self,
        *,
        ui: TextInterface,
        bankroll: Bankroll,
        shuffler: Shuffler,
        load_house: Callable[[Game], House],
        seats: Sequence[int] = (1,),
        players: int = 0,
        coach: CoachThread | None = None,
        drill: bool = False,
        remember_meters: bool = True,
        opening: bool = False,
        open_table: OpenTable = memory_table,
    ) -> None:
        self.ui = ui
        self.bankroll = bankroll
        self.shuffler = shuffler
        self.load_house = load_house
        self.seats = seats
        self.players = players
        self.coach = coach
        self.drill = drill
        self.remember_meters = remember_meters
        self.opening = opening
        self.open_table = open_table
        self.start = (bankroll.amount, bankroll.saved.bought, bankroll.saved.rounds)
        self.history: list[tuple[str, str, Cents]] = []  # game, bets and net of every round

    def run(self, game: Game | None) -> None:
        """Play until the player quits."""
        try:
            table = self.sit_down(game) if game else self.choose_table()
            while True:
                try:
                    self.play_at(table)
                except PlayerLeft:
                    table.leave()
                    raise
                table.leave()
                table = self.choose_table()
        except PlayerLeft:
            self.show_farewell()

    def choose_table(self) -> TableSession:
        """Sit down at a table chosen from the menu."""
        error: CroupierError | None = None
        while True:
            game = self.choose_game(error)
            try:
                return self.sit_down(game)
            except CroupierError as refusal:
                error = refusal

    def sit_down(self, game: Game) -> TableSession:
        """Sit down at a table of the game with the whole bankroll."""
        house = self.load_house(game)
        check_betting(house, self.seats)
        meters = self.bankroll.meters(house.digest, house.meters) if self.remember_meters else {}
        service: Service = "attended" if self.opening else "practice"
        dealer = TableDealer(self.open_table(house, service, meters))
        dealer.clear_table()
        session = TableSession(
            dealer,
            ui=self.ui,
            bankroll=self.bankroll,
            shuffler=self.shuffler,
            seats=self.seats,
            players=self.players,
            coach=self.coach,
            drill=self.drill,
            remember_meters=self.remember_meters,
        )
        if self.opening:
            self.opening = False
            if cash := self.chips_to_buy(session, self.bankroll.amount):
                self.bankroll.buy(cash)
            self.show_opening(session)
        session.sit_down()
        table = session.table
        self.ui.set_side_panel(
            lambda width: rules_pages.paytables(house, table.meters, width=width),
            lambda width: [*self.coach_lines(), *self.history_lines(width)],
            lambda: self.coach.status(house) if self.coach else "",
        )
        return session

    def show_opening(self, session: TableSession) -> None:
        """Run the opening of an attended table step by step; q skips the rest."""
        opened, clock = session.dealer.opened, session.dealer.clock
        seat, cash = session.home, self.bankroll.amount
        run_opening(opened, self.ui.ask, self.show_text, clock, seat=seat, cash=cash)
        finish_opening(opened, clock, seat=seat, cash=cash)

    def show_text(self, text: str) -> None:
        """Show a line of plain text."""
        self.ui.show(line(text))

    # Menu.

    def choose_game(self, error: CroupierError | None = None) -> Game:
        """Show the menu until a game is chosen; `error` is why the last one was refused."""
        self.ui.show_scene(lambda width, height: self.menu())
        self.show_notices()
        if error:
            self.ui.show_error(error)
        while True:
            answer = self.ui.ask("game> ", [*MENU_KEYS[: len(catalogue())], QUIT_KEY])
            if answer == "q":
                raise PlayerLeft
            if not answer or answer == "?":
                self.ui.show(*self.menu())
                continue
            try:
                return input_parser.pick_game(answer)
            except (BadInput, UnknownGame) as problem:
                self.ui.show_error(problem)

    def menu(self) -> list[Line]:
        """The games with their numbers and taglines."""
        rows = [line(("Croupier", "title"), f"  bankroll {dollars(self.bankroll.amount)}"), ()]
        for number, game in enumerate(catalogue(), 1):
            rows.append(line((f"{number}  ", "key"), (game.title, "strong")))
            rows.append(line((f"   {game.tagline}", "quiet")))
        keys = "Type a number or the start of a name, q to quit. The chips are play money."
        return [*rows, (), line((keys, "quiet"))]

    # Table.

    def play_at(self, session: TableSession) -> None:
        """Play rounds at one table until the player asks for another game."""
        whole_slip = True
        while True:
            if cash := self.chips_to_buy(session, session.chips):
                session.buy(cash)
            self.show_bets(session, whole=whole_slip)
            self.show_notices()  # below the slip, which clears the screen
            rows = bet_slip.slip_rows(session.house, FIRST_SLIP_ROW) if whole_slip else NO_ROWS
            answer = self.ui.ask("bets> ", BET_KEYS, wager_rows=rows, risks_chips=True)
            whole_slip = True
            if answer == "q":
                raise PlayerLeft
            if answer in ("g", "game", "games", "menu"):
                return
            try:
                whole_slip = self.handle_answer(session, answer)
            except CroupierError as error:
                self.ui.show_error(error)
                whole_slip = False

    def handle_answer(self, session: TableSession, answer: str) -> bool:
        """Deal, change bets or answer a question; returns whether to show the whole slip again."""
        if answer in ("", "deal", "d"):
            if session.total > session.chips:
                have = dollars(session.chips)
                raise BadInput(
                    f"Not enough chips: these bets cost {dollars(session.total)}, you have {have}"
                )
            try:
                session.play_round()
            finally:
                self.add_to_history(session)
            return False
        if answer in ("l", "log", "history"):
            self.ui.show_page(self.history_lines)
            return self.ui.interactive
        if answer in ("v", "verify"):
            self.ui.show(*session.commitment_lines())
            return False
        if answer in ("buy", "rebuy"):
            session.buy(BUY_IN)
            self.ui.show(line(f"You buy chips for {dollars(BUY_IN)}."))
            return False
        if answer == "b":
            raise BadInput("b is a bet during a round; type buy for more chips")
        if self.ui.answer_question(answer, session.house, None, session.table.meters):
            return self.ui.interactive
        if answer not in ("c", "change", "bets"):
            session.change_bets(answer)
        return True

    def add_to_history(self, session: TableSession) -> None:
        """Add a finished round to the history."""
        current = session.table.round
        if current is None or not current.closed:
            return
        net = sum(current.boxes[seat].net for seat in session.seats)
        bets = bet_slip.stakes_line(session.house, session.stakes)
        self.history.append((session.house.game.title, f", {bets}", net))

    def history_lines(self, width: int) -> list[Line]:
        """The rounds of this session, the last one first; without bets on a narrow screen."""
        if not self.history:
            return [line("No rounds played yet.")]
        rows, total = [], 0
        for number, (title, bets, net) in enumerate(self.history, 1):
            style = "win" if net > 0 else "lose" if net < 0 else "push"
            total += net
            if width >= WIDE_HISTORY:
                rows.append(line(f"{number:>3}  {title}{bets}: ", (signed_dollars(net), style)))
            else:
                amounts = (f"{signed_dollars(net):>13}", style), f"{signed_dollars(total):>13}"
                rows.append(line(f"{number:>3}", *amounts))
        heading = "" if width >= WIDE_HISTORY else f"{'net':>4}{'total':>13}"
        return [line(("This session", "title"), heading), *reversed(rows)]

    def coach_lines(self) -> list[Line]:
        """The coach's totals, if there are any decisions."""
        if self.coach is None or not self.coach.totals.decisions:
            return []
        text = phrases.totals_line(self.coach.totals)
        return [line(("Coach: ", "label"), (text, "quiet"))]

    def show_bets(self, session: TableSession, *, whole: bool) -> None:
        """Show the bet slip with its limits, or only a line after a round."""
        house = session.house
        deck = f"deck {session.committed[:12]}"
        hands = f" on each of {len(session.seats)} hands" if len(session.seats) > 1 else ""
        if not whole:
            bets = bet_slip.stakes_line(house, session.stakes)
            if len(bets) > self.ui.width - 24:
                bets = f"the same {len(session.stakes)} bets"
            keys = f"Enter deals, c changes bets, v verifies, g games, q quits · {deck}"
            self.ui.show(
                *self.coach_lines(),
                line(("Next bets: ", "strong"), f"{bets}{hands} = {chip_amount(session.total)}."),
                *(() if self.ui.full_screen else (line((keys, "quiet")),)),
            )
            return
        limits = house.cite("limits")[0]
        rows = [
            line((house.game.title, "title"), f" at {house.operator}"),
            line(f"Place your bets{hands}: ", (chip_amount(session.total), "chips"), " of ")
            + line((dollars(session.chips), "strong"), ", limits ", cite(limits)),
            *bet_slip.slip_lines(house, session.stakes),
            *self.warnings(session),
            *(() if self.ui.full_screen else self.bet_help(house)),
            line((f"The {deck}... is shuffled and committed; v shows the full hash.", "quiet")),
        ]
        self.ui.show_scene(lambda width, height: rows)

    def bet_help(self, house: House) -> list[Line]:
        """What can be typed, and the progress of the coach."""
        status = self.coach.status(house) if self.coach else ""
        examples = f"Enter deals. 25 sets the {house.game.ante.title}. {side_bet_example(house)}"
        return [line((text, "quiet")) for text in (examples.rstrip(), BET_HELP, status) if text]

    def warnings(self, session: TableSession) -> list[Line]:
        """A warning if the chips left do not cover the later bets of the round."""
        game = session.house.game
        left = session.chips - session.total
        ante = session.stakes[game.ante.name] * len(session.seats)
        stay, highest = bet_slip.follow_up_costs(game)
        if left < 0:
            text = "You do not have enough chips for these bets."
        elif left < stay * ante:
            needed = chip_amount(stay * ante)
            text = f"Only {dollars(left)} left: you need {needed} to stay in, so you have to fold."
        elif left < highest * ante:
            text = f"Only {dollars(left)} left: not enough chips for a {highest}x bet."
        else:
            return []
        return [line((text, "refusal"))]

    def show_notices(self) -> None:
        """Show the notices of the bankroll, for example about a file that cannot be written."""
        for notice in self.bankroll.notices:
            self.ui.show(line((notice, "refusal")))
        self.bankroll.notices.clear()

    def chips_to_buy(self, session: TableSession, chips: Cents) -> Cents:
        """The cash to buy in for if the chips do not cover the minimum bets, else 0.

        Raises PlayerLeft if the player declines.
        """
        needed = sum(bet_slip.minimum_stakes(session.house).values()) * len(session.seats)
        if chips >= needed:
            return 0
        cash = max(BUY_IN, 10 * needed)
        text = f"You have {dollars(chips)}; the minimum bets here are {dollars(needed)}. "
        if not self.ui.confirm(f"{text}Buy chips for {dollars(cash)}?", default=True):
            raise PlayerLeft
        return cash

    def show_farewell(self) -> None:
        """Show the result of the session."""
        start_amount, start_bought, start_rounds = self.start
        saved = self.bankroll.saved
        rounds = counted(saved.rounds - start_rounds, "round")
        net = self.bankroll.amount - start_amount - (saved.bought - start_bought)
        lifetime = self.bankroll.amount - saved.bought
        self.ui.show_farewell(
            line(f"You leave with {dollars(self.bankroll.amount)} after {rounds}: ")
            + line((signed_dollars(net), "strong"), " this session, ")
            + line(f"{signed_dollars(lifetime)} in total."),
            *(self.coach.summary() if self.coach else ()),
            *(line((notice, "refusal")) for notice in self.bankroll.notices),
        )


def check_betting(house: House, seats: Sequence[int]) -> None:
    """Raise the refusal of a trial table if these seats cannot all bet."""
    trial = Table(house)
    for seat in sorted(seats):
        trial.do(cmd.PlaceWagers(seat, bet_slip.minimum_stakes(house), YOU.id))


def side_bet_example(house: House) -> str:
    """How to change a side wager of this table, as an example; "" without side wagers."""
    for wager in house.game.wagers:
        if wager.role == "optional" and house.offers(wager.name):
            word = wager.title.split()[0].lower()
            return f'"{word} 5" and "{word} off" change a side bet.'
    return ""
