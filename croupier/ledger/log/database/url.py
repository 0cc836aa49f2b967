"""Where a ledger is: an SQLite file, or a PostgreSQL database by its address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Union

import msgspec

from croupier.ledger.errors import StoreFailed, printable

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

Place = Union[str, Path, "URL", "Address"]  # as a ledger may be named


class Address(msgspec.Struct, frozen=True):
    """A file, or else a server; as text without its password."""

    file: Path | None
    server: URL | None = None

    def __str__(self) -> str:
        return f"sqlite:///{self.file}" if self.server is None else self.server.render_as_string()


def parse(place: Place) -> Address:
    """A database address; a plain path is an SQLite file."""
    if isinstance(place, Address):
        return place
    if isinstance(place, Path) or (isinstance(place, str) and "://" not in place):
        return Address(Path(place))
    from sqlalchemy.engine import make_url  # a quarter of a second, which a file does not need
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(place)
    except (ArgumentError, ValueError) as error:
        told = printable(str(error))
        raise StoreFailed(f"{printable(str(place))} is not a database address: {told}") from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() == "postgresql":
        return Address(None, parsed)
    if parsed.get_backend_name() != "sqlite":
        raise StoreFailed(f"{parsed.drivername} is not supported; expected sqlite or postgresql")
    if parsed.database in (None, "", ":memory:"):
        raise StoreFailed("a ledger in memory would not survive; name a file")
    return Address(Path(parsed.database or ""))
