"""Gaming days in the browser: a day is closed, and signed with a key file that stays here."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request, expect

from croupier.ledger.log.transparency import checkpoint, signed_note, signing_keys
from tests.browser.browser_user import BrowserUser, axe_violations, check_redrawing
from tests.server.oversight.test_day_endpoints import NAME
from tests.server.oversight.test_day_endpoints import ended as ended
from tests.support.cli import invoke
from tests.support.floor_server import ServerThread

pytestmark = pytest.mark.xdist_group(__name__)


def open_days(ended: ServerThread, browser: Browser) -> tuple[BrowserUser, str]:
    """The page for a pit manager, who closes the day; returns the day."""
    petra = BrowserUser(ended, browser, "petra")
    page = petra.page
    page.goto(f"{ended.address}/days")
    close = page.get_by_role("button", name="Close 20")
    day = close.inner_text().removeprefix("Close ")
    expect(page.get_by_text("Signed", exact=True)).to_have_count(0)
    close.click()
    expect(page.get_by_role("heading", name=f"Sign gaming day {day}")).to_be_visible()
    return petra, day


def test_a_day_is_signed_with_a_local_key(
    ended: ServerThread, browser: Browser, tmp_path: Path
) -> None:
    """The checkpoint verifies with the public key; the private key is in no request."""
    key = signing_keys.new_key(tmp_path / "signing.pem")
    secret = key.private_bytes_raw()
    petra, day = open_days(ended, browser)
    page = petra.page
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))
    (tmp_path / "holiday.jpg").write_bytes(b"a picture")
    page.get_by_label("Private key file").set_input_files(tmp_path / "holiday.jpg")
    expect(page.get_by_role("alert")).to_contain_text("is not a private key")
    expect(page.get_by_role("button", name="Sign", exact=True)).to_be_disabled()
    page.get_by_label("Name of the log").fill(NAME)
    page.get_by_label("Private key file").set_input_files(tmp_path / "signing.pem")
    expect(page.get_by_text("which has signed no earlier day")).to_be_visible()
    assert [] == axe_violations(page)
    check_redrawing(page)
    page.get_by_role("button", name="Sign", exact=True).click()
    expect(page.get_by_text(f"Gaming day {day} is signed.")).to_be_visible()
    row = page.locator(f"[data-day='{day}']")
    expect(row).to_contain_text("Signed")
    with page.expect_download() as download:
        row.get_by_role("button", name="Save").click()
    download.value.save_as(tmp_path / "note.txt")
    public = signed_note.public_key(NAME, key)
    opened = checkpoint.open_checkpoint((tmp_path / "note.txt").read_bytes(), [public])
    assert (f"gaming day {day}",) == opened.extensions
    bodies = [request.post_data_buffer or b"" for request in sent]
    assert any(b"signature" in body for body in bodies)
    for body in bodies:
        assert secret not in body and secret.hex().encode() not in body
        assert b"PRIVATE" not in body
    assert [] == petra.page_errors


def test_a_day_is_signed_with_the_command_line(
    ended: ServerThread, browser: Browser, tmp_path: Path
) -> None:
    """Where the browser cannot sign, the page says so and takes the signature of the command."""
    signing_keys.new_key(tmp_path / "signing.pem")
    petra, day = open_days(ended, browser)
    page = petra.page
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page.reload()
    expect(page.get_by_text("This browser cannot sign here")).to_be_visible()
    expect(page.get_by_label("Private key file")).to_have_count(0)
    page.get_by_label("Name of the log").fill(NAME)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the checkpoint").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert f"{day}.checkpoint" == file.name
    printed = invoke(["audit", "sign", file, "--key", tmp_path / "signing.pem"]).stdout
    values = dict(line.split(":", 1) for line in printed.splitlines())
    page.get_by_label("Public key").fill(values["public key"])
    page.get_by_label("Signature").fill("00" * 64)
    page.get_by_role("button", name="Record signature").click()
    expect(page.get_by_role("alert")).to_contain_text("is not a signature")
    page.get_by_label("Signature").fill(values["signature"])
    page.get_by_role("button", name="Record signature").click()
    expect(page.get_by_text(f"Gaming day {day} is signed.")).to_be_visible()
    assert [] == axe_violations(page)
