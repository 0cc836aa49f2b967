"""A signed-in person in a real browser, and the accessibility check of a page."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, CDPSession, ConsoleMessage, Page, expect

from croupier.games import CATALOGUE
from tests.browser.chromium import open_context
from tests.support.floor_server import PASSWORD, ServerThread


class BrowserUser:
    """A person who is signed in; `page_errors` collects what their page logs as an error.

    The options are those of the browser context.
    """

    def __init__(self, world: ServerThread, browser: Browser, name: str, **options: Any) -> None:
        self.world = world
        self.page: Page = open_context(browser, **options).new_page()
        self.page_errors: list[str] = []
        self.page.on("pageerror", lambda error: self.page_errors.append(str(error)))
        self.page.on("console", self._on_console)
        self.page.goto(f"{world.address}/sign-in")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(lambda url: "/sign-in" not in url)

    def _on_console(self, message: ConsoleMessage) -> None:
        # The browser itself logs a lost connection, which the page handles.
        lost_connection = "WebSocket" in message.text or "ERR_" in message.text
        if message.type == "error" and not lost_connection:
            self.page_errors.append(message.text)

    def sit(self, game: str, seat: int) -> None:
        """Go from the lobby to a seat at a shared practice table, with chips."""
        title = next(each.title for each in CATALOGUE if each.key == game)
        self.page.get_by_role("link", name=f"{title}, shared table").click()
        self.page.get_by_role("button", name=f"Seat {seat}", exact=True).click()
        expect(self.page.get_by_text("Place your bets", exact=True)).to_be_visible()
        expect(self.page.locator(".status .chips")).to_have_text("$500")

    def decide_all(self) -> None:
        """Make the highest bet at every decision, or check, until the round is settled."""
        settled = self.page.locator(".headline", has_text="Round")
        bets = self.page.locator(".actions [data-word]:not([data-word=fold]):enabled")
        for _ in range(12):
            prompt = self.page.locator(".prompt", has_text="our decision")
            expect(settled.or_(prompt).first).to_be_visible()
            if settled.is_visible():
                return
            before = self.page.locator("[role=log] p").count()
            bets.last.click()
            expect(self.page.locator("[role=log] p").nth(before)).to_be_attached()
        raise AssertionError("the round does not end")


def press_decision(page: Page, key: str) -> None:
    """Press the key of a decision once the page takes it: after the time to read what is asked."""
    button = page.locator("[data-word]:enabled, [data-decision] button:enabled")
    expect(button.filter(has=page.locator("kbd", has_text=key.upper())).first).to_be_visible()
    page.keyboard.press(key)


# Presses a key twice at once, then the key and the button in the moment in which the next
# decision appears; and when that one can be made, a key that was pressed before, as on a busy page.
PRESS_REPEATEDLY = """
([code, button, next]) => new Promise((done) => {
  const key = () => new KeyboardEvent("keydown", { code, bubbles: true });
  const late = key();
  new MutationObserver((_, observer) => {
    if (!document.querySelector("main").textContent.includes(next)) return;
    const decision = document.querySelector(button);
    if (decision.disabled) {
      document.body.dispatchEvent(key());
      decision.click();
      return;
    }
    observer.disconnect();
    document.body.dispatchEvent(late);
    done();
  }).observe(document.body, { attributes: true, childList: true, subtree: true });
  document.body.dispatchEvent(key());
  document.body.dispatchEvent(key());
})
"""


def press_repeatedly(page: Page, code: str, button: str, next: str) -> None:
    """Make one decision with too many presses, until the next one can be made.

    `next` is a text that the page shows with the next decision, `button` a decision of both.
    """
    page.evaluate(PRESS_REPEATEDLY, [code, button, next])


class ReceivedBytes:
    """What a page receives from now on: HTTP responses as sent, WebSocket messages as text."""

    def __init__(self, page: Page) -> None:
        self.responses = 0
        self.http = 0
        self.feed = 0
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.session.send("Network.enable")
        self.session.on("Network.loadingFinished", self._finished)
        self.session.on("Network.webSocketFrameReceived", self._received)

    def _finished(self, event: dict[str, float]) -> None:
        self.responses += 1
        self.http += int(event["encodedDataLength"])

    def _received(self, event: dict[str, dict[str, str]]) -> None:
        self.feed += len(event["response"]["payloadData"].encode())


# Draws the page 1,000 times; returns its markup before and after, and how many elements it has.
REDRAW = """
() => {
  const page = [...document.querySelectorAll("main > *")].find((each) => each.draw);
  const markup = () => {
    const copy = page.cloneNode(true);
    copy.querySelectorAll("croupier-elapsed-time").forEach((clock) => clock.replaceChildren());
    return copy.outerHTML;
  };
  const elements = () => document.querySelectorAll("*").length;
  page.draw();
  const before = [markup(), elements()];
  for (let time = 0; time < 1000; time += 1) page.draw();
  return [before, [markup(), elements()]];
}
"""


def check_redrawing(page: Page) -> None:
    """A thousand drawings of the same state leave the same elements, and report no equal keys."""
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text))
    expect(page.locator("main > :defined > *").first).to_be_attached()
    before, after = page.evaluate(REDRAW)
    assert before == after
    assert [] == errors


# Inputs that hold a value before anybody has entered one; stakes show what is on the table.
PREFILLED = """
() => [...document.querySelectorAll("main :is(input, select)")]
  .filter((field) => field.value !== "" && field.type !== "range")
  .filter((field) => !field.matches("[data-kind=place_wagers] [type=number]"))
  .filter((field) => field.tagName !== "SELECT" || field.options.length > 1)
  .map((field) => `${field.closest("[data-kind]")?.dataset.kind} ${field.name}: ${field.value}`)
"""


def prefilled_fields(page: Page) -> list[str]:
    """The fields of staff forms that state something which nobody has entered."""
    fields: list[str] = page.evaluate(PREFILLED)
    return fields


# A color is no color of the page while an animation fades it in.
ANIMATIONS_END = """
() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
"""


def axe_violations(page: Page) -> list[str]:
    """The accessibility rules that a page violates, with the first element of each."""
    page.evaluate(ANIMATIONS_END)
    violations = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in violations]
