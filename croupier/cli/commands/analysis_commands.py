"""Exact mathematics commands: analyze, advise, session, protect, design, meter, strategy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.arguments import (
    GameOrFile,
    Json,
    SubmissionOption,
    game_key,
    load_house,
    parse_cents,
    parse_count,
    parse_number,
    parse_percent,
    submission_path,
)
from croupier.cli.console import (
    console,
    exit_on_error,
    print_json,
    print_player_edges,
    status,
    with_progress,
)
from croupier.cli.output_files import check_output
from croupier.errors import BadInput

if TYPE_CHECKING:
    from croupier.analysis.strategies.rule_language import RuleList
    from croupier.games import House

app = typer.Typer()
PANEL = "Mathematics"

BY_ODDS = "payout limits are not applied and winnings are not rounded"
PERFECT_PLAY = "one player against the house, with perfect play on the cards that player may see"


def print_result(
    house: House,
    as_json: bool,
    result: Any,
    render: Callable[[], Any],
    assumptions: tuple[str, ...],
) -> None:
    """Print a result with its assumptions, the game's edition, the House and the version."""
    from croupier import __version__
    from croupier.documents.formatting import json_values

    game = house.game
    if as_json:
        origin: dict[str, Any] = {
            "game": game.key,
            "edition": game.edition,
            "digest": house.digest,
            "version": __version__,
            "assumptions": assumptions,
        }
        print_json(origin | json_values(result))
        return
    output = console()
    print_player_edges(house)
    output.print(render())
    output.print()
    source = f"{game.key} edition {game.edition}, House {house.digest[:12]}, Croupier {__version__}"
    for line in (*assumptions, source):
        output.print(f"- {line}", style="dim", highlight=False)


def stake_assumption(ante: str) -> str:
    """How winnings are valued: by the odds, or as paid at an ante."""
    return f"winnings rounded and limited as paid at an ante of ${ante}" if ante else BY_ODDS


