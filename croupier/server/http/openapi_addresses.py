"""Addresses described: of the coach, of those who watch, of operators, of the dealer school."""

from __future__ import annotations

from typing import Any

from croupier.server.http.openapi_describing import (
    KEY,
    ROUND,
    SOUGHT,
    TABLE,
    number,
    operation,
    text,
)

ACTING = "400 401 403 404 409 413 415 422 429 503"


def path(name: str, words: str) -> dict[str, Any]:
    """A name within an address."""
    schema = {"type": "string"}
    return {"name": name, "in": "path", "required": True, "schema": schema, "description": words}


SUBMISSION = path("id", "The id of a submission.")


def coach_paths() -> dict[str, Any]:
    """What the coach of a practice table is asked."""
    fails = "400 401 403 404 410 422 429"
    return {
        "/tables/{table}/advice": {
            "get": operation(
                "What each option is worth now; refused where people deal.",
                name="advice",
                gives="CoachAdvice",
                parameters=(TABLE,),
                fails=fails,
            )
        },
        "/tables/{table}/lesson": {
            "get": operation(
                "What the last round has taught, and the mistakes so far.",
                name="lesson",
                gives="RoundReview",
                parameters=(TABLE,),
                fails=fails,
            )
        },
        "/tables/{table}/again": {
            "post": operation(
                "A round that is over, with the same deck and other words.",
                name="again",
                takes="PlayAgain",
                gives="Again",
                parameters=(TABLE,),
                fails=f"{fails} 413 415",
            )
        },
    }


def watch_paths() -> dict[str, Any]:
    """What surveillance and audit look back at."""
    fails = "400 401 403 404 429"
    return {
        "/tables/{table}/rounds": {
            "get": operation(
                "Rounds of a table, the latest first.",
                name="rounds",
                gives="FoundRounds",
                parameters=(
                    TABLE,
                    number("seat", "A seat."),
                    number("over", "Paid to a seat in all, above so many cents."),
                    *(text(name, words) for name, words in SOUGHT.items()),
                ),
                fails=fails,
            )
        },
        "/tables/{table}/rounds/{round}": {
            "get": operation(
                "A round moment by moment.",
                name="replay",
                gives="RoundReplay",
                parameters=(TABLE, ROUND, text("eyes", "camera, whole, or a seat.")),
                fails=fails,
            )
        },
        "/tables/{table}/rounds/{round}/proof": {
            "get": operation(
                "A round as a file, with the proof that it is in the log of a signed checkpoint.",
                name="prove",
                parameters=(TABLE, ROUND),
                fails=fails,
            )
        },
    }


def operator_paths() -> dict[str, Any]:
    """Submissions from the first draft to the tables that open under them."""

    def acts(words: str, name: str, takes: str) -> dict[str, Any]:
        parameters = (SUBMISSION, KEY)
        return {
            "post": operation(
                words, name=name, takes=takes, gives="Draft", parameters=parameters, fails=ACTING
            )
        }

    looking = "401 403 404 422 429"
    return {
        "/forms/{game}": {
            "get": operation(
                "Every field of a game's submission.",
                name="form",
                gives="FormCard",
                parameters=(path("game", "A game's key."),),
                fails=looking,
            )
        },
        "/submissions": {
            "get": operation(
                "Every submission and every table.",
                name="submissions",
                gives="Drafts",
                fails="401 403 429",
            ),
            "post": operation(
                "Begin a draft, or an amendment.",
                name="beginSubmission",
                takes="Begin",
                gives="Draft",
                parameters=(KEY,),
                fails=ACTING,
            ),
        },
        "/submissions/{id}": {
            "get": operation(
                "One submission, and what the rules say of it.",
                name="submission",
                gives="Draft",
                parameters=(SUBMISSION,),
                fails=looking,
            )
        },
        "/submissions/{id}/answers": acts("Save what a draft says.", "writeSubmission", "Write"),
        "/submissions/{id}/sending": acts("Send it for approval.", "sendSubmission", "Send"),
        "/submissions/{id}/decision": acts(
            "Approve it as a second person, or give it back.",
            "decideSubmission",
            "SubmissionDecision",
        ),
        "/submissions/{id}/tables": acts("Open a table under it.", "openUnder", "OpenTableRequest"),
        "/submissions/{id}/file.toml": {
            "get": operation(
                "A submission as the file that `croupier check` reads.",
                name="submissionFile",
                parameters=(SUBMISSION,),
                fails=looking,
            )
        },
        "/tables/{table}/win": {
            "get": operation(
                "What a table has won against theory, each bet with its band.",
                name="winReport",
                gives="WinReport",
                parameters=(TABLE,),
                fails="401 403 404 429 503",
            )
        },
        "/tables/{table}/closing": {
            "post": operation(
                "Take a table off the floor; its record stays.",
                name="closeTable",
                parameters=(TABLE,),
                fails=ACTING,
            )
        },
    }


def agreement_paths() -> dict[str, Any]:
    """Second persons, asked and answering."""
    return {
        "/tables/{table}/agreements/asked": {
            "post": operation(
                "Ask the second person whom a command names to agree to it.",
                name="askSecond",
                takes="Command",
                gives="PendingAgreement",
                parameters=(TABLE, KEY),
                fails=ACTING,
            )
        },
        "/agreements/waiting": {
            "get": operation(
                "What others ask of one as a second person, and what one has asked for.",
                name="agreementsWaiting",
                gives="AgreementsWaiting",
            )
        },
        "/tables/{table}/agreements/{id}": {
            "post": operation(
                "Agree to what was asked, or not.",
                name="sayAgreement",
                takes="Say",
                gives="PendingAgreement",
                parameters=(TABLE, path("id", "The id of what waits.")),
                fails=ACTING,
            )
        },
    }


def school_paths() -> dict[str, Any]:
    """The dealer school."""
    lesson = path("id", "The id of a lesson.")
    looking = "401 403 404 422 429"
    return {
        "/school/lessons": {
            "get": operation("Lessons.", name="lessons", gives="LessonLines"),
            "post": operation(
                "Begin a lesson.",
                name="beginLesson",
                takes="BeginLesson",
                gives="LessonView",
                fails=ACTING,
            ),
        },
        "/school/lessons/{id}": {
            "get": operation(
                "A lesson as it stands.",
                name="oneLesson",
                gives="LessonView",
                parameters=(lesson,),
                fails=looking,
            )
        },
        "/school/lessons/{id}/verdict": {
            "post": operation(
                "What the examiner says of a table test.",
                name="sayVerdict",
                takes="ExaminerVerdict",
                gives="LessonView",
                parameters=(lesson,),
                fails=ACTING,
            )
        },
        "/school/lessons/{id}/record.pdf": {
            "get": operation(
                "The record of a table test, as PDF.",
                name="tableTest",
                parameters=(lesson,),
                fails=looking,
            )
        },
        "/tables/{table}/school": {
            "post": operation(
                "One act of a trainee, graded.",
                name="schoolAct",
                takes="SchoolAct",
                gives="LessonView",
                parameters=(TABLE,),
                fails=ACTING,
            )
        },
    }
