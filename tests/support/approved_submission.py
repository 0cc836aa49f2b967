"""A submission that two operators send and approve over the wire."""

from __future__ import annotations

from typing import Any

from croupier.server import Client
from tests.server.api.test_submission_endpoints import APPROVAL, request_json


async def approve_submission(olga: Client, otto: Client) -> dict[str, Any]:
    """The approved submission of a table of Top Five."""
    draft = await request_json(olga, "/submissions", {"game": "top_five", "operator": "Pier"})
    path = f"/submissions/{draft['id']}"
    answers = {**draft["answers"], "choices.layout_approval": APPROVAL}
    draft = await request_json(
        olga, f"{path}/answers", {"version": draft["version"], "answers": answers}
    )
    sent = await request_json(olga, f"{path}/sending", {"version": draft["version"]})
    decision = {"digest": sent["sent_digest"], "approved": True}
    approved: dict[str, Any] = await request_json(otto, f"{path}/decision", decision)
    return approved
