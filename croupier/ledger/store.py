"""The event store: append, read, heads, Houses, snapshots. The same on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from croupier.ledger import faults, schema
from croupier.ledger.chain import Head, Row
from croupier.ledger.errors import StoreFailed
from croupier.ledger.writer import Append, Snapshot, Tip, Writer, read_tip

PAGE = 5_000  # rows fetched at a time when a whole stream is read


# From one name to the next along the primary key: a plain DISTINCT would read every event.
_STREAMS = """
WITH RECURSIVE named(stream) AS (
    SELECT min(stream) FROM event
    UNION ALL
    SELECT (SELECT min(event.stream) FROM event WHERE event.stream > named.stream)
    FROM named WHERE named.stream IS NOT NULL
)
SELECT stream FROM named WHERE stream IS NOT NULL
"""


class Store:
    """One database. Every append that returned survives a crash; one that raised may be asked for.

    Reads see whole commands only, since a command's events are one transaction.
    """

    def __init__(
        self, url: str | Path | URL, *, lock_timeout_ms: int = 5_000, create: bool = True
    ) -> None:
        self.url = schema.parse_url(url)
        self.engine = schema.connect(self.url, lock_timeout_ms=lock_timeout_ms)
        try:
            schema.migrate(self.engine, create=create)
        except BaseException:
            self.engine.dispose()
            raise
        self._writer = Writer(self.engine)

    def close(self) -> None:
        """Finish queued appends and let the database go."""
        self._writer.close()
        self.engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # Writing

    def submit(
        self,
        rows: Sequence[Row],
        *,
        snapshots: Sequence[Snapshot] = (),
        then: Callable[[Append], None] | None = None,
    ) -> Append:
        """Append without waiting: `wait` on what is returned, or be called back by `then`."""
        return self._writer.submit(Append(rows, snapshots, then))

    def append(self, rows: Sequence[Row], *, snapshots: Sequence[Snapshot] = ()) -> None:
        """Append and return when the rows are durable."""
        self.submit(rows, snapshots=snapshots).wait()

    def add_house(self, digest: str, data: str) -> None:
        """Store a House's submission once; the same again changes nothing."""
        if self.house(digest) is not None:
            return
        statement = sa.insert(schema.house).values(digest=digest, data=data)
        try:
            with self.writing() as connection:
                connection.execute(statement)
                faults.point()
            faults.point()
        except IntegrityError:
            return  # another process stored it first
        except SQLAlchemyError as error:
            raise StoreFailed(f"the House could not be stored: {schema.reason(error)}") from error

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction of its own, beside the writer's; held by one process at a time."""
        opened = self.engine.connect().execution_options(writing=True)
        with opened as connection, connection.begin():
            schema.lock_for_writing(connection)
            yield connection

    # Reading

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with; a failure says that the record cannot be read."""
        try:
            with self.engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise StoreFailed(f"the record cannot be read: {schema.reason(error)}") from error

    def tip(self, stream: str) -> Tip:
        """The last sequence and hash of a stream."""
        with self.reading() as connection:
            return read_tip(connection, stream)

    def streams(self, prefix: str = "") -> list[str]:
        """The names of the streams, sorted."""
        with self.reading() as connection:
            names = connection.exec_driver_sql(_STREAMS).scalars().all()
        return sorted(name for name in names if name.startswith(prefix))

    def read(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[Row]:
        """The events of a stream in order, from the one following `after` up to `until`.

        They are fetched in pages, so that no cursor stays open in the database meanwhile.
        """
        last = until if until is not None else 2**62
        mark = "?" if self.engine.dialect.name == "sqlite" else "%s"
        statement = (
            f"SELECT * FROM event WHERE stream = {mark} AND sequence > {mark}"
            f" AND sequence <= {mark} ORDER BY sequence LIMIT {PAGE}"
        )
        while True:
            with self.reading() as connection:
                found = connection.exec_driver_sql(statement, (stream, after, last))
                assert found.cursor is not None
                page = found.cursor.fetchall()  # plain tuples: an audit reads millions of them
                found.close()
            yield from map(Row._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][1]

    def command(self, stream: str, command_id: str) -> list[Row]:
        """The events that one command led to."""
        columns = schema.event.c
        first = sa.select(columns.sequence).where(
            columns.stream == stream, columns.command_id == command_id, columns.part == 0
        )
        with self.reading() as connection:
            start: int | None = connection.execute(first).scalar()
        if start is None:
            return []
        rows = takewhile(lambda row: row.command_id == command_id, self.read(stream, start - 1))
        return list(rows)

    def head(self) -> Head | None:
        """The newest head of the database."""
        query = sa.select(schema.head).order_by(schema.head.c.number.desc()).limit(1)
        with self.reading() as connection:
            found = connection.execute(query).first()
        return Head._make(found) if found else None

    def heads(self, after: int = 0) -> Iterator[Head]:
        """Every head in order."""
        number = schema.head.c.number
        while True:
            query = sa.select(schema.head).where(number > after).order_by(number).limit(PAGE)
            with self.reading() as connection:
                page = [Head._make(row) for row in connection.execute(query)]
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].number

    def house(self, digest: str) -> str | None:
        """The stored submission of a House."""
        query = sa.select(schema.house.c.data).where(schema.house.c.digest == digest)
        with self.reading() as connection:
            return connection.execute(query).scalar()

    def houses(self) -> dict[str, str]:
        """Every stored submission by digest."""
        with self.reading() as connection:
            found = connection.execute(sa.select(schema.house).order_by(schema.house.c.digest))
            return {row.digest: row.data for row in found}

    def snapshots(self, stream: str) -> list[tuple[int, str, str]]:
        """The sequence, hash and data of a stream's snapshots, oldest first."""
        columns = schema.snapshot.c
        query = sa.select(columns.sequence, columns.hash, columns.data).where(
            columns.stream == stream
        )
        with self.reading() as connection:
            found = connection.execute(query.order_by(columns.sequence))
            return [(sequence, own, data) for sequence, own, data in found]

    def latest_snapshot(self, stream: str, until: int | None = None) -> tuple[int, str, str] | None:
        """The newest snapshot of a stream, or the newest up to an event."""
        columns = schema.snapshot.c
        query = sa.select(columns.sequence, columns.hash, columns.data).where(
            columns.stream == stream
        )
        if until is not None:
            query = query.where(columns.sequence <= until)
        with self.reading() as connection:
            found = connection.execute(query.order_by(columns.sequence.desc()).limit(1)).first()
        return (found[0], found[1], found[2]) if found else None
