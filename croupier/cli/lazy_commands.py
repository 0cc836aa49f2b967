"""Lazy CLI: registers only the requested command, so Typer need not inspect all options."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from inspect import getdoc

import typer
from typer.models import CommandInfo

COMPLETING = "_CROUPIER_COMPLETE"  # set by the shell during completion


def asked_for(app: typer.Typer, arguments: Sequence[str]) -> typer.Typer:
    """Return an app with only the requested command, or with the list of all commands."""
    if COMPLETING in os.environ:
        return app
    if not arguments or arguments[0].startswith("-"):
        return listing(app)
    name = arguments[0]
    for info in commands(app):
        if name_of(info) == name:
            only = root_of(app)
            only.registered_commands.append(info)
            return only
    for group in app.registered_groups:
        if group.name == name:
            only = root_of(app)
            only.registered_groups.append(group)
            return only
    return app  # unknown command: the full app reports the error


def commands(app: typer.Typer) -> Iterator[CommandInfo]:
    """Yield the top-level commands in order, without those of named groups."""
    for group in app.registered_groups:
        if isinstance(group.typer_instance, typer.Typer) and not isinstance(group.name, str):
            yield from group.typer_instance.registered_commands


def name_of(info: CommandInfo) -> str:
    """Return the name of a command on the command line."""
    assert info.callback is not None, "a command must have a callback"
    return info.name or info.callback.__name__.lower().replace("_", "-")


def listing(app: typer.Typer) -> typer.Typer:
    """Return an app that lists every command with its help text, without options."""
    listed = root_of(app)
    for info in commands(app):
        text = info.help or getdoc(info.callback)
        panel = info.rich_help_panel
        listed.command(name_of(info), help=text, hidden=info.hidden, rich_help_panel=panel)(
            lambda: None
        )
    for group in app.registered_groups:
        if isinstance(group.name, str):
            listed.registered_groups.append(group)
    return listed


def root_of(app: typer.Typer) -> typer.Typer:
    """Return a copy of the root app without commands."""
    root = typer.Typer(
        name="croupier",
        help=app.info.help,
        no_args_is_help=True,
        context_settings=app.info.context_settings,
        pretty_exceptions_enable=False,
    )
    root.registered_callback = app.registered_callback
    return root
