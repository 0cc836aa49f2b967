"""Runs the server: the listening socket, uvicorn, and the addresses on the screen."""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping

import msgspec
import uvicorn

from croupier.errors import BadInput
from croupier.server import demo_data
from croupier.server.app import Server, make_app
from croupier.server.clock_sync import ClockWatch
from croupier.server.floor import Floor
from croupier.server.http.connection_limits import CONNECTIONS, limit_dead_peers
from croupier.server.json_logging import configure_json_logging
from croupier.server.server_lock import LockLost, server_lock
from croupier.server.settings import Settings

GC_THRESHOLD = 50_000  # new objects; a command makes hundreds, and hardly any are in cycles
SHUTDOWN_SECONDS = 5  # for requests in progress when the server stops


def serve(
    database: str,
    *,
    host: str,
    port: int,
    demo: bool = False,
    names: tuple[str, ...] = (),
    behind_tls: bool = False,
    browser: bool = False,
    proxies: tuple[str, ...] = (),
    session_limits: Mapping[str, float | None] | None = None,
) -> None:
    """Serve until interrupted; rounds in progress stay on record and continue after a restart.

    While another server of the same PostgreSQL database is active, this one waits. Only `proxies`
    are trusted to report the address of a client. `session_limits` replace fields of the
    `SessionPolicy` of the ledger's purpose. LockLost if another server has become active.
    """
    servers: list[uvicorn.Server] = []
    lost = threading.Event()

    def stop() -> None:
        lost.set()
        for server in servers:
            server.should_exit = True

    lock = server_lock(database)
    waiting = f"Standby: another server serves {database}"
    lock.acquire(on_wait=lambda: _print(waiting), on_loss=stop)
    try:
        listening = listen(host, port)
        floor = Floor.at(database, lock=lock)
        purpose = floor.ledger.purpose
        given = {name: each for name, each in (session_limits or {}).items() if each is not None}
        floor.accounts.policy = msgspec.structs.replace(floor.accounts.policy, **given)
        if demo and purpose == "live":
            raise BadInput(
                f"{database} is a live ledger; the demonstration needs a practice ledger"
            )
        settings = Settings(
            hosts=(*Settings().hosts, *names, host), secure=behind_tls, proxied=bool(proxies)
        )

        async def on_start(server: Server) -> None:
            floor.start_task("software self-check", server.software.run)
            floor.start_task("clock", ClockWatch(floor).run)
            await _announce(server, database, socket_url(listening), demo=demo, browser=browser)

        config = uvicorn.Config(
            make_app(floor, settings, on_start=on_start),
            log_config=None,
            access_log=False,  # the metrics count requests
            server_header=False,
            date_header=True,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            **CONNECTIONS,
        )
        # On a terminal, only problems are shown between the sign-in links of the demonstration.
        quiet = demo and sys.stderr.isatty()
        configure_json_logging(level=logging.WARNING if quiet else logging.INFO)
        servers.append(uvicorn.Server(config))
        if not lost.is_set():
            servers[0].run(sockets=[listening])
    finally:
        lock.release()
    if lost.is_set():
        raise LockLost(f"another server has become the active one of {database}; this one stopped")


async def _announce(
    server: Server, database: str, address: str, *, demo: bool, browser: bool
) -> None:
    links = await demo_data.set_up(server) if demo else {}
    _print(f"Croupier serves {database} ({server.floor.ledger.purpose} ledger) at {address}")
    for name, link in links.items():
        _print(f"  {name:<6} {server.visitors[name]:<46} {address}{link}")
    if links:
        _print("Each link signs in one person, once, within an hour.")
        _print("The address above lets you choose a person.")
        _print("Press Ctrl-C to stop.")
    if browser and links and has_desktop():
        webbrowser.open(f"{address}/sign-in")
    # Objects that exist now live as long as the server: the collector need not scan them.
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 10, 10)


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, bound before anything else is opened; BadInput if it cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    limit_dead_peers(listening)
    try:
        listening.bind((host, port))
        listening.listen(1024)  # clients that connect before the tables are open wait here
    except OSError as error:
        listening.close()
        raise BadInput(f"cannot listen at {host} port {port}: {error.strerror}") from None
    return listening


def socket_url(listening: socket.socket) -> str:
    """The URL for browsers."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def has_desktop() -> bool:
    """Whether this machine can show a browser window."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY"))
