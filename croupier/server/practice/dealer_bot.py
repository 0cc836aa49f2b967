"""The dealer bot of a practice table: takes bets, deals, waits for decisions, settles.

It sends commands like any other account, and deals from a deck that it has committed to before
the betting. Committed decks are stored in the accounts database, so that a round survives a
restart.
"""

from __future__ import annotations

import asyncio
import logging
import secrets

from sqlalchemy.exc import SQLAlchemyError

from croupier.clock import now_ms
from croupier.errors import CroupierError, Refusal
from croupier.ledger import Stale
from croupier.server import protocol as msg
from croupier.server.auth.accounts import Accounts
from croupier.server.practice.practice_drill import PracticeDrill
from croupier.server.practice.requests import CHIPS_MAX, forms_for
from croupier.server.practice.solved_games import SolvedGames
from croupier.server.tables.host import TableHost
from croupier.table import (
    Account,
    Command,
    Envelope,
    Table,
    may_settle,
    next_dealer_command,
    next_turn,
    one_by_one,
)
from croupier.table import commands as cmd
from croupier.table.drivers.bots import COMPANIONS, choose_option, passive_option
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler, commitment_of

DEALER = Account("dealer", "system")
COMPANION_NAMES = {companion.id for companion in COMPANIONS}
PAUSES: dict[msg.Pace, float] = {"slow": 2.0, "usual": 0.7, "fast": 0.2, "at_once": 0.0}
BETTING_MS = 20_000  # betting time for the others once a player asks for the deal
DECISION_MS = 45_000  # for a decision while other players wait
RETRY_MS = 1_000  # after a refusal or a failed write
DECKS_AHEAD = 8  # shuffled and stored with one write
ROUNDS_OF_CHIPS = 20  # per buy-in of a companion


Action = tuple[Command, Account]

log = logging.getLogger("croupier.server.practice.dealer_bot")


