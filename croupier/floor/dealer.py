"""The machine that runs a practice table: it takes wagers, deals, asks, settles, and goes on.

It acts through the same door as everybody, from a deck that it committed to before anybody bet.
The deck is kept beside the accounts, so that a round survives the server.
"""

from __future__ import annotations

import asyncio
import logging
import secrets

from croupier.cards import names
from croupier.errors import CroupierError, Refusal
from croupier.floor import messages as msg
from croupier.floor.accounts import Accounts, now
from croupier.floor.asking import MOST_CHIPS, forms_for
from croupier.floor.desk import Desk
from croupier.table import Account, Command, Envelope, Event, Table
from croupier.table import commands as cmd
from croupier.table.committed import Committed, Shuffler
from croupier.table.companions import COMPANIONS, choose, waiting

DEALER = Account("dealer", "system")
PAUSES: dict[msg.Pace, float] = {"slow": 2.0, "usual": 0.7, "fast": 0.2, "at_once": 0.0}
PATIENCE_MS = 20_000  # for others who have not bet, after the first player said "deal"
AWAY_MS = 60_000  # until a player who is gone stops holding others up
RETRY_SECONDS = 1.0  # after the record could not be written
DECKS_AHEAD = 8  # shuffled and kept with one write
ROUNDS_OF_CHIPS = 20  # that a companion buys at once

log = logging.getLogger("croupier.floor.dealer")


