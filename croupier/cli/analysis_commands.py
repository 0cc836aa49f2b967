"""Commands of the exact mathematics: analyze, advise, session, protect, meter, strategy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.cli.console import (
    GameName,
    Json,
    cents,
    check_kind,
    check_new,
    console,
    fail,
    house_for,
    key_of,
    missing_extra,
    number,
    waiting,
    with_progress,
)
from croupier.errors import BadInput, CroupierError

app = typer.Typer()

BY_ODDS = "payout limits are not applied and winnings are not rounded"
PERFECT = "one player against the house, who plays perfectly on what that player may see"


def tell(
    house: Any, as_json: bool, written: Any, rendered: Any, assumptions: tuple[str, ...]
) -> None:
    """Print a result with what it stands on: assumptions, edition, House and version."""
    from croupier import __version__

    game = house.game
    if as_json:
        behind = {
            "assumptions": assumptions,
            "edition": game.edition,
            "digest": house.digest,
            "version": __version__,
        }
        found = written()
        several = isinstance(found, list)
        told = [{**one, **behind} for one in (found if several else [found])]
        typer.echo(json.dumps(told if several else told[0], indent=2))
        return
    lines = (*assumptions, f"{game.key} edition {game.edition}, House {house.digest[:12]}")
    shown = console()
    shown.print(rendered())
    shown.print()
    for line in (*lines[:-1], f"{lines[-1]}, Croupier {__version__}"):
        shown.print(f"- {line}", style="dim", highlight=False)


def stakes_told(ante: str) -> str:
    """How winnings are valued: by the odds, or as they are paid at an ante."""
    return f"winnings rounded and limited as paid at an ante of ${ante}" if ante else BY_ODDS


@app.command()
def analyze(
    game: GameName = "",
    submission: Annotated[
        Path | None, typer.Option(help="Only this Rules Submission, not every paytable.")
    ] = None,
    ante: Annotated[
        str, typer.Option(help="Dollars: value the submission as offered at this ante.")
    ] = "",
    plot: Annotated[
        Path | None, typer.Option(help="Draw the distribution and the chart: .svg or .pdf.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Work out exactly what every wager returns, how it is distributed and how to play it."""
    try:
        from croupier import analysis
        from croupier.documents.charts import plots

        if plot:
            check_kind(plot, plots.PLOT_SUFFIXES)
            check_new(plot)
        if submission:
            house = house_for(submission, game)
            stake = cents(ante) if ante else None
            found = with_progress(
                lambda report: analysis.analyze(house, report, stake), house.game.title
            )
        elif ante:
            raise BadInput("--ante values what an operator offers: give its --submission too")
        else:
            key = key_of(game)
            found = with_progress(lambda report: analysis.analyze_game(key, report), key)
        if plot:
            plots.plot(found, plot)
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis")
    if as_json:
        typer.echo(json.dumps(analysis.to_json(found), indent=2))
    else:
        from croupier.documents.console.analysis_renderer import render

        console().print(render(found))


def bet_told(text: str) -> tuple[str, int]:
    """A bet as a user tells it: "turn=1", "first_run=3x"."""
    wager, _, times = text.partition("=")
    if not times.removesuffix("x").isdecimal():
        raise BadInput(f"{text!r} is no bet; expected a wager and its multiple, such as turn=1")
    return wager.strip(), int(times.removesuffix("x"))


