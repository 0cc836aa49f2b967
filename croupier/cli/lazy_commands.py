"""Only what is asked for is built: Typer would look at the options of every command first."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from inspect import getdoc

import typer
from typer.models import CommandInfo

COMPLETING = "_CROUPIER_COMPLETE"  # set by a shell that wants to know what may come next


def asked_for(app: typer.Typer, arguments: Sequence[str]) -> typer.Typer:
    """The same program as far as these arguments reach: one command, or the list of them all."""
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
    return app  # which knows what was meant


def commands(app: typer.Typer) -> Iterator[CommandInfo]:
    """Every command that stands by itself, in its order."""
    for group in app.registered_groups:
        if isinstance(group.typer_instance, typer.Typer) and not isinstance(group.name, str):
            yield from group.typer_instance.registered_commands


def name_of(info: CommandInfo) -> str:
    """What a command is called by."""
    assert info.callback is not None, "a command does something"
    return info.name or info.callback.__name__.lower().replace("_", "-")


def listing(app: typer.Typer) -> typer.Typer:
    """Every command with its sentence, and none of its options."""
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
    """The program without a command."""
    root = typer.Typer(
        name="croupier",
        help=app.info.help,
        no_args_is_help=True,
        context_settings=app.info.context_settings,
        pretty_exceptions_enable=False,
    )
    root.registered_callback = app.registered_callback
    return root
