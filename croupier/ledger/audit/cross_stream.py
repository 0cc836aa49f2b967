"""Consistency across streams: linked tables and their meters, staff, approvals, closed days."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from croupier.games import House
from croupier.ledger import round_index
from croupier.ledger.aggregates import (
    account_register,
    administration,
    aggregate_types,
    approvals,
    duty_roster,
)
from croupier.ledger.aggregates.administration import Administration
from croupier.ledger.aggregates.approval_state import (
    SecondPersonAnswer,
    answer_key,
    why_not_agreed,
)
from croupier.ledger.aggregates.linked_meters import METERS_PREFIX, group_stream, terms_of
from croupier.ledger.audit.segments import MeterReading, SegmentResult, SharedMove, TableBinding
from croupier.ledger.entry_codec import TABLE_PREFIX
from croupier.ledger.errors import LedgerError, printable
from croupier.ledger.log import Store, derived_id
from croupier.ledger.log.transparency import checkpoint, signed_note
from croupier.ledger.log.transparency.check import LogProblem
from croupier.table import Account

# Of a group: position of each entry, and the meters after it
MeterHistory = list[tuple[int, dict[str, int | str]]]


class StreamResult:
    """The results of all segments of one stream, joined in order."""

    def __init__(self, stream: str, parts: Sequence[SegmentResult]) -> None:
        self.stream = stream
        self.parts = sorted(parts, key=lambda part: part.number)
        self.meter_moves = [move for part in self.parts for move in part.meter_moves]
        self.post_moves = [move for part in self.parts for move in part.post_moves]
        self.readings = [reading for part in self.parts for reading in part.readings]
        self.bindings = [binding for part in self.parts for binding in part.bindings]
        self.values: MeterHistory = [value for part in self.parts for value in part.values]
        self.two_person = [command for part in self.parts for command in part.two_person]
        self.answers = [answer for part in self.parts for answer in part.answers]
        self.sent = [position for part in self.parts for position in part.sent]
        self.opened = [opened for part in self.parts for opened in part.opened]
        self.tests = [test for part in self.parts for test in part.tests]
        self.enabled_alone = [number for part in self.parts for number in part.enabled_alone]
        self.halts = [halt for part in self.parts for halt in part.halts]
        self.wagers = [wager for part in self.parts for wager in part.wagers]
        self.linked = {name: link for part in self.parts for name, link in part.linked.items()}
        self.terms, self.group = self.parts[0].terms, self.parts[0].group

    def at(self, size: int) -> tuple[int, int]:
        """Rounds closed, and wagers on the layout, as of a size of the log."""
        rounds = 0
        for part in self.parts:
            if size in part.cuts:
                return rounds + part.cuts[size][0], part.cuts[size][1]
            rounds += part.rounds
        return rounds, self.parts[-1].layout


def join_segments(results: Iterable[SegmentResult]) -> dict[str, StreamResult]:
    """The results of the streams, by name."""
    parts: dict[str, list[SegmentResult]] = {}
    for result in results:
        parts.setdefault(result.stream, []).append(result)
    return {stream: StreamResult(stream, own) for stream, own in sorted(parts.items())}


def check_tables(
    streams: dict[str, StreamResult],
    founded: administration.LedgerFounded,
    find_house: Callable[[str], House],
) -> Iterator[LogProblem]:
    """Tables match the name of their stream, the property, and the group they are linked to."""
    days = (founded.timezone, founded.day_starts)
    for stream, result in streams.items():
        if not stream.startswith(TABLE_PREFIX):
            continue
        for binding in result.bindings:
            event, sequence = binding.event, binding.sequence
            if TABLE_PREFIX + event.table != stream:
                problem = printable(f"binds a different table: {event.table!r}")
                yield LogProblem(stream, sequence, problem)
            if event.live != (founded.purpose == "live"):
                problem = f"is bound for the wrong purpose in a {founded.purpose} ledger"
                yield LogProblem(stream, sequence, problem)
            if (event.timezone, event.day_starts) != days:
                problem = "has a different gaming day than the property"
                yield LogProblem(stream, sequence, problem)
            if event.group:
                group = streams.get(group_stream(event.group))
                yield from _check_link(stream, binding, group, find_house)


def _check_link(
    stream: str,
    binding: TableBinding,
    group: StreamResult | None,
    find_house: Callable[[str], House],
) -> Iterator[LogProblem]:
    event, sequence = binding.event, binding.sequence
    link = group.linked.get(event.table) if group is not None else None
    if group is None or link is None or group.values[link[0] - 1][0] > binding.position:
        problem = printable(f"is not linked on the record of meters {event.group!r}")
        yield LogProblem(stream, sequence, problem)
        return
    if terms_of(find_house(event.house)) != group.terms:
        yield LogProblem(stream, sequence, "is linked to meters with different terms")
    if sequence > 1:
        return  # a later House does not change the meters, which the replay has checked
    if link[1] != event.house:
        yield LogProblem(stream, sequence, "is bound to a different House than it was linked with")
    values = [
        value for position, value in group.values[link[0] - 1 :] if position < binding.position
    ]
    if event.meters not in values:
        yield LogProblem(stream, sequence, "starts with values that the linked meters did not have")


def check_groups(streams: dict[str, StreamResult]) -> Iterator[LogProblem]:
    """Every change of a group's meters matches one of a linked table, and vice versa."""
    expected: dict[str, list[SharedMove]] = {}
    for stream, result in streams.items():
        if not stream.startswith(TABLE_PREFIX) or not result.bindings:
            continue
        group = group_stream(result.bindings[0].event.group)
        expected.setdefault(group, []).extend(result.meter_moves)
        if group in streams:
            yield from _check_readings(result.readings, streams[group])
            yield from _check_halts(stream, result.wagers, streams[group].halts)
    for stream, result in streams.items():
        if stream.startswith(METERS_PREFIX):
            if group_stream(result.group) != stream:
                problem = printable(f"creates the meters of a different group: {result.group!r}")
                yield LogProblem(stream, 1, problem)
            yield from _check_moves(stream, result.meter_moves, expected.pop(stream, []))
    for moves in expected.values():
        for move in moves:
            yield LogProblem(move.table, move.entry, "changed meters that are not on record")


