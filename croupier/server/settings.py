"""Server settings: allowed hosts, TLS, proxies and rate limits."""

from __future__ import annotations

import msgspec


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of one server process; the defaults suit a server on its own machine."""

    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")  # "*" allows any
    secure: bool = False  # behind TLS: the session cookie is sent over TLS only
    commands: str = "60/second"  # per account
    sign_ins: str = "20/minute"  # per client address
    requests: str = "300/second"  # sum of their costs per account, else per client address
    proxied: bool = False  # a trusted proxy reports the client address
    metrics_for: tuple[str, ...] = ("127.0.0.0/8", "::1/128")
