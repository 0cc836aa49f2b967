"""The streams against one another: linked tables and their meters, days and the log itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from croupier.games import House
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates import administration, approvals, duty_roster, linked_meters_meters
from croupier.ledger.aggregates.administration import Administration
from croupier.ledger.audit.findings import TableBinding, SegmentResult, SharedMove, Place, MeterReading
from croupier.ledger.errors import LedgerError, printable
from croupier.ledger.log import Store, derived_id
from croupier.ledger.log.transparency import checkpoint, signed_note

Values = list[tuple[int, dict[str, int | str]]]  # of a group: position, meters after each entry


class StreamResult:
    """One stream, its segments put together."""

    def __init__(self, stream: str, parts: Sequence[SegmentResult]) -> None:
        self.stream = stream
        self.parts = sorted(parts, key=lambda part: part.number)
        self.moves: list[SharedMove] = [move for part in self.parts for move in part.moves]
        self.posts: list[SharedMove] = [move for part in self.parts for move in part.posts]
        self.reads: list[MeterReading] = [read for part in self.parts for read in part.reads]
        self.bound: list[TableBinding] = [bound for part in self.parts for bound in part.bound]
        self.values: Values = [value for part in self.parts for value in part.values]
        self.sent: list[int] = [at for part in self.parts for at in part.sent]
        self.opened = [opened for part in self.parts for opened in part.opened]
        self.tests = [signed for part in self.parts for signed in part.tests]
        self.linked = {name: link for part in self.parts for name, link in part.linked.items()}
        self.terms, self.group = self.parts[0].terms, self.parts[0].group

    def at(self, size: int) -> tuple[int, int]:
        """Rounds closed before this size of the log, and what lay on the layout then."""
        rounds = 0
        for part in self.parts:
            if size in part.cuts:
                return rounds + part.cuts[size][0], part.cuts[size][1]
            rounds += part.rounds
        return rounds, self.parts[-1].layout


def join_segments(found: Iterable[SegmentResult]) -> dict[str, StreamResult]:
    """Every stream by its name."""
    parts: dict[str, list[SegmentResult]] = {}
    for checked in found:
        parts.setdefault(checked.stream, []).append(checked)
    return {stream: StreamResult(stream, own) for stream, own in sorted(parts.items())}


def check_tables(
    told: dict[str, StreamResult],
    founded: administration.LedgerFounded,
    find_house: Callable[[str], House],
) -> Iterator[Place]:
    """Tables are who their stream says, of this ledger's property, linked as their group says."""
    days = (founded.timezone, founded.day_starts)
    for stream, story in told.items():
        if not stream.startswith(ent.TABLE_PREFIX):
            continue
        for bound in story.bound:
            event = bound.event
            if ent.TABLE_PREFIX + event.table != stream:
                yield stream, bound.sequence, printable(f"binds another table: {event.table!r}")
            if event.live != (founded.purpose == "live"):
                told_as = f"is bound otherwise than for a {founded.purpose} ledger"
                yield stream, bound.sequence, told_as
            if (event.timezone, event.day_starts) != days:
                yield stream, bound.sequence, "counts its gaming days otherwise than the property"
            if event.group:
                group = told.get(linked_meters_meters.group_stream(event.group))
                yield from _check_linked(stream, bound, group, find_house)


def _check_linked(
    stream: str, bound: TableBinding, group: StreamResult | None, find_house: Callable[[str], House]
) -> Iterator[Place]:
    event = bound.event
    link = group.linked.get(event.table) if group is not None else None
    if group is None or link is None or group.values[link[0] - 1][0] > bound.position:
        yield stream, bound.sequence, printable(f"meters {event.group!r} know nothing of this table")
        return
    if linked_meters_meters.terms_of(find_house(event.house)) != group.terms:
        yield stream, bound.sequence, "shares meters under other terms than theirs"
    if bound.sequence > 1:
        return  # a later House leaves the meters as they are, which is decided anew
    if link[1] != event.house:
        yield stream, bound.sequence, "is bound to another House than it was linked with"
    known = [value for position, value in group.values[link[0] - 1 :] if position < bound.position]
    if event.meters not in known:
        yield stream, bound.sequence, "starts with values that the shared meters did not have"


def check_groups(told: dict[str, StreamResult]) -> Iterator[Place]:
    """Every move of a group is one of a linked table, and the other way round."""
    expected: dict[str, list[SharedMove]] = {}
    for stream, story in told.items():
        if not stream.startswith(ent.TABLE_PREFIX) or not story.bound:
            continue
        group = linked_meters_meters.group_stream(story.bound[0].event.group)
        expected.setdefault(group, []).extend(story.moves)
        if group in told:
            yield from _check_reads(stream, story.reads, told[group])
    for stream, story in told.items():
        if stream.startswith(linked_meters_meters.METERS_PREFIX):
            if linked_meters_meters.group_stream(story.group) != stream:
                yield stream, 1, printable(f"founds other meters: {story.group!r}")
            yield from _check_moves(stream, story.moves, expected.pop(stream, []))
    for moves in expected.values():
        for move in moves:
            yield move.table, move.entry, "moved meters that are not on record"


