"""The machine that runs a practice table: it takes wagers, deals, asks, settles, and goes on.

It acts through the same door as everybody, from a deck that it committed to before anybody bet.
The deck is kept beside the accounts, so that a round survives the server.
"""

from __future__ import annotations

import asyncio
import logging
import secrets

from croupier.clock import now_ms
from croupier.errors import CroupierError, Refusal
from croupier.server import protocol as msg
from croupier.server.auth.accounts import Accounts
from croupier.server.practice.requests import MOST_CHIPS, forms_for
from croupier.server.tables.host import TableHost
from croupier.table import Account, Command, Envelope, Table, next_dealer_command
from croupier.table import commands as cmd
from croupier.table.drivers.bots import COMPANIONS, choose_option, passive_option
from croupier.table.drivers.shuffler import CommittedDeck, Shuffler

DEALER = Account("dealer", "system")
PAUSES: dict[msg.Pace, float] = {"slow": 2.0, "usual": 0.7, "fast": 0.2, "at_once": 0.0}
PATIENCE_MS = 20_000  # for others who have not bet, after the first player said "deal"
AWAY_MS = 60_000  # until a player who is gone stops holding others up
RETRY_SECONDS = 1.0  # after the record could not be written
DECKS_AHEAD = 8  # shuffled and kept with one write
ROUNDS_OF_CHIPS = 20  # that a companion buys at once

MACHINES = frozenset(companion.id for companion in COMPANIONS)

Said = tuple[Command, Account]

log = logging.getLogger("croupier.server.practice.dealer_bot")


