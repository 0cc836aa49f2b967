"""Draft preview: findings, house edges and prices, in words and as exact fractions."""

from __future__ import annotations

from croupier.documents.console.submission_renderer import wager_name
from croupier.games import Game
from croupier.server.submissions import submission_messages
from croupier.server.submissions.repository import SubmissionRecord
from croupier.submission.web_form import FormEvaluation


def draft_view(
    game: Game,
    record: SubmissionRecord,
    entered: FormEvaluation,
    tables: tuple[str, ...],
    viewer: str,
    *,
    live: bool,
) -> submission_messages.Draft:
    """A submission with its findings, edges and prices, as `viewer` sees it."""
    examination = entered.examination
    house = examination.drafted
    letters = house.letters if house else {}
    return submission_messages.Draft(
        id=record.id,
        game=record.game,
        title=game.title,
        operator=examination.operator,
        state=record.state,
        version=record.version,
        answers=record.answers,
        authors=record.authors,
        based_on=record.based_on,
        sent_by=record.sent_by,
        decided_by=record.decided_by,
        decided_at=record.decided_at,
        remark=record.remark,
        sent_digest=record.digest,
        legal=examination.legal,
        ready=examination.ready,
        digest=house.digest if house else "",
        drawn=examination.priced is not None,
        edges=tuple(
            submission_messages.Edge(
                wager=wager,
                title=wager_name(game, wager),
                letter=letters.get(wager, ""),
                share=str(share),
                returns=f"{float(share):.4%}",
                edge=f"{float(1 - share):.4%}",
            )
            for wager, share in examination.returns.items()
        ),
        findings=tuple(
            submission_messages.FieldFinding(
                severity=issue.severity,
                field=issue.field,
                value="" if issue.value is None else str(issue.value),
                allowed=str(issue.allowed or ""),
                clause=issue.clause or "",
                message=issue.message,
            )
            for issue in examination.issues
        ),
        prices=tuple(
            submission_messages.Prices(
                field=prices.field,
                wager=prices.values[0].wager,
                title=wager_name(game, prices.values[0].wager),
                values=tuple(
                    submission_messages.Price(
                        value=price.value,
                        share=str(price.share),
                        returns=f"{float(price.share):.4%}",
                        chosen=price.chosen,
                    )
                    for price in prices.values
                ),
            )
            for prices in entered.prices
        ),
        matters=entered.matters,
        tables=tables,
        live=live,
        may_decide=viewer not in (*record.authors, record.sent_by),
    )