@app.command()
def advise(
    game: GameName,
    hand: Annotated[str, typer.Option(help='The player\'s cards: "Kd 2d".')],
    board: Annotated[str, typer.Option(help="The community cards shown so far.")] = "",
    street: Annotated[str, typer.Option(help="The street, where the board does not say.")] = "",
    bet: Annotated[
        list[str] | None,
        typer.Option(help='A bet made before, in antes: "turn=1". May be given several times.'),
    ] = None,
    submission: Annotated[Path | None, typer.Option(help="Under this Rules Submission.")] = None,
    as_json: Json = False,
) -> None:
    """Say what every legal option is worth, exactly, in units of one ante."""
    try:
        from croupier import analysis

        house = house_for(submission, game)
        made = dict(bet_told(text) for text in bet or ())
        answers = with_progress(
            lambda report: analysis.advise(house, hand, board, street, made, progress=report),
            f"solving {house.game.title}",
        )
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis")
    if as_json:
        options = {word: {"ev": str(ev), "value": float(ev)} for word, ev in answers}
        told = {"game": house.game.key, "best": answers[0][0], "ties": analysis.TIE_RULE}
        typer.echo(json.dumps({**told, "options": options}))
        return
    for word, ev in answers:
        typer.echo(f"{word:6} {float(ev):+.6f} antes  ({ev})")
    tied = answers[0][1] == answers[1][1]
    typer.echo(
        f"({analysis.TIE_RULE}{'' if tied else '; here none are worth the same as the first'})"
    )


def percent_of_loss(text: str, what: str) -> Any:
    """A share of one from percent, refused before anything is solved for it."""
    share = number(text, what) / 100
    if not 0 < share < 1:
        raise BadInput(f"{text!r} for {what}: expected more than 0 and less than 100 percent")
    return share


@app.command()
def session(
    game: GameName = "",
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds of one ante.")] = 100,
    bankroll: Annotated[str, typer.Option(help="Antes in the pocket: how likely is ruin?")] = "",
    rebate: Annotated[str, typer.Option(help="Percent of a loss that comes back.")] = "",
    comps: Annotated[str, typer.Option(help="Percent of the theoretical loss given back.")] = "",
    ante: Annotated[str, typer.Option(help="Dollars: as offered at this ante.")] = "",
    submission: Annotated[Path | None, typer.Option(help="Under this Rules Submission.")] = None,
    as_json: Json = False,
) -> None:
    """Say how a session of many rounds may end: ahead or behind, quantiles, ruin, rebates."""
    try:
        from croupier import analysis

        house = house_for(submission, game)
        stake = cents(ante) if ante else None
        antes = number(bankroll, "a bankroll") if bankroll else None
        back = percent_of_loss(rebate, "a rebate") if rebate else None
        given = percent_of_loss(comps, "a comp rate") if comps else None
        result = with_progress(
            lambda report: analysis.solve(house, progress=report, ante=stake), house.game.title
        )
        found = analysis.analyze_session(result, rounds, antes, back, given)
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis")
    from croupier.documents.console import session_renderer

    tell(
        house,
        as_json,
        lambda: session_renderer.to_json(house, found),
        lambda: session_renderer.render(house.game.title, found),
        (PERFECT, stakes_told(ante)),
    )


@app.command()
def protect(
    game: GameName = "",
    knows: Annotated[
        str, typer.Option(help='What a player sees too much: "dealer:1 turn:1", "seat:2".')
    ] = "",
    submission: Annotated[Path | None, typer.Option(help="Under this Rules Submission.")] = None,
    as_json: Json = False,
) -> None:
    """Say what a card is worth to a player who should not have seen it, exactly."""
    try:
        from croupier import analysis

        house = house_for(submission, game)
        found = with_progress(
            lambda report: analysis.analyze_exposure(house, knows, report), house.game.title
        )
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis")
    from croupier.documents.console import exposure_renderer

    tell(
        house,
        as_json,
        lambda: exposure_renderer.to_json(house, found),
        lambda: exposure_renderer.render(house, found),
        ("one player, who plays perfectly on everything that is known", BY_ODDS),
    )