@app.command(rich_help_panel=PANEL, epilog="Example: croupier analyze harbor.toml")
def analyze(
    game: GameOrFile = "",
    submission: Annotated[
        Path | None, typer.Option(help="Analyze this Rules Submission, not all paytables.")
    ] = None,
    ante: Annotated[
        str, typer.Option(help="Ante in dollars, to include rounding and payout limits.")
    ] = "",
    plot: Annotated[
        Path | None, typer.Option(help="New .svg or .pdf file with the distribution and strategy.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compute exact returns, distributions and optimal play."""
    with exit_on_error("analysis"):
        from croupier import analysis
        from croupier.documents.charts import plots

        if plot:
            check_output(plot, plots.PLOT_SUFFIXES)
        if submission or submission_path(game):
            house = load_house(game, submission, for_analysis=True)
            stake = parse_cents(ante) if ante else None
            result = with_progress(
                lambda report: analysis.analyze(house, report, stake), house.game.title
            )
        elif ante:
            raise BadInput("--ante requires a Rules Submission")
        else:
            key = game_key(game)
            result = with_progress(lambda report: analysis.analyze_game(key, report), key)
        if plot:
            plots.plot(result, plot)
    if as_json:
        print_json(analysis.to_json(result))
    else:
        from croupier.documents.console.analysis_renderer import render

        console().print(render(result))


def parse_bet(text: str) -> tuple[str, int]:
    """A wager and its multiple of the ante: "turn=1", "first_run=3x"."""
    wager, _, times = text.partition("=")
    if not times.removesuffix("x").isdecimal():
        raise BadInput(f"--bet: {text!r} is not WAGER=MULTIPLE; expected for example turn=1")
    return wager.strip(), int(times.removesuffix("x"))


@app.command(
    rich_help_panel=PANEL,
    epilog='Example: croupier advise ultimate --hand "Kd 2d" --board "As 7d 2c"',
)
def advise(
    game: GameOrFile,
    hand: Annotated[str, typer.Option(help='The player\'s cards, e.g. "Kd 2d".')],
    board: Annotated[str, typer.Option(help="Community cards shown so far.")] = "",
    street: Annotated[str, typer.Option(help="Street, if the board does not determine it.")] = "",
    bet: Annotated[
        list[str] | None,
        typer.Option(help="Earlier bet in antes, e.g. turn=1; repeatable."),
    ] = None,
    submission: SubmissionOption = None,
    as_json: Json = False,
) -> None:
    """Show the exact value of every option of a decision, in antes."""
    with exit_on_error("analysis"):
        from croupier import analysis

        house = load_house(game, submission, for_analysis=True)
        bets = dict(parse_bet(text) for text in bet or ())
        values = with_progress(
            lambda report: analysis.advise(house, hand, board, street, bets, progress=report),
            f"Solving {house.game.title}",
        )
    if as_json:
        options = {word: {"ev": str(ev), "value": float(ev)} for word, ev in values}
        data = {"game": house.game.key, "best": values[0][0], "ties": analysis.TIE_RULE}
        print_json({**data, "options": options}, indent=None)
        return
    for word, ev in values:
        typer.echo(f"{word:6} {float(ev):+.6f} antes  ({ev})")
    tied = values[0][1] == values[1][1]
    typer.echo(f"({analysis.TIE_RULE}{'' if tied else '; there is no tie here'})")


@app.command(
    rich_help_panel=PANEL, epilog="Example: croupier session ultimate --rounds 1e3 --bankroll 50"
)
def session(
    game: GameOrFile = "",
    rounds: Annotated[str, typer.Option(help="Number of rounds at one ante, e.g. 1e3.")] = "100",
    bankroll: Annotated[str, typer.Option(help="Bankroll in antes, for the risk of ruin.")] = "",
    rebate: Annotated[str, typer.Option(help="Rebate on losses, in percent.")] = "",
    comps: Annotated[str, typer.Option(help="Comps, in percent of the theoretical loss.")] = "",
    ante: Annotated[
        str, typer.Option(help="Ante in dollars, to include rounding and payout limits.")
    ] = "",
    submission: SubmissionOption = None,
    as_json: Json = False,
) -> None:
    """Show how a session may end: quantiles, risk of ruin, rebates."""
    with exit_on_error("analysis"):
        from croupier import analysis

        house = load_house(game, submission, for_analysis=True)
        count = parse_count(rounds, "--rounds")
        stake = parse_cents(ante) if ante else None
        antes = parse_number(bankroll, "--bankroll") if bankroll else None
        rebate_rate = parse_percent(rebate, "--rebate") if rebate else None
        comp_rate = parse_percent(comps, "--comps") if comps else None
        solution = with_progress(
            lambda report: analysis.solve(house, progress=report, ante=stake), house.game.title
        )
        result = analysis.analyze_session(solution, count, antes, rebate_rate, comp_rate)
    from croupier.documents.console import session_renderer

    print_result(
        house,
        as_json,
        result,
        lambda: session_renderer.render(house.game.title, result),
        (PERFECT_PLAY, stake_assumption(ante)),
    )


@app.command(rich_help_panel=PANEL, epilog="Example: croupier protect ultimate --knows dealer:1")
def protect(
    game: GameOrFile = "",
    knows: Annotated[
        str, typer.Option(help='Cards the player has seen, e.g. "dealer:1 turn:1", "seat:2".')
    ] = "",
    submission: SubmissionOption = None,
    as_json: Json = False,
) -> None:
    """Compute what an exposed card is worth to a player."""
    with exit_on_error("analysis"):
        from croupier import analysis

        house = load_house(game, submission, for_analysis=True)
        result = with_progress(
            lambda report: analysis.analyze_exposure(house, knows, report), house.game.title
        )
    from croupier.documents.console import exposure_renderer

    print_result(
        house,
        as_json,
        result,
        lambda: exposure_renderer.render(house, result),
        ("one player, with perfect play on all known cards", BY_ODDS),
    )


@app.command(
    rich_help_panel=PANEL, epilog="Example: croupier design harbor.toml --wager trips --edge 3.5"
)
def design(
    game: GameOrFile,
    wager: Annotated[str, typer.Option(help="Side wager to design a paytable for.")],
    edge: Annotated[str, typer.Option(help="Target house edge, in percent.")],
    hit: Annotated[str, typer.Option(help="Target hit frequency, in percent.")] = "",
    deviation: Annotated[str, typer.Option(help="Target standard deviation of one unit.")] = "",
    as_json: Json = False,
) -> None:
    """Search a paytable for a target house edge and hit frequency."""
    with exit_on_error("analysis"):
        from croupier import analysis

        house = load_house(game, for_analysis=True)
        goal = analysis.DesignGoal(
            edge=parse_percent(edge, "--edge"),
            hit=parse_percent(hit, "--hit") if hit else None,
            deviation=float(parse_number(deviation, "--deviation")) if deviation else None,
        )
        with status("Searching paytables"):
            result = analysis.design_paytable(house, wager, goal.edge, goal.hit, goal.deviation)
            reachable = analysis.reachable_hit_frequencies(house, wager)
    from croupier.documents.console import design_renderer

    print_result(
        house,
        as_json,
        design_renderer.to_json(wager, result, goal),
        lambda: design_renderer.render(house, wager, result, goal, reachable),
        ("the wager by itself, meters at their reset amounts", BY_ODDS),
    )


@app.command(rich_help_panel=PANEL, epilog="Example: croupier meter ultimate")
def meter(
    game: GameOrFile = "",
    wagers_per_hour: Annotated[
        int, typer.Option(min=1, help="Progressive wagers per hour, to estimate times.")
    ] = 150,
    submission: SubmissionOption = None,
    as_json: Json = False,
) -> None:
    """Show what progressive meters cost: seeds, hits, mean amounts."""
    with exit_on_error("analysis"):
        from croupier import analysis

        house = load_house(game, submission, for_analysis=True)
        with status("Counting hands"):
            result = analysis.progressive_economics(house)
    from croupier.documents.console import meter_renderer

    print_result(
        house,
        as_json,
        result,
        lambda: meter_renderer.render(house, result, wagers_per_hour),
        ("in the long run, assuming no wager is forfeited by a fold",),
    )


@app.command(rich_help_panel=PANEL, epilog="Example: croupier strategy ultimate")
def strategy(
    game: Annotated[
        str,
        typer.Argument(
            help="Game, Rules Submission, or file of rules (street: condition -> action)."
        ),
    ],
    lines: Annotated[
        int, typer.Option(min=0, help="Search for the best strategies of up to this many rules.")
    ] = 0,
    submission: SubmissionOption = None,
    as_json: Json = False,
) -> None:
    """Compute the cost of a simple strategy, or find short ones."""
    with exit_on_error("analysis"):
        from croupier import analysis

        rules = load_rules(game)
        name = rules.game or "" if rules else game
        house = load_house(name, submission, for_analysis=True)
        if lines:
            strategies = with_progress(
                lambda report: analysis.search_rules(house, lines, report), house.game.title
            )
        else:
            selected = rules or analysis.practical_strategy(house.game.key)
            if selected is None:
                raise BadInput(f"{house.game.title} has no practical strategy; try --lines 5")
            title = selected.title or game
            priced = with_progress(
                lambda report: (
                    analysis.strategy_cost(house, rules, report)
                    if rules
                    else analysis.practical_cost(house, report)
                ),
                house.game.title,
            )
    from croupier.documents.console import strategy_renderer

    print_result(
        house,
        as_json,
        {"strategies": strategies} if lines else priced,
        lambda: (
            strategy_renderer.render_search(house, strategies)
            if lines
            else strategy_renderer.render(house, title, priced)
        ),
        ("one player against the house, who follows the rules as written", BY_ODDS),
    )


def load_rules(game: str) -> RuleList | None:
    """The rules in a file, or None if the text names a game."""
    from croupier.analysis import parse_rules

    path = submission_path(game)
    if path is None or path.suffix == ".toml":
        return None
    try:
        rules = parse_rules(path.read_text("utf-8"))
    except FileNotFoundError:
        raise BadInput(f"{game}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{game} cannot be read as rules: {error}") from None
    if not rules.game:
        raise BadInput(f"{game} names no game; expected a line such as game: KEY")
    return rules
