"""Passkeys in Chromium with a virtual authenticator: add one, and sign in with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.server.auth.accounts import BY_PROGRAM
from croupier.server.auth.session_policy import LIVE
from tests.support.floor_server import PASSWORD, ServerThread, recorded_sign_ins, serving

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group(__name__)]
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
# The answer of the device to a challenge, without sending it.
ASSERTION = """async () => {
  const post = async (path, body) => (await fetch(path, {
    method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(body),
  })).json();
  const { id, options } = await post("/session/passkey/options", {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  return { id, credential: credential.toJSON() };
}"""


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A server under the policy of a live ledger."""
    with serving(tmp_path) as world:
        assert world.server is not None
        world.server.floor.accounts.policy = LIVE
        yield world


def page_with_device(browser: Browser, address: str) -> Page:
    """A page of the server under a host name, with a device that is unlocked at once."""
    page = browser.new_context(base_url=address.replace("127.0.0.1", "localhost")).new_page()
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return page


def sign_in(page: Page, name: str) -> None:
    """Sign in with a password."""
    page.goto("/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/account")


def add_passkey(page: Page, password: str = PASSWORD) -> None:
    """Fill in the form of the account page."""
    card = page.locator("[data-passkey-card]")
    card.get_by_label("Password").fill(password)
    card.get_by_role("button", name="Add a passkey").click()


def test_a_passkey_stands_for_password_and_second_factor(
    floor: ServerThread, browser: Browser
) -> None:
    """An operator adds one, has all roles at once, and signs in with it alone."""
    page = page_with_device(browser, floor.address)
    sign_in(page, "olga")
    add_passkey(page, "a wrong password")
    expect(page.get_by_text("wrong name or password")).to_be_visible()
    add_passkey(page)
    expect(page.get_by_text("Recovery codes, each for one sign-in:")).to_be_visible()
    page.goto("/people")
    expect(page.get_by_role("heading", name="People")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.goto("/sign-in?then=/people")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="People")).to_be_visible()
    assert floor.server is not None
    accounts = floor.server.floor.accounts
    assert not accounts.person("olga").must_enroll
    kinds = [kind for kind, account, _ in recorded_sign_ins(floor) if account == "olga"]
    assert ["signed_in", "signed_out", "signed_in"] == [kind for kind in kinds if kind != "failed"]
    (added,) = [
        entry.events[0]
        for entry in accounts.register.history("olga")
        if entry.events[0].__struct_config__.tag == "factor_set"
    ]
    assert "passkey" == added.factor  # type: ignore[attr-defined]


def post(page: Page, path: str, body: dict[str, Any], origin: str = "") -> int:
    """The status of a request with the cookies of the page."""
    headers = {"origin": origin or page.url.partition("/sign-in")[0]}
    return page.request.post(path, data=body, headers=headers).status


def test_an_answer_counts_once_and_only_here(floor: ServerThread, browser: Browser) -> None:
    """Not again, not for another challenge or site, and not for a disabled account."""
    page = page_with_device(browser, floor.address)
    sign_in(page, "olga")
    add_passkey(page)
    expect(page.get_by_text("The passkey is in use.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    first, second = page.evaluate(ASSERTION), page.evaluate(ASSERTION)
    path = "/session/passkey"
    assert 403 == post(page, path, {**first, "id": "unknown"})
    assert 403 == post(page, path, {"id": second["id"], "credential": first["credential"]})
    assert 200 == post(page, path, first)
    assert 403 == post(page, path, first)
    third = page.evaluate(ASSERTION)
    assert 403 == post(page, path, third, origin="https://elsewhere.example")
    fourth = page.evaluate(ASSERTION)
    assert floor.server is not None
    floor.server.floor.accounts.dismiss("olga", BY_PROGRAM)
    assert 403 == post(page, path, fourth)
    assert ("failed", "") in [(kind, account) for kind, account, _ in recorded_sign_ins(floor)]