class MachineDealer:
    """One practice table, run by itself. `run` is its task; `wake` says that something happened."""

    def __init__(self, desk: Desk, accounts: Accounts, *, shuffler: Shuffler | None = None) -> None:
        self.desk = desk
        self.accounts = accounts
        self.shuffler = shuffler or Shuffler()
        self.pace: msg.Pace = "usual"
        self.companions = 0
        self.ready: set[str] = set()
        self.closes_at: int | None = None
        self.deck: Committed | None = None
        self._ahead: list[Committed] = []  # decks that are kept already
        self._played: list[str] = []  # the commitments of those before
        self._gone: dict[str, int] = {}  # players who are asked and not there, and since when
        self._acting = False
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
    def busy(self) -> bool:
        """Whether it acts without a pause, or is about to."""
        return self.pace == "at_once" and (self._acting or self._awake.is_set())

    async def _do(self, command: Command, by: Account = DEALER) -> tuple[Event, ...]:
        envelope = Envelope(f"dealer-{secrets.token_hex(12)}", by, now(), command)
        return (await self.desk.carry_out(envelope)).events

    # One thing after the other

    async def _act(self) -> bool:
        """Do the next thing; False if somebody else has to act first, or time has to pass."""
        if self.table.dealing is not None:
            return await self._serve_round()
        if self.table.fairness.dealt:
            return await self._reveal()
        if not self.table.fairness.commitment:
            return await self._commit()
        if self.deck is None and not await self._find_deck():
            return await self._commit()  # it was lost: an audit will say so
        return await self._seat_companions() or await self._take_bets()

    async def _commit(self) -> bool:
        if not self._ahead:
            await self._shuffle()
        await self._do(cmd.CommitDeck(self._ahead[0].commitment))
        self.deck = self._ahead.pop(0)
        return True

    async def _shuffle(self) -> None:
        """Several decks at once: each is on the disk before anybody is told its commitment."""
        decks = [self.shuffler.deck() for _ in range(DECKS_AHEAD)]
        kept = {deck.commitment: deck.revealed for deck in decks}
        await asyncio.to_thread(self.accounts.keep_decks, self.desk.id, kept, self._played)
        self._ahead, self._played = decks, []

    async def _reveal(self) -> bool:
        if self.deck is None and not await self._find_deck():
            return await self._commit()
        assert self.deck is not None
        await self._do(cmd.RevealDeck(self.deck.revealed))
        self._played.append(self.deck.commitment)
        self.deck = None
        return True

    async def _find_deck(self) -> bool:
        """The deck that an earlier server committed to."""
        commitment = self.table.fairness.commitment
        kept = await asyncio.to_thread(self.accounts.kept_deck, self.desk.id, commitment)
        if kept is None:
            return False
        self.deck = Committed.of(kept)
        return True

    # Before the deal

    def _humans(self) -> list[str]:
        machines = {companion.id for companion in COMPANIONS}
        return [name for name in self.table.seats.taken.values() if name not in machines]

    async def _seat_companions(self) -> bool:
        """Let companions come and go, one at a time, while no wager lies there."""
        if self.table.open_round is not None and self.table.open_round.boxes:
            return False
        here = {name: seat for seat, name in self.table.seats.taken.items()}
        sitting = [each for each in COMPANIONS if each.id in here]
        wanted = self.companions if self._humans() else 0
        free = [seat for seat in range(6, 0, -1) if seat not in self.table.seats.taken]
        if len(sitting) > wanted:
            await self._do(cmd.Leave(here[sitting[-1].id]), sitting[-1])
            return True
        coming = [each for each in COMPANIONS if each.id not in here]
        if len(sitting) < wanted and len(free) > 1:  # a seat stays for whoever comes
            await self._do(cmd.SitDown(free[0]), coming[0])
            return True
        return False

    async def _take_bets(self) -> bool:
        current = self.table.open_round
        bettors = {box.player for box in current.boxes.values()} if current else set()
        humans = [name for name in self._humans() if name in bettors]
        if not humans:
            self._forget()
            return False
        for companion in COMPANIONS:
            seat = self.table.seats.seat_of(companion.id)
            if seat is not None and companion.id not in bettors:
                return await self._bet_for(companion, seat)
        if self._closes():
            self._forget()
            await self._do(cmd.NoMoreBets())
            return True
        return False

    def _forget(self) -> None:
        self.ready.clear()
        self.closes_at = None

    def _closes(self) -> bool:
        """Whether everybody who is there is ready, or has been waited for long enough."""
        if not self.ready:
            return False
        if not self.waits_for():
            return True
        if self.closes_at is None:
            self.closes_at = now() + PATIENCE_MS
            self._wake_in(PATIENCE_MS)
            self.desk.change()
        return now() >= self.closes_at

    def waits_for(self) -> tuple[str, ...]:
        """The players who sit and look on, and have not said that they are ready."""
        return tuple(
            name for name in self._humans() if name not in self.ready and self.desk.present(name)
        )

    async def _bet_for(self, companion: Account, seat: int) -> bool:
        act = self.table.act(cmd.PlaceWagers)
        assert act is not None
        offers = (one for one in act.offers(self.table, now()) if companion in (one.who or ()))
        offer = next(offers, None)
        stakes = dict(offer.forms["wagers"].example()) if offer is not None else {}
        terms = self.table.house.progressive
        if terms is not None and self.table.house.offers("progressive"):
            stakes["progressive"] = terms.stake
        game = self.table.house.game
        highest = sum(max(o.times for o in street.options) for street in game.streets)
        least = self.table.house.limits[game.ante.name].minimum
        enough = sum(stakes.values()) + highest * stakes.get(game.ante.name, least) + least
        if not stakes or self.table.book.rack(companion.id) < enough:
            await self._do(cmd.BuyIn(seat, ROUNDS_OF_CHIPS * (enough + 10 * least)))
            return True
        await self._do(cmd.PlaceWagers(seat, stakes), companion)
        return True

    # The round

    async def _serve_round(self) -> bool:
        due, current = self.table.due(), self.table.dealing
        assert current is not None
        match due.kind:
            case "deal":
                return await self._deal(due.cards)
            case "show":
                await self._do(cmd.ShowStreet())
            case "decide":
                return await self._ask(due.seat)
            case "settle" if not current.hands_shown:
                await self._do(cmd.Showdown())
            case "settle":
                await self._do(cmd.Settle())
            case _:
                return False
        return True

    async def _deal(self, count: int) -> bool:
        if self.deck is None and not await self._find_deck():
            # Nobody has the deck any more: every wager goes back.
            current = self.table.dealing
            assert current is not None
            await self._do(cmd.FindWrongNumber(f"seat {min(current.boxes)}"))
            return True
        assert self.deck is not None
        gone = len(self.table.fairness.dealt)
        await self._do(cmd.DealCards(tuple(names(self.deck.cards[gone : gone + count]))))
        return True

    async def _ask(self, seat: int) -> bool:
        """A companion answers; a person is waited for, unless gone while others wait."""
        current = self.table.dealing
        assert current is not None and current.street is not None
        box = current.boxes[seat]
        for companion in COMPANIONS:
            if box.player == companion.id:
                word, _ = choose(current, current.street, box)
                await self._do(cmd.Decide(seat, word), companion)
                return True
        if box.player in self.table.seats.absent:
            await self._do(cmd.Decide(seat, waiting(current.street).word))
            return True
        return await self._miss(box.player)

    async def _miss(self, player: str) -> bool:
        """A player who is asked: gone for a minute while others look on is gone."""
        others = [name for name in self._humans() if name != player and self.desk.present(name)]
        if self.desk.present(player) or not others:
            self._gone.pop(player, None)
            return False
        since = self._gone.setdefault(player, now())
        if now() - since < AWAY_MS:
            self._wake_in(AWAY_MS - (now() - since))
            return False
        del self._gone[player]
        home = self.table.seats.seat_of(player)
        assert home is not None
        await self._do(cmd.RecordWalkAway(home))
        return True

    def _wake_in(self, milliseconds: int) -> None:
        asyncio.get_running_loop().call_later(milliseconds / 1000 + 0.005, self.wake)

    # What players ask of it

    async def ask(self, given: msg.Ask, by: Account, id: str) -> None:
        """Do what a seated player asks for; refused like a command."""
        seat = self.table.seats.seat_of(by.id)
        if by.role != "player" or seat is None:
            raise self.table.refusal(f"{by} does not sit here", "seated")
        match given:
            case msg.Deal(wagers=wagers):
                await self._ready(by, seat, wagers, id)
            case msg.BuyChips(cash=cash):
                if not 1 <= cash <= MOST_CHIPS - self.table.book.rack(by.id):
                    raise self.table.refusal(f"{cash} cents are more than is lent here", "chips")
                await self.desk.carry_out(Envelope(id, DEALER, now(), cmd.BuyIn(seat, cash)))
            case msg.SetPace(pace=pace):
                self.pace = pace
            case msg.SetCompanions(count=count):
                self.companions = max(0, min(count, len(COMPANIONS)))
        self.desk.change()
        self.wake()

    async def _ready(self, by: Account, seat: int, wagers: dict[str, int], id: str) -> None:
        """A player has bet, or bets now; said again under the same id it changes nothing."""
        if wagers:
            bet = cmd.PlaceWagers(seat, wagers)
            await self.desk.carry_out(Envelope(id, by, now(), bet))
        bets = self.table.dealing is None and self.table.boxes_of(by.id)
        if bets:
            self.ready.add(by.id)
        elif not wagers:
            raise self.table.refusal("a wager comes first", "required")

    def told(self, account: Account) -> msg.Desk:
        """What one viewer is told about it."""
        return msg.Desk(
            pace=self.pace,
            companions=self.companions,
            commitment=self.table.fairness.commitment,
            waits_for=self.waits_for() if self.ready else (),
            closes_at=self.closes_at,
            asks=forms_for(
                self.table, account, self.ready, self.pace, self.companions, len(COMPANIONS)
            ),
        )
