"""Database addresses: an SQLite file, or the URL of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Union

import msgspec

from croupier.ledger.errors import StoreFailed, printable

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

DatabaseLocation = Union[str, Path, "URL", "DatabaseAddress"]  # what callers may pass


class DatabaseAddress(msgspec.Struct, frozen=True):
    """An SQLite file or a PostgreSQL URL; `str` hides the password."""

    file: Path | None
    server: URL | None = None

    def __str__(self) -> str:
        return f"sqlite:///{self.file}" if self.server is None else self.server.render_as_string()


def parse_location(location: DatabaseLocation) -> DatabaseAddress:
    """Parse a database URL; a plain path is an SQLite file."""
    if isinstance(location, DatabaseAddress):
        return location
    if isinstance(location, Path) or (isinstance(location, str) and "://" not in location):
        return DatabaseAddress(Path(location))
    from sqlalchemy.engine import make_url  # takes a quarter of a second; a file does not need it
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(location)
    except (ArgumentError, ValueError) as error:
        problem = printable(str(error))
        raise StoreFailed(
            f"{printable(str(location))} is not a database address: {problem}"
        ) from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() == "postgresql":
        return DatabaseAddress(None, parsed)
    if parsed.get_backend_name() != "sqlite":
        raise StoreFailed(f"{parsed.drivername} is not supported; expected sqlite or postgresql")
    if parsed.database in (None, "", ":memory:"):
        raise StoreFailed("an in-memory database would lose the ledger; name a file")
    return DatabaseAddress(Path(parsed.database or ""))