class DealerBot:
    """Runs one practice table. `run` is its task; `wake` makes it look for something to do."""

    def __init__(
        self,
        host: TableHost,
        accounts: Accounts,
        solved_games: SolvedGames,
        *,
        shuffler: Shuffler | None = None,
    ) -> None:
        self.host = host
        self.accounts = accounts
        self.drill = PracticeDrill(host, solved_games)
        self.shuffler = shuffler or Shuffler()
        self.pace: msg.Pace = "usual"
        self.companions = 0
        self.ready: set[str] = set()
        self._betting: set[str] = set()  # players whose bets are being executed
        self.closes_at: int | None = None
        self._decks: dict[str, CommittedDeck] = {}  # by commitment
        self._fresh: list[str] = []  # commitments not used yet
        self._used: list[str] = []  # commitments used, oldest first
        self._acting = False
        self._waits = False  # the last `next_command` was None
        self._awake = asyncio.Event()
        self._awake.set()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def table(self) -> Table:
        """The current table."""
        return self.host.table

    def wake(self) -> None:
        """Look again for something to do."""
        self._awake.set()

    async def run(self) -> None:
        """Serve the table until cancelled, which is safe between any two commands."""
        while True:
            await self._awake.wait()
            self._awake.clear()
            self._acting = True
            try:
                while await self._act():
                    await asyncio.sleep(PAUSES[self.pace] if self.table.dealing else 0)
            except Exception as error:  # another command came first, or a write failed
                level = logging.INFO if isinstance(error, Refusal | Stale) else logging.ERROR
                known = isinstance(error, CroupierError | SQLAlchemyError)
                log.log(
                    level,
                    "command failed; will retry",
                    exc_info=None if known else error,
                    extra={"table": self.host.id, "why": str(error)},
                )
                self._wake_in(RETRY_MS)
            self._pause()

    def _pause(self) -> None:
        self._acting = False
        if not self.busy:
            self.host.driver_paused()

    @property
    def instant(self) -> bool:
        """Whether it makes no pauses at all."""
        return self.pace == "at_once"

    @property
    def busy(self) -> bool:
        """Whether it acts without a pause, or is about to."""
        return self.instant and (self._acting or self._awake.is_set())

    async def _act(self) -> bool:
        """Execute the next command; False if a player has to act or time has to pass first."""
        await self._ensure_deck()
        await self.host.drain()  # a queued command may be the one it would send
        closes_at, envelope = self.closes_at, self._next(self.table)
        if envelope is not None:
            await self.host.execute(envelope)
        elif closes_at != self.closes_at:
            self.host.state_changed()
        return envelope is not None

    def next_command(self, table: Table) -> Envelope | None:
        """The command that follows at once at this table; None if it waits or pauses."""
        able = self.instant and self._has_deck(table)
        envelope = self._next(table) if able else None
        self._waits = able and envelope is None
        return envelope

    def batch_committed(self) -> None:
        """A batch that may contain its last `next_command` has been committed."""
        if not self._waits:
            self.wake()
        self._waits = False

    def _next(self, table: Table) -> Envelope | None:
        action = self._choose(table)
        if action is None:
            return None
        command, by = action
        return Envelope(f"dealer-{secrets.token_hex(12)}", by, now_ms(), command)

    # Decks

    def _has_deck(self, table: Table) -> bool:
        """Whether the deck that the table needs next is in memory."""
        commitment = table.fairness.commitment
        return commitment in self._decks or (bool(self._fresh) and not commitment)

    async def _ensure_deck(self) -> None:
        """Load the committed deck, which a previous server may have stored, or shuffle new ones."""
        commitment = self.table.fairness.commitment
        if commitment and commitment not in self._decks:
            saved = await asyncio.to_thread(self.accounts.saved_deck, self.host.id, commitment)
            if saved is not None and commitment_of(saved) == commitment:
                self._decks[commitment] = CommittedDeck.of(saved)
                self._used.append(commitment)
            elif saved is not None:  # as if it were lost: it is never dealt
                log.error("a stored deck was changed", extra={"table": self.host.id})
        if not self._fresh and commitment not in self._decks:
            await self._shuffle()

    async def _shuffle(self) -> None:
        """Shuffle several decks; each is stored before its commitment is published."""
        # A commitment being written may yet fail, so the deck of the current one is kept.
        current = self.table.fairness.commitment
        last = self._used.index(current) if current in self._used else len(self._used) - 1
        played, self._used = self._used[: max(last, 0)], self._used[max(last, 0) :]
        new = await self.drill.decks(self.shuffler) or [
            self.shuffler.deck() for _ in range(DECKS_AHEAD)
        ]
        decks = {deck.commitment: deck for deck in new}
        revealed = {commitment: deck.revealed for commitment, deck in decks.items()}
        await asyncio.to_thread(self.accounts.save_decks, self.host.id, revealed, played)
        for commitment in played:
            self._decks.pop(commitment, None)
        self._decks |= decks
        self._fresh += [deck.commitment for deck in new]

    def _set_drill(self, on: bool) -> None:
        """Replace the decks that were shuffled ahead, now and when the game is solved."""
        if not self.host.is_private:
            raise self.table.refusal("drills are for private tables", "seated")
        self.companions = 0 if on else self.companions
        self.drill.switch(on, self._renew_decks)
        self._renew_decks()

    def _renew_decks(self) -> None:
        self._used[:0] = self._fresh  # to be deleted with the played ones
        self._fresh = []
        self.host.state_changed()
        self.wake()

    # The next action

    def _choose(self, table: Table) -> Action | None:
        """The next action; None if a player has to act or time has to pass first."""
        if table.dealing is not None:
            return self._serve_round(table)
        fairness = table.fairness
        if fairness.dealt and fairness.commitment in self._decks:
            return cmd.RevealDeck(self._decks[fairness.commitment].revealed), DEALER
        if fairness.commitment not in self._decks:  # none, or lost (an audit reports it)
            self._used.append(self._fresh.pop(0))
            return cmd.CommitDeck(self._used[-1]), DEALER
        return self._seat_companions(table) or self._take_bets(table)

    # Before the deal

    def _humans(self, table: Table) -> list[str]:
        return [name for name in table.seats.taken.values() if not self._is_companion(name)]

    def _companions(self) -> tuple[Account, ...]:
        return tuple(each for each in COMPANIONS if self._is_companion(each.id))

    def _is_companion(self, name: str) -> bool:
        """Whether it is the name of a companion, and of no account, which is a person's."""
        return name in COMPANION_NAMES and name not in self.accounts.register.aggregate.accounts

    def _seat_companions(self, table: Table) -> Action | None:
        """Seat or remove one companion, while there are no wagers."""
        if table.open_round is not None and table.open_round.boxes:
            return None
        here = {name: seat for seat, name in table.seats.taken.items()}
        companions = self._companions()
        sitting = [companion for companion in companions if companion.id in here]
        wanted = self.companions if self._humans(table) else 0
        free = [
            seat for seat in range(table.house.positions, 0, -1) if seat not in table.seats.taken
        ]
        if len(sitting) > wanted:
            return cmd.Leave(here[sitting[-1].id]), sitting[-1]
        absent = [companion for companion in companions if companion.id not in here]
        if len(sitting) < wanted and absent and len(free) > 1:  # one seat stays free for a player
            return cmd.SitDown(free[0]), absent[0]
        return None

    def _take_bets(self, table: Table) -> Action | None:
        current = table.open_round
        bettors = {box.player for box in current.boxes.values()} if current else set()
        if not any(name in bettors for name in self._humans(table)):
            self.ready &= self._betting
            self.closes_at = None
            return None
        for companion in self._companions():
            seat = table.seats.seat_of(companion.id)
            if seat is not None and companion.id not in bettors:
                return self._bet_for(table, companion, seat)
        if self._betting_over(table):
            self.ready.clear()
            self.closes_at = None
            return cmd.NoMoreBets(), DEALER
        return None

    def _betting_over(self, table: Table) -> bool:
        """Whether every present player is ready, or the time to bet is over."""
        if not any(table.boxes_of(name) for name in self.ready):
            return False
        if not self.waits_for(table):
            return True
        if self.closes_at is None:
            self.closes_at = now_ms() + BETTING_MS
        left = self.closes_at - now_ms()
        if left > 0:
            self._wake_in(left)
        return left <= 0

    def waits_for(self, table: Table) -> tuple[str, ...]:
        """Seated and present players who have not both bet and asked for the deal."""
        return tuple(
            name
            for name in self._humans(table)
            if not (name in self.ready and table.boxes_of(name)) and self.host.is_present(name)
        )

    def _bet_for(self, table: Table, companion: Account, seat: int) -> Action:
        act = table.command_spec(cmd.PlaceWagers)
        assert act is not None
        offers = (o for o in act.offers(table, now_ms()) if companion in (o.who or ()))
        offer = next(offers, None)
        stakes = dict(offer.fields["wagers"].example()) if offer is not None else {}
        terms = table.house.progressive
        if terms is not None and table.house.offers("progressive"):
            stakes["progressive"] = terms.stake
        game = table.house.game
        highest = sum(max(o.times for o in street.options) for street in game.streets)
        least = table.house.limits[game.ante.name].minimum
        enough = sum(stakes.values()) + highest * stakes.get(game.ante.name, least) + least
        if not stakes or table.book.rack(companion.id) < enough:
            return cmd.BuyIn(seat, ROUNDS_OF_CHIPS * (enough + 10 * least)), DEALER
        return cmd.PlaceWagers(seat, stakes), companion

    # The round

    def _serve_round(self, table: Table) -> Action | None:
        due, current = table.due(), table.dealing
        assert current is not None
        if due.kind == "decide":
            return self._decide(table, due.seat)
        if due.kind == "settle" and not self.instant:
            return self._settle(table), DEALER
        deck, dealt = self._decks.get(table.fairness.commitment), len(table.fairness.dealt)
        if due.kind == "deal" and deck is None:  # it is lost: all wagers are returned
            return cmd.FindWrongNumber(f"seat {min(current.boxes)}"), DEALER
        left = deck.cards[dealt:] if deck is not None else ()
        command = next_dealer_command(due, lambda count: left[:count])
        return (command, DEALER) if command is not None else None

    def _settle(self, table: Table) -> cmd.Command:
        """The next act of the showdown, with a pause before each: one seat, then the next."""
        current = table.in_progress()
        if not one_by_one(table.house) and not may_settle(current):
            return cmd.Showdown()
        turn = next_turn(current)
        return cmd.Settle() if turn is None else cmd.SettleSeat(turn.seat)

    def _decide(self, table: Table, seat: int) -> Action | None:
        """The decision of a companion or of a player who has left; others are waited for."""
        current = table.dealing
        assert current is not None and current.street is not None
        box = current.boxes[seat]
        if self._is_companion(box.player):
            word, _ = choose_option(current, current.street, box)
            return cmd.Decide(seat, word), Account(box.player, "player")
        if box.player in table.seats.absent:
            return cmd.Decide(seat, passive_option(current.street).word), DEALER
        return self._walk_away(table, box.player)

    def decide_by(self, table: Table) -> int | None:
        """The end of the time for the decision that is due; None while nobody else waits.

        It starts with the decision, or when the first of the others arrives.
        """
        due, current = table.due(), table.dealing
        if due.kind != "decide" or current is None:
            return None
        player = current.boxes[due.seat].player
        if self._is_companion(player) or player in table.seats.absent:
            return None
        others = [name for name in self._humans(table) if name != player]
        arrived = self.host.present_since(others)
        return None if arrived is None else max(table.clock, arrived) + DECISION_MS

    def presence_changed(self) -> None:
        """Somebody has opened or closed a feed, which may start or end the time to decide."""
        if self.table.due().kind == "decide" and len(self._humans(self.table)) > 1:
            self.host.state_changed()
        self.wake()

    def _walk_away(self, table: Table, player: str) -> Action | None:
        """Record that a player has left, when the time to decide is over."""
        decide_by, now = self.decide_by(table), now_ms()
        if decide_by is None:
            return None
        if now < decide_by:
            self._wake_in(decide_by - now)
            return None
        return self._leave_round(table, player)

    def _leave_round(self, table: Table, player: str) -> Action:
        home = table.seats.seat_of(player)
        assert home is not None
        return cmd.RecordWalkAway(home), DEALER

    def _wake_in(self, milliseconds: int) -> None:
        """Look again later, unless it looks earlier anyway; each look sets the next timer."""
        loop = asyncio.get_running_loop()
        until = loop.time() + milliseconds / 1000 + 0.005
        if self._timer is None or self._timer.when() <= loop.time() or until < self._timer.when():
            if self._timer is not None:
                self._timer.cancel()
            self._timer = loop.call_at(until, self.wake)

    # Requests of players

    async def ask(self, request: msg.Ask, by: Account, id: str) -> None:
        """Carry out the request of a seated player; raises Refusal."""
        seat = self.table.seats.seat_of(by.id)
        if by.role != "player" or seat is None:
            raise self.table.refusal(f"{by} is not seated at this table", "seated")
        match request:
            case msg.Deal(wagers=wagers) if wagers:
                await self._bet(by, seat, wagers, id)
                return
            case msg.Deal():
                if self.table.dealing is not None or not self.table.boxes_of(by.id):
                    raise self.table.refusal("place a wager first", "required")
                self.ready.add(by.id)
            case msg.BuyChips(cash=cash):
                if not 1 <= cash <= CHIPS_MAX - self.table.book.rack(by.id):
                    raise self.table.refusal(
                        f"buying {cash} cents would exceed the play-chip limit", "chips"
                    )
                await self.host.execute(Envelope(id, DEALER, now_ms(), cmd.BuyIn(seat, cash)))
            case msg.LeaveTable():
                await self._leave(by, seat, id)
            case msg.SetPace(pace=pace):
                self.pace = pace
            case msg.SetCompanions(count=count):
                self.companions = max(0, min(count, len(COMPANIONS)))
            case msg.SetDrill(on=on):
                self._set_drill(on)
        self.host.state_changed()
        self.wake()

    async def _bet(self, by: Account, seat: int, wagers: dict[str, int], id: str) -> None:
        """Place a player's wagers and mark them ready; idempotent by id."""
        self.ready.add(by.id)  # before executing, so that bets of one batch count together
        self._betting.add(by.id)
        try:
            await self.host.execute(Envelope(id, by, now_ms(), cmd.PlaceWagers(seat, wagers)))
        finally:
            self._betting.discard(by.id)
            if self.table.dealing is not None or not self.table.boxes_of(by.id):
                self.ready.discard(by.id)

    async def _leave(self, by: Account, seat: int, id: str) -> None:
        """Take a player from the table at any time; a hand in play is finished without a bet."""
        if self.table.dealing is not None and self.table.boxes_of(by.id):
            command, account = self._leave_round(self.table, by.id)
            await self.host.execute(Envelope(id, account, now_ms(), command))
            return
        for box in sorted(self.table.boxes_of(by.id), key=lambda box: box == seat):
            assert self.table.open_round is not None
            none = dict.fromkeys(self.table.open_round.boxes[box].stakes, 0)
            await self.host.execute(
                Envelope(f"{id} box {box}", by, now_ms(), cmd.PlaceWagers(box, none))
            )
        await self.host.execute(Envelope(id, by, now_ms(), cmd.Leave(seat)))

    def card_for(self, account: Account) -> msg.DealerCard:
        """Its settings and the requests that this account can make."""
        return msg.DealerCard(
            pace=self.pace,
            companions=self.companions,
            commitment=self.table.fairness.commitment,
            waits_for=self.waits_for(self.table) if self.ready else (),
            closes_at=self.closes_at,
            decide_by=self.decide_by(self.table),
            decision_ms=DECISION_MS,
            drill=self.drill.state,
            asks=forms_for(
                self.table,
                account,
                self.ready,
                self.pace,
                self.companions,
                len(COMPANIONS),
                self.drill.is_on,
            ),
        )
