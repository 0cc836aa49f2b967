"""The `croupier serve` command."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.console import exit_on_error
from croupier.cli.ledger_options import SERVER_DATABASE, Database

app = typer.Typer()
LOOPBACK = "127.0.0.1"


@app.command(rich_help_panel="Server")
def serve(
    database: Database = SERVER_DATABASE,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = LOOPBACK,
    port: Annotated[int, typer.Option(help="Port to listen on; 0 picks a free one.")] = 8000,
    demo: Annotated[
        bool, typer.Option("--demo", help="Create practice tables and demo accounts.")
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="Host name that browsers use; repeatable."),
    ] = None,
    behind_tls: Annotated[
        bool, typer.Option("--behind-tls", help="A proxy in front of the server terminates TLS.")
    ] = False,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy", help="Address of a proxy whose client addresses are trusted; repeatable."
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = False,
) -> None:
    """Run the web server: lobby, tables and API."""
    with exit_on_error("server"):
        from croupier.server.run import serve as run_server

        run_server(
            database,
            host=host,
            port=port,
            demo=demo,
            names=tuple(name or ()),
            behind_tls=behind_tls,
            browser=browser,
            proxies=tuple(proxy or ()),
        )