class DealerBot:
    """One practice table, run by itself. `run` is its task; `wake` says that something happened."""

    def __init__(
        self, desk: TableHost, accounts: Accounts, *, shuffler: Shuffler | None = None
    ) -> None:
        self.desk = desk
        self.accounts = accounts
        self.shuffler = shuffler or Shuffler()
        self.pace: msg.Pace = "usual"
        self.companions = 0
        self.ready: set[str] = set()
        self._betting: set[str] = set()  # those whose bets are on their way
        self.closes_at: int | None = None
        self._decks: dict[str, CommittedDeck] = {}  # those at hand, by their commitments
        self._fresh: list[str] = []  # those of them that nobody has committed to
        self._used: list[str] = []  # those that somebody has, in order
        self._gone: dict[str, int] = {}  # players who are asked and not there, and since when
        self._acting = False
        self._waits = False  # it had nothing to say when it was asked last what follows
        self._awake = asyncio.Event()
        self._awake.set()

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.desk.table

    def wake(self) -> None:
        """Something happened: look again what is to be done."""
        self._awake.set()

    async def run(self) -> None:
        """Serve the table until cancelled; between two commands nothing is half done."""
        while True:
            await self._awake.wait()
            self._awake.clear()
            self._acting = True
            try:
                while await self._act():
                    await asyncio.sleep(PAUSES[self.pace] if self.table.dealing else 0)
                self._rest()
            except Refusal as refusal:  # somebody else was faster: look again
                log.info("refused", extra={"table": self.desk.id, "why": str(refusal)})
                self._rest()
                await asyncio.sleep(RETRY_SECONDS)
                self.wake()
            except CroupierError as error:
                log.error("the table waits", extra={"table": self.desk.id, "why": str(error)})
                self._rest()
                await asyncio.sleep(RETRY_SECONDS)
                self.wake()

    def _rest(self) -> None:
        self._acting = False
        if not self.busy:
            self.desk.rest()

    @property
    def hurries(self) -> bool:
        """Whether it makes no pauses."""
        return self.pace == "at_once"

    @property
    def busy(self) -> bool:
        """Whether it acts without a pause, or is about to."""
        return self.hurries and (self._acting or self._awake.is_set())

    async def _act(self) -> bool:
        """Do the next thing; False if somebody else has to act first, or time has to pass."""
        await self._provide()
        await self.desk.finish()  # what is on its way may be what it would do
        closes_at, said = self.closes_at, self._next(self.table)
        if said is not None:
            await self.desk.execute(said)
        elif closes_at != self.closes_at:
            self.desk.change()
        return said is not None

    def following(self, table: Table) -> Envelope | None:
        """What it does at once at a table as it will be; None if it waits, or takes its time."""
        able = self.hurries and self._has_deck(table)
        said = self._next(table) if able else None
        self._waits = able and said is None
        return said

    def moved(self) -> None:
        """The table has become what `following` was asked of last, or something else."""
        if not self._waits:
            self.wake()
        self._waits = False

    def _next(self, table: Table) -> Envelope | None:
        """What it does next at a table, with its decks at hand."""
        said = self._choose(table)
        if said is None:
            return None
        command, by = said
        return Envelope(f"dealer-{secrets.token_hex(12)}", by, now_ms(), command)

    # Decks

    def _has_deck(self, table: Table) -> bool:
        """Whether the deck that the table needs next is at hand."""
        standing = table.fairness
        if standing.commitment in self._decks:
            return True
        return bool(self._fresh) and not standing.commitment

    async def _provide(self) -> None:
        """Have decks at hand, those that an earlier server committed to included."""
        commitment = self.table.fairness.commitment
        if commitment and commitment not in self._decks:
            kept = await asyncio.to_thread(self.accounts.kept_deck, self.desk.id, commitment)
            if kept is not None:
                self._decks[commitment] = CommittedDeck.of(kept)
                self._used.append(commitment)
        if not self._fresh and commitment not in self._decks:
            await self._shuffle()

    async def _shuffle(self) -> None:
        """Several decks at once: each is on the disk before anybody is told its commitment."""
        # What is on its way to the record may stand for the last one, and need not arrive.
        standing = self.table.fairness.commitment
        last = self._used.index(standing) if standing in self._used else len(self._used) - 1
        played, self._used = self._used[: max(last, 0)], self._used[max(last, 0) :]
        new = [self.shuffler.deck() for _ in range(DECKS_AHEAD)]
        decks = {deck.commitment: deck for deck in new}
        kept = {commitment: deck.revealed for commitment, deck in decks.items()}
        await asyncio.to_thread(self.accounts.keep_decks, self.desk.id, kept, played)
        for commitment in played:
            self._decks.pop(commitment, None)
        self._decks |= decks
        self._fresh += [deck.commitment for deck in new]

    # One thing after the other

    def _choose(self, table: Table) -> Said | None:
        """The next thing to do; None if somebody else has to act first, or time has to pass."""
        if table.dealing is not None:
            return self._serve_round(table)
        standing = table.fairness
        if standing.dealt and standing.commitment in self._decks:
            return cmd.RevealDeck(self._decks[standing.commitment].revealed), DEALER
        if standing.commitment not in self._decks:  # none yet; or lost, as an audit will say
            self._used.append(self._fresh.pop(0))
            return cmd.CommitDeck(self._used[-1]), DEALER
        return self._seat_companions(table) or self._take_bets(table)

    # Before the deal

    def _humans(self, table: Table) -> list[str]:
        return [name for name in table.seats.taken.values() if name not in MACHINES]

    def _seat_companions(self, table: Table) -> Said | None:
        """Let companions come and go, one at a time, while no wager lies there."""
        if table.open_round is not None and table.open_round.boxes:
            return None
        here = {name: seat for seat, name in table.seats.taken.items()}
        sitting = [each for each in COMPANIONS if each.id in here]
        wanted = self.companions if self._humans(table) else 0
        free = [seat for seat in range(6, 0, -1) if seat not in table.seats.taken]
        if len(sitting) > wanted:
            return cmd.Leave(here[sitting[-1].id]), sitting[-1]
        coming = [each for each in COMPANIONS if each.id not in here]
        if len(sitting) < wanted and len(free) > 1:  # a seat stays for whoever comes
            return cmd.SitDown(free[0]), coming[0]
        return None

    def _take_bets(self, table: Table) -> Said | None:
        current = table.open_round
        bettors = {box.player for box in current.boxes.values()} if current else set()
        if not any(name in bettors for name in self._humans(table)):
            self.ready &= self._betting
            self.closes_at = None
            return None
        for companion in COMPANIONS:
            seat = table.seats.seat_of(companion.id)
            if seat is not None and companion.id not in bettors:
                return self._bet_for(table, companion, seat)
        if self._closes(table):
            self.ready.clear()
            self.closes_at = None
            return cmd.NoMoreBets(), DEALER
        return None

    def _closes(self, table: Table) -> bool:
        """Whether everybody who is there is ready, or has been waited for long enough."""
        if not any(table.boxes_of(name) for name in self.ready):
            return False
        if not self.waits_for(table):
            return True
        if self.closes_at is None:
            self.closes_at = now_ms() + PATIENCE_MS
            self._wake_in(PATIENCE_MS)
        return now_ms() >= self.closes_at

    def waits_for(self, table: Table) -> tuple[str, ...]:
        """The players who sit and look on, and have not bet and said that they are ready."""
        return tuple(
            name
            for name in self._humans(table)
            if not (name in self.ready and table.boxes_of(name)) and self.desk.present(name)
        )

    def _bet_for(self, table: Table, companion: Account, seat: int) -> Said:
        act = table.command_spec(cmd.PlaceWagers)
        assert act is not None
        offers = (one for one in act.offers(table, now_ms()) if companion in (one.who or ()))
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

    def _serve_round(self, table: Table) -> Said | None:
        due, current = table.due(), table.dealing
        assert current is not None
        if due.kind == "decide":
            return self._ask(table, due.seat)
        if due.kind == "settle" and not current.hands_shown:
            return cmd.Showdown(), DEALER
        deck, gone = self._decks.get(table.fairness.commitment), len(table.fairness.dealt)
        if due.kind == "deal" and deck is None:  # nobody has it any more: every wager goes back
            return cmd.FindWrongNumber(f"seat {min(current.boxes)}"), DEALER
        left = deck.cards[gone:] if deck is not None else ()
        command = next_dealer_command(due, lambda count: left[:count])
        return (command, DEALER) if command is not None else None

    def _ask(self, table: Table, seat: int) -> Said | None:
        """A companion answers; a person is waited for, unless gone while others wait."""
        current = table.dealing
        assert current is not None and current.street is not None
        box = current.boxes[seat]
        for companion in COMPANIONS:
            if box.player == companion.id:
                word, _ = choose_option(current, current.street, box)
                return cmd.Decide(seat, word), companion
        if box.player in table.seats.absent:
            return cmd.Decide(seat, passive_option(current.street).word), DEALER
        return self._miss(table, box.player)

    def _miss(self, table: Table, player: str) -> Said | None:
        """A player who is asked: gone for a minute while others look on is gone."""
        here = self.desk.present(player)
        if here or not any(
            name != player and self.desk.present(name) for name in self._humans(table)
        ):
            self._gone.pop(player, None)
            return None
        since = self._gone.setdefault(player, now_ms())
        if now_ms() - since < AWAY_MS:
            self._wake_in(AWAY_MS - (now_ms() - since))
            return None
        del self._gone[player]
        home = table.seats.seat_of(player)
        assert home is not None
        return cmd.RecordWalkAway(home), DEALER

    def _wake_in(self, milliseconds: int) -> None:
        asyncio.get_running_loop().call_later(milliseconds / 1000 + 0.005, self.wake)

    # What players ask of it

    async def ask(self, given: msg.Ask, by: Account, id: str) -> None:
        """Do what a seated player asks for; refused like a command."""
        seat = self.table.seats.seat_of(by.id)
        if by.role != "player" or seat is None:
            raise self.table.refusal(f"{by} does not sit here", "seated")
        match given:
            case msg.Deal(wagers=wagers) if wagers:
                await self._bet(by, seat, wagers, id)
                return
            case msg.Deal():
                if self.table.dealing is not None or not self.table.boxes_of(by.id):
                    raise self.table.refusal("a wager comes first", "required")
                self.ready.add(by.id)
            case msg.BuyChips(cash=cash):
                if not 1 <= cash <= MOST_CHIPS - self.table.book.rack(by.id):
                    raise self.table.refusal(f"{cash} cents are more than is lent here", "chips")
                await self.desk.execute(Envelope(id, DEALER, now_ms(), cmd.BuyIn(seat, cash)))
            case msg.SetPace(pace=pace):
                self.pace = pace
            case msg.SetCompanions(count=count):
                self.companions = max(0, min(count, len(COMPANIONS)))
        self.desk.change()
        self.wake()

    async def _bet(self, by: Account, seat: int, wagers: dict[str, int], id: str) -> None:
        """A player bets and is ready; said again under the same id it changes nothing."""
        self.ready.add(by.id)  # first: those who bet together may all be ready together
        self._betting.add(by.id)
        try:
            await self.desk.execute(Envelope(id, by, now_ms(), cmd.PlaceWagers(seat, wagers)))
        finally:
            self._betting.discard(by.id)
            if self.table.dealing is not None or not self.table.boxes_of(by.id):
                self.ready.discard(by.id)

    def told(self, account: Account) -> msg.DealerCard:
        """What one viewer is told about it."""
        return msg.DealerCard(
            pace=self.pace,
            companions=self.companions,
            commitment=self.table.fairness.commitment,
            waits_for=self.waits_for(self.table) if self.ready else (),
            closes_at=self.closes_at,
            asks=forms_for(
                self.table, account, self.ready, self.pace, self.companions, len(COMPANIONS)
            ),
        )
