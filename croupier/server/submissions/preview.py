"""A submission as its operator is told of it: edges, findings and prices, in words and exactly."""

from __future__ import annotations

from croupier.documents.console.submission_renderer import name_of_wager
from croupier.games import Game
from croupier.server.submissions import submission_messages
from croupier.server.submissions.repository import SubmissionRecord
from croupier.submission.web_form import FormEvaluation


def told(
    game: Game,
    filing: SubmissionRecord,
    looked: FormEvaluation,
    tables: tuple[str, ...],
    viewer: str,
    *,
    live: bool,
) -> submission_messages.Draft:
    """A submission with what the rules say of it, for people."""
    examination = looked.examination
    house = examination.drafted
    letters = house.letters if house else {}
    return submission_messages.Draft(
        id=filing.id,
        game=filing.game,
        title=game.title,
        operator=examination.operator,
        state=filing.state,
        version=filing.version,
        answers=filing.answers,
        authors=filing.authors,
        based_on=filing.based_on,
        sent_by=filing.sent_by,
        decided_by=filing.decided_by,
        decided_at=filing.decided_at,
        remark=filing.remark,
        sent_digest=filing.digest,
        legal=examination.legal,
        ready=examination.ready,
        digest=house.digest if house else "",
        drawn=examination.priced is not None,
        edges=tuple(
            submission_messages.Edge(
                wager=wager,
                title=name_of_wager(game, wager),
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
                field=each.field,
                wager=each.values[0].wager,
                title=name_of_wager(game, each.values[0].wager),
                values=tuple(
                    submission_messages.Price(
                        value=one.value,
                        share=str(one.share),
                        returns=f"{float(one.share):.4%}",
                        chosen=one.chosen,
                    )
                    for one in each.values
                ),
            )
            for each in looked.prices
        ),
        matters=looked.matters,
        tables=tables,
        live=live,
        may_decide=viewer not in (*filing.authors, filing.sent_by),
    )