def check_duty_roster(streams: dict[str, StreamResult]) -> Iterator[LogProblem]:
    """Every change of the duty roster matches one at a table, and vice versa."""
    expected = [
        move
        for stream, result in streams.items()
        if stream.startswith(TABLE_PREFIX)
        for move in result.post_moves
    ]
    roster = streams.get(duty_roster.STREAM)
    moves = roster.post_moves if roster is not None else []
    yield from _check_moves(duty_roster.STREAM, moves, expected)


def check_openings(streams: dict[str, StreamResult], state: Administration) -> Iterator[LogProblem]:
    """After the first submission, live tables are bound only to Houses they were opened under."""
    approved = streams.get(approvals.STREAM)
    live = state.founded is not None and state.founded.purpose == "live"
    if approved is None or not approved.sent or not live:
        return
    for stream, result in streams.items():
        for binding in result.bindings:
            event = binding.event
            opened = [entry[1:] for entry in approved.opened if entry[0] < binding.position]
            attended = event.service == "attended" and binding.position > approved.sent[0]
            if attended and (event.table, event.house) not in opened:
                problem = "was opened without an approved submission"
                yield LogProblem(stream, binding.sequence, problem)


def check_second_persons(
    streams: dict[str, StreamResult], state: Administration
) -> Iterator[LogProblem]:
    """The second person of every command agreed to exactly this command, before it, in time.

    On a practice ledger a program may play the staff and nobody is asked, but an answer counts.
    """
    live = state.founded is not None and state.founded.purpose == "live"
    approved = streams.get(approvals.STREAM)
    answers: dict[str, list[tuple[int, SecondPersonAnswer]]] = {}
    answered: dict[tuple[str, str], int] = {}  # place and id: position of the first answer
    for position, event in approved.answers if approved is not None else ():
        assert isinstance(event.at, int)
        key = answer_key(event.table, event.id, event.digest, event.second)
        answers.setdefault(key, []).append((position, SecondPersonAnswer(event.agreed, event.at)))
        answered.setdefault((event.table, event.id), position)
    for sequence in approved.enabled_alone if approved is not None and live else ():
        yield LogProblem(approvals.STREAM, sequence, "enabled gaming without a second person")
    for stream, result in streams.items():
        place = stream.removeprefix(TABLE_PREFIX)
        for command in result.two_person:
            if not live and answered.get((place, command.id), command.position) >= command.position:
                continue
            earlier = [
                answer
                for position, answer in answers.get(command.key, ())
                if position < command.position
            ]
            last = earlier[-1] if earlier else None
            problem = why_not_agreed(command.second, last, command.at)
            if problem:
                yield LogProblem(stream, command.sequence, problem)


