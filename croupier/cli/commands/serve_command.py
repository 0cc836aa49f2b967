"""The `croupier serve` command."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.console import exit_on_error
from croupier.cli.ledger_options import DEFAULT_DATABASE, Database

app = typer.Typer()
LOOPBACK = "127.0.0.1"


@app.command(rich_help_panel="Server", epilog="Example: croupier serve --demo")
def serve(
    database: Database = DEFAULT_DATABASE,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = LOOPBACK,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8000,
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
    session_hours: Annotated[
        float | None, typer.Option(min=0.1, help="A session ends after this; 12 by default.")
    ] = None,
    lock_staff: Annotated[
        float | None,
        typer.Option(min=0, help="Idle minutes until a staff screen locks; 5 if live, 0: never."),
    ] = None,
    lock_players: Annotated[
        float | None,
        typer.Option(min=0, help="Idle minutes until a player locks; 30 if live, 0: never."),
    ] = None,
    wrong_passwords: Annotated[
        int | None, typer.Option(min=1, help="Wrong passwords before a delay; 5 by default.")
    ] = None,
    delay_minutes: Annotated[
        float | None, typer.Option(min=0.1, help="The first delay, then doubled; 1 by default.")
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
            session_limits={
                "ends_hours": session_hours,
                "staff_lock_minutes": lock_staff,
                "player_lock_minutes": lock_players,
                "wrong_passwords": wrong_passwords,
                "delay_minutes": delay_minutes,
            },
        )