@app.command()
def design(
    submission: Annotated[Path, typer.Argument(help="A Rules Submission or a proposal.")],
    wager: Annotated[str, typer.Option(help="The side wager to find pays for.")],
    edge: Annotated[str, typer.Option(help="The wanted house edge, percent.")],
    hit: Annotated[str, typer.Option(help="The wanted hit frequency, percent.")] = "",
    deviation: Annotated[str, typer.Option(help="The wanted deviation of one unit.")] = "",
    as_json: Json = False,
) -> None:
    """Search pays of a wager for a wanted edge, hit frequency and deviation."""
    try:
        from croupier import analysis

        house = house_for(submission, "")
        wanted = analysis.DesignGoal(
            edge=percent_of_loss(edge, "an edge"),
            hit=percent_of_loss(hit, "a hit frequency") if hit else None,
            deviation=float(number(deviation, "a deviation")) if deviation else None,
        )
        with waiting("trying pays"):
            found = analysis.design_paytable(
                house, wager, wanted.edge, wanted.hit, wanted.deviation
            )
            reachable = analysis.reachable_hit_frequencies(house, wager)
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis")
    from croupier.documents.console import design_renderer

    tell(
        house,
        as_json,
        lambda: design_renderer.to_json(house, wager, found, wanted),
        lambda: design_renderer.render(house, wager, found, wanted, reachable),
        ("the wager by itself, meters at their reset amounts", BY_ODDS),
    )


@app.command()
def meter(
    game: GameName = "",
    wagers_per_hour: Annotated[
        int, typer.Option(min=1, help="Progressive wagers made in an hour, for times.")
    ] = 150,
    submission: Annotated[Path | None, typer.Option(help="Under this Rules Submission.")] = None,
    as_json: Json = False,
) -> None:
    """Say what progressive meters cost and bring: seeds, hits, mean amounts, when to play."""
    try:
        from croupier import analysis

        house = house_for(submission, game)
        with waiting("counting hands"):
            found = analysis.progressive_economics(house)
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis")
    from croupier.documents.console import meter_renderer

    tell(
        house,
        as_json,
        lambda: meter_renderer.to_json(house, found),
        lambda: meter_renderer.render(house, found, wagers_per_hour),
        ("in the long run, every wager carried to the end of its round",),
    )


@app.command()
def strategy(
    game: Annotated[
        str, typer.Argument(help="A game, or a file of rules (street: condition -> action).")
    ],
    lines: Annotated[
        int, typer.Option(min=0, help="Search lists of up to so many rules that lose little.")
    ] = 0,
    submission: Annotated[Path | None, typer.Option(help="Under this Rules Submission.")] = None,
    as_json: Json = False,
) -> None:
    """Price a strategy of simple rules exactly, or find short ones: cost against length."""
    try:
        from croupier import analysis

        rules = rules_for(game)
        house = house_for(submission, rules.game or "" if rules else game)
        if lines:
            lists = with_progress(
                lambda report: analysis.search_rules(house, lines, report), house.game.title
            )
        else:
            chosen = rules or analysis.practical_strategy(house.game.key)
            if chosen is None:
                raise BadInput(
                    f"{house.game.title} comes with no practical strategy; try --lines 5"
                )
            title = chosen.title or game
            priced = with_progress(
                lambda report: analysis.strategy_cost(house, chosen, report), house.game.title
            )
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "analysis")
    from croupier.documents.console import strategy_renderer

    tell(
        house,
        as_json,
        lambda: (
            strategy_renderer.search_to_json(lists) if lines else strategy_renderer.to_json(priced)
        ),
        lambda: (
            strategy_renderer.render_search(house, lists)
            if lines
            else strategy_renderer.render(house, title, priced)
        ),
        ("one player against the house, who follows the rules as written", BY_ODDS),
    )


def rules_for(game: str) -> Any:
    """The rules in a file, where a user named one; None for the name of a game."""
    from croupier.analysis import parse_rules

    path = Path(game)
    if not path.is_file():
        if path.suffix:
            raise BadInput(f"there is no file {game}")
        return None
    try:
        found = parse_rules(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{game} cannot be read as rules: {error}") from None
    if not found.game:
        raise BadInput(f"{game} does not say its game; expected a line such as game: top_five")
    return found
