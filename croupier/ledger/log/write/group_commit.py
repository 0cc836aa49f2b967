"""Group commit: one thread per store writes the appends of all tables, one fsync per group.

While one transaction is being made durable, further appends gather for the next one, so the load
determines the group size; a single append is never delayed.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence

from croupier.clock import DAY, now_ms
from croupier.ledger.errors import (
    ClockJumped,
    Conflict,
    Damaged,
    LedgerError,
    RepeatedCommand,
    StoreFailed,
)
from croupier.ledger.log.append import Append, run_callbacks
from croupier.ledger.log.database.database import (
    Database,
    Failpoint,
    RowsRejected,
    error_message,
)
from croupier.ledger.log.database.seal import Seal
from croupier.ledger.log.transparency.stored_tree import (
    EMPTY_HEAD,
    SELECT_LAST_HEAD,
    TreeHead,
    head_from_rows,
)
from croupier.ledger.log.write.rows import HeadCache, TransactionRows

GROUP_MAX = 256  # appends per transaction; bounds the latency of the first of them
IDLE_SECONDS = 1.0  # without an append, before the database is checked
SLOW_SECONDS = 3.0  # an answer that takes longer is reported by `problem`
GAP_MAX = 31 * DAY  # between two commits, unless `gap_max` of the writer is set


class GroupCommitWriter:
    """A queue and the thread that writes it, one transaction per group.

    The thread caches the tree head between transactions. Writers of other processes are excluded
    by `Connection.begin`.
    """

    def __init__(self, database: Database, faults: Failpoint, seal: Seal | None) -> None:
        self.database = database
        self.faults = faults
        self.gap_max = GAP_MAX
        self._seal = seal
        self._cache = HeadCache()
        self._queue: queue.SimpleQueue[Append | None] = queue.SimpleQueue()
        self._pending = 0  # appends in the queue or being written by the thread
        self._closed = False
        self._submitting = threading.Lock()
        self._writing = threading.Lock()  # held while a group is written or the seal is synced
        self._started: float | None = None  # of the transaction in progress, monotonic clock
        self.failure = ""  # why the last transaction failed; empty once one has succeeded
        self._committed = EMPTY_HEAD  # the last commit of this writer
        self._seal_failure = ""
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def append(self, append: Append) -> None:
        """Write an append in the caller's thread if nothing else is to be written, else queue it.

        A lone append is then not delayed by waking a thread, which takes a third of its time.
        """
        with self._submitting:
            self._check_open()
            alone = not self._pending and self._writing.acquire(blocking=False)
            if not alone:
                self._enqueue(append)
        if alone:
            try:
                self._write([append])
            finally:
                self._writing.release()

    def submit(self, appends: Sequence[Append]) -> None:
        """Queue appends without waiting for them."""
        with self._submitting:
            self._check_open()
            for append in appends:
                self._enqueue(append)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreFailed("the ledger is closed")

    def _enqueue(self, append: Append) -> None:
        self._pending += 1
        self._queue.put(append)

    def close(self) -> None:
        """Write what is queued and end the thread."""
        with self._submitting:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    @property
    def problem(self) -> str:
        """Why nothing can be written at present; empty if everything is fine."""
        started = self._started
        seconds = time.monotonic() - started if started is not None else 0.0
        if seconds > SLOW_SECONDS:
            return f"the database has not answered for {seconds:.0f} seconds"
        return self.failure or self._seal_failure

    def clock_problem(self, read_head: Callable[[], TreeHead]) -> str:
        """Why the clock allows no commit after the last one; empty if it does."""
        last, moment = self._committed if self._committed.size else read_head(), now_ms()
        jumped = clock_jumped(last.time, moment, moment, self.gap_max, accepted=False)
        return str(ClockJumped(moment, last.time)) if last.size and jumped else ""

    def _run(self) -> None:
        open = True
        while open:
            try:
                append = self._queue.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                with self._writing:
                    self._check_while_idle()
                continue
            group = []
            with self._writing:  # meanwhile more gather
                while append is not None:
                    group.append(append)
                    if len(group) == GROUP_MAX or self._queue.empty():
                        break
                    append = self._queue.get()
                open = append is not None
                if group:
                    self._write(group)
            with self._submitting:
                self._pending -= len(group)
            run_callbacks(group)
        with self._writing:
            if self._seal is not None:
                self._seal.close()

    def _check_while_idle(self) -> None:
        """Sync the seal, and read the head: an outage is noticed without a command."""
        self._started = time.monotonic()
        try:
            self._update_seal()
            with self.database.connection() as connection:
                connection.query(SELECT_LAST_HEAD)
        except Exception as error:  # the thread must not end
            self.failure = f"the record cannot be read: {error_message(error)}"
        finally:
            self._started = None

    def _update_seal(self) -> None:
        """Note the last commit in the seal. If that fails, the commit is durable all the same."""
        if self._seal is None:
            return
        try:
            self._seal.write(self._committed)
            self._seal_failure = ""
        except OSError as error:
            self._seal_failure = f"the seal could not be written: {error_message(error)}"

    def _write(self, group: list[Append]) -> None:
        """Store a group and resolve all of its appends.

        If the database rejects the group, each append is written in its own transaction, so that
        only the invalid one fails.
        """
        outcomes: Sequence[LedgerError | None]
        self._started = time.monotonic()
        try:
            outcomes = self._write_transaction(group)
            self.failure = ""
        except RowsRejected as error:
            self._cache = HeadCache()
            if len(group) > 1:
                for append in group:
                    self._write([append])
                return
            outcomes = [_rejection(group[0], error)]
        except BaseException as error:  # an unresolved append would block its table forever
            if not isinstance(error, ClockJumped | Damaged):
                error = StoreFailed(f"the record could not be written: {error_message(error)}")
            self._cache, self.failure = HeadCache(), str(error)
            outcomes = [error] * len(group)
        finally:
            self._started = None
        for append, outcome in zip(group, outcomes, strict=True):
            append.resolve(outcome)

    def _write_transaction(self, group: list[Append]) -> list[LedgerError | None]:
        """Returns, for each append, None if it was stored or the reason why not."""
        with self.database.connection() as connection:
            self.faults("connected")
            before = head_from_rows(connection.begin(SELECT_LAST_HEAD))
            self.faults("transaction started")
            moment = max(now_ms(), before.time + 1)
            rows = TransactionRows(self._cache, before, connection.query, moment)
            outcomes = [rows.admit(append) for append in group]
            if not rows.rows["entry"]:
                connection.execute("ROLLBACK")
                return outcomes
            # Gaming days end by the time of commits: a clock that runs ahead would close later
            # days as empty.
            gap = (before.time, moment, rows.latest, self.gap_max)
            if before.size and clock_jumped(*gap, accepted=rows.accepts_clock):
                raise ClockJumped(moment, before.time)
            connection.commit(rows.finish(), self.faults)
        self._cache, self._committed = rows.updated_cache(), rows.head
        self._update_seal()
        self.faults("durable")
        return outcomes


def clock_jumped(last: int, time: int, latest: int, gap_max: int, *, accepted: bool) -> bool:
    """Whether a commit at `time` is implausibly late after the last commit and its own commands.

    `latest` is the time of the latest command. Two people can accept a gap between commits, but
    not a commit more than a day after its commands as well.
    """
    gap = time - last
    return gap > DAY and (time - latest > DAY or (gap > gap_max and not accepted))


def _rejection(append: Append, error: RowsRejected) -> LedgerError:
    message, first = str(error), append.entries[0]
    if "entry_id" in message or "entry.id" in message:
        return RepeatedCommand(first.stream, first.id)
    if error.duplicate:
        return Conflict(first.stream, first.sequence - 1, first.sequence)
    return StoreFailed(f"{first.stream}: the database refused an entry: {message}")
