"""`croupier serve`: the floor in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.console import fail, missing_extra
from croupier.errors import CroupierError

app = typer.Typer()
LOOPBACK = "127.0.0.1"


@app.command()
def serve(
    database: Annotated[
        str,
        typer.Option(
            "--database", envvar="CROUPIER_DATABASE", help="A SQLite file or a database address."
        ),
    ] = "floor.db",
    host: Annotated[str, typer.Option(help="The address to listen at.")] = LOOPBACK,
    port: Annotated[int, typer.Option(help="The port to listen at; 0 takes a free one.")] = 8000,
    demo: Annotated[
        bool, typer.Option("--demo", help="Practice tables of every game, and people to try.")
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="A host name that browsers reach the server by."),
    ] = None,
    behind_tls: Annotated[
        bool, typer.Option("--behind-tls", help="A proxy before the server speaks TLS.")
    ] = False,
    internal: Annotated[
        str,
        typer.Option(
            help="How other servers of the same database reach this one, http://HOST:PORT."
        ),
    ] = "",
    proxy: Annotated[
        list[str] | None,
        typer.Option("--proxy", help="The address of a proxy that says whom requests come from."),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page where there is a desktop.")
    ] = False,
) -> None:
    """Serve tables in the browser: a lobby, practice tables that run by themselves, an API."""
    try:
        from croupier.server.run import serve as run

        run(
            database,
            host=host,
            port=port,
            demo=demo,
            names=tuple(name or ()),
            behind_tls=behind_tls,
            browser=browser,
            internal=internal,
            proxies=tuple(proxy or ()),
        )
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "server")