def check_accounts(store: Store, state: Administration) -> Iterator[LogProblem]:
    """The account register was founded for the purpose of the ledger: live, or practice."""
    stream = account_register.STREAM
    register, sequence, _ = aggregate_types.recover(store, stream, aggregate_types.no_house)
    assert isinstance(register, account_register.AccountRegister)
    live = state.founded is not None and state.founded.purpose == "live"
    if sequence and register.live != live:
        purposes = ("live", "practice") if live else ("practice", "live")
        problem = f"is founded for {purposes[1]}, but the ledger is {purposes[0]}"
        yield LogProblem(stream, 1, problem)


def check_table_tests(store: Store, streams: dict[str, StreamResult]) -> Iterator[LogProblem]:
    """Every signed table test was dealt by its trainee, from its start to its signature."""
    approved = streams.get(approvals.STREAM)
    for signed in approved.tests if approved is not None else ():
        test = signed.test
        stream = TABLE_PREFIX + test.table
        moves = streams[stream].post_moves if stream in streams else []
        turns = _dealing_turns(moves, test.trainee, store.size_at(test.begun), signed.position)
        dealt = sum(
            len(store.find_positions(round_index.CLOSED, stream=stream, start=start, end=end))
            for start, end in turns
        )
        if not turns:
            problem = printable(f"{test.trainee} did not deal at table {test.table!r} in this test")
            yield LogProblem(approvals.STREAM, signed.sequence, problem)
        elif dealt < test.rounds:
            problem = f"{test.rounds} rounds were tested, {dealt} were dealt"
            yield LogProblem(approvals.STREAM, signed.sequence, problem)


def _dealing_turns(
    moves: list[SharedMove], dealer: str, since: int, until: int
) -> list[tuple[int, int]]:
    """The ranges of positions in which a dealer had the post at a table, within a period."""
    turns: list[tuple[int, int]] = []
    account, start = Account(dealer, "dealer"), None
    for move in moves:
        for post in move.moves:
            if post.who != account:
                continue
            if isinstance(post, duty_roster.Take):
                start = move.position
            elif start is not None:
                turns.append((start, move.position))
                start = None
    if start is not None:
        turns.append((start, until))
    within = [(max(start, since), min(end, until)) for start, end in turns]
    return [(start, end) for start, end in within if start < end]


def _check_moves(
    stream: str, moves: list[SharedMove], expected: list[SharedMove]
) -> Iterator[LogProblem]:
    unmatched = {move.position: move for move in expected}
    for move in moves:
        own = unmatched.pop(move.position, None)
        if own is None:
            problem = f"no entry {move.entry} of {move.table} explains this"
            yield LogProblem(stream, move.sequence, printable(problem))
        elif _counterpart(own, move.sequence) != move:
            problem = f"contradicts entry {own.entry} of {own.table}"
            yield LogProblem(stream, move.sequence, printable(problem))
    for own in unmatched.values():
        yield LogProblem(own.table, own.entry, f"has no matching entry in {printable(stream)}")


