"""The `croupier self-check` command: compares the installed software with its manifest."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer()


@app.command("self-check", rich_help_panel="Server", epilog="Example: croupier self-check")
def self_check_command(
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Verify the installed files."""
    import msgspec

    from croupier.software_identity import self_check

    result = self_check()
    if json:
        typer.echo(msgspec.json.encode(result).decode())
    else:
        typer.echo(f"croupier {result.version}, {result.files} files")
        typer.echo(f"SHA-256 {result.digest}")
        for problem in result.problems:
            typer.echo(problem)
        if not result.has_manifest:
            typer.echo("no manifest: installed from a source folder, not from a wheel")
        elif result.ok:
            typer.echo("verified: every file agrees with the manifest")
    if not result.ok:
        raise typer.Exit(1)