def check_people(told: dict[str, StreamResult]) -> Iterator[Place]:
    """Every post in the registry is one that somebody took at a table, and the other way round."""
    expected = [
        post
        for stream, story in told.items()
        if stream.startswith(ent.TABLE_PREFIX)
        for post in story.posts
    ]
    kept = told.get(duty_roster.STREAM)
    yield from _check_moves(duty_roster.STREAM, kept.posts if kept is not None else [], expected)


def check_openings(told: dict[str, StreamResult], found: Administration) -> Iterator[Place]:
    """Once submissions are on record, a live table is bound only to what it was opened under."""
    kept = told.get(approvals.STREAM)
    if kept is None or not kept.sent or found.founded is None or found.founded.purpose != "live":
        return
    for stream, story in told.items():
        for bound in story.bound:
            table = (bound.event.table, bound.event.house)
            before = [place[1:] for place in kept.opened if place[0] < bound.position]
            attended = bound.event.service == "attended" and bound.position > kept.sent[0]
            if attended and table not in before:
                yield stream, bound.sequence, "was opened under no submission that was approved"


def check_tests(told: dict[str, StreamResult]) -> Iterator[Place]:
    """A table test was dealt: by its trainee, at its table, as many rounds as it says."""
    kept = told.get(approvals.STREAM)
    for sequence, table, trainee, rounds in kept.tests if kept is not None else ():
        story = told.get(ent.TABLE_PREFIX + table)
        posts = [move for post in story.posts for move in post.moves] if story is not None else []
        if trainee not in {move.who.id for move in posts if move.who.role == "dealer"}:
            yield approvals.STREAM, sequence, printable(f"{trainee} never dealt at table {table!r}")
        elif story is not None and (dealt := story.at(2**62)[0]) < rounds:
            yield approvals.STREAM, sequence, f"{rounds} rounds were tested, {dealt} were dealt"


def _check_moves(stream: str, moves: list[SharedMove], expected: list[SharedMove]) -> Iterator[Place]:
    waiting = {move.position: move for move in expected}
    for move in moves:
        own = waiting.pop(move.position, None)
        if own is None:
            told = f"nothing that {move.table} did, as its entry {move.entry}, explains this"
            yield stream, move.sequence, printable(told)
        elif _twin(own, move.sequence) != move:
            told = f"entry {own.entry} of {own.table} tells another story than this"
            yield stream, move.sequence, printable(told)
    for own in waiting.values():
        yield own.table, own.entry, f"moved what it shares, and {printable(stream)} knows nothing of it"


def _twin(own: SharedMove, sequence: int) -> SharedMove:
    """What the shared stream must have on record for what a table did."""
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


def _check_reads(stream: str, reads: list[MeterReading], group: StreamResult) -> Iterator[Place]:
    for read in reads:
        entry = group.values[read.upto - 1] if 0 < read.upto <= len(group.values) else None
        if entry is None or entry[0] > read.position or entry[1] != read.meters:
            yield stream, read.sequence, "read values that the shared meters did not have"


def check_days(
    store: Store,
    found: Administration,
    told: dict[str, StreamResult],
    keys: Sequence[signed_note.PublicKey],
) -> Iterator[Place]:
    """What was closed and signed is this very log, with the rounds and the money it had then."""
    tables = {name: story for name, story in told.items() if name.startswith(ent.TABLE_PREFIX)}
    for before, day in pairwise(["", *found.days]):
        assert before < day, "days are closed in their order"
        yield from _check_day(store, found, found.days[day], tables)
        for note in found.notes.get(day, ()):
            problem = check_note(note, found.days[day], keys)
            if problem:
                yield administration.STREAM, 0, f"the checkpoint of {day}: {problem}"


def _check_day(
    store: Store, found: Administration, closed: administration.DayClosed, tables: dict[str, StreamResult]
) -> Iterator[Place]:
    day = f"day {closed.day}"
    if closed.size != store.size_at(found.gaming_day(closed.day)[1]):
        yield administration.STREAM, 0, f"{day} ended at another entry than {closed.size}"
    elif store.tree.root(closed.size).hex() != closed.root:
        yield administration.STREAM, 0, f"{day}: the first {closed.size} entries have another root"
    then = {name: story.at(closed.size) for name, story in tables.items()}
    rounds = sum(count for count, _ in then.values())
    if rounds != closed.rounds:
        yield (
            administration.STREAM,
            0,
            f"{day}: {closed.rounds} rounds were counted, there were {rounds}",
        )
    in_play = {name[len(ent.TABLE_PREFIX) :]: lay for name, (_, lay) in then.items() if lay}
    if in_play != closed.in_play:
        told = f"{day}: {closed.in_play} were in play, the tables had {in_play}"
        yield administration.STREAM, 0, printable(told)


def check_note(
    text: str, closed: administration.DayClosed, keys: Sequence[signed_note.PublicKey]
) -> str:
    """Why a signed note is not one about this day, or nothing."""
    try:
        kept = (
            checkpoint.opened(text, keys) if keys else checkpoint.read(signed_note.parse(text).text)
        )
    except LedgerError as error:
        return str(error)
    if (kept.size, kept.root.hex()) != (closed.size, closed.root):
        return "it was signed for another head than the day's"
    return ""