def _counterpart(own: SharedMove, sequence: int) -> SharedMove:
    """The entry that the shared stream must have for a move of a table."""
    return SharedMove(
        own.table,
        own.entry,
        own.position,
        derived_id(own.table, own.id),
        own.by,
        own.at,
        own.round,
        own.moves,
        own.before,
        sequence,
    )


def _check_halts(
    stream: str, wagers: list[tuple[int, int]], halts: list[tuple[int, str]]
) -> Iterator[LogProblem]:
    """No progressive wager was placed between a halt of the meters and their resumption."""
    for sequence, position in wagers if halts else ():
        earlier = bisect_left(halts, (position, ""))
        reason = halts[earlier - 1][1] if earlier else ""
        if reason:
            problem = printable(f"placed a progressive wager on halted meters: {reason}")
            yield LogProblem(stream, sequence, problem)


def _check_readings(readings: list[MeterReading], group: StreamResult) -> Iterator[LogProblem]:
    for reading in readings:
        in_range = 0 < reading.upto <= len(group.values)
        entry = group.values[reading.upto - 1] if in_range else None
        if entry is None or entry[0] > reading.position or entry[1] != reading.meters:
            problem = "read values that the linked meters did not have"
            yield LogProblem(reading.stream, reading.sequence, problem)


def check_days(
    store: Store,
    state: Administration,
    streams: dict[str, StreamResult],
    keys: Sequence[signed_note.PublicKey],
) -> Iterator[LogProblem]:
    """Closed and signed days match the log, with its rounds and wagers in play at that time."""
    tables = {name: result for name, result in streams.items() if name.startswith(TABLE_PREFIX)}
    for before, day in pairwise(["", *state.days]):
        assert before < day, "days are closed in order"
        yield from _check_day(store, state, state.days[day], tables)
        for note in state.notes.get(day, ()):
            problem = check_note(note, state.days[day], keys)
            if problem:
                yield LogProblem(administration.STREAM, 0, f"the checkpoint of {day}: {problem}")


def check_restores(store: Store, state: Administration) -> Iterator[LogProblem]:
    """Each restoration is recorded directly after the entries of its backup."""
    for restored in state.restores:
        try:
            follows = store.at(restored.size).entry.stream == administration.STREAM
            problem = "" if follows else "it is not recorded after them"
            if store.tree.root(restored.size).hex() != restored.root:
                problem = "they have another root"
        except (LedgerError, StopIteration) as error:
            problem = str(error) or "there are fewer"
        if problem:
            what = f"restored from a backup of {restored.size} entries: {problem}"
            yield LogProblem(administration.STREAM, 0, what)


def _check_day(
    store: Store,
    state: Administration,
    closed: administration.DayClosed,
    tables: dict[str, StreamResult],
) -> Iterator[LogProblem]:
    def problem(text: str) -> LogProblem:
        return LogProblem(administration.STREAM, 0, printable(f"day {closed.day}{text}"))

    if closed.size != store.size_at(state.gaming_day(closed.day)[1]):
        yield problem(f" ended at another entry than {closed.size}")
    elif store.tree.root(closed.size).hex() != closed.root:
        yield problem(f": the first {closed.size} entries have another root")
    totals = {name: result.at(closed.size) for name, result in tables.items()}
    rounds = sum(count for count, _ in totals.values())
    if rounds != closed.rounds:
        yield problem(f": {closed.rounds} rounds were counted, there were {rounds}")
    in_play = {name[len(TABLE_PREFIX) :]: layout for name, (_, layout) in totals.items() if layout}
    if in_play != closed.in_play:
        yield problem(f": {closed.in_play} were in play, the tables had {in_play}")


def check_note(
    text: str, closed: administration.DayClosed, keys: Sequence[signed_note.PublicKey]
) -> str:
    """Why a signed note is not a checkpoint of this day; empty if it is."""
    try:
        signed = (
            checkpoint.open_checkpoint(text, keys)
            if keys
            else checkpoint.parse(signed_note.parse(text).text)
        )
    except LedgerError as error:
        return str(error)
    if (signed.size, signed.root.hex()) != (closed.size, closed.root):
        return "it was signed for a different tree head than the day's"
    return ""
