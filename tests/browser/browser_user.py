"""A signed-in person in a real browser, and the accessibility check of a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from croupier.games import CATALOGUE
from tests.support.floor_server import PASSWORD, ServerThread


class BrowserUser:
    """A person who is signed in; `page_errors` collects what their page logs as an error."""

    def __init__(self, world: ServerThread, context: BrowserContext, name: str) -> None:
        self.world = world
        self.page: Page = context.new_page()
        self.page_errors: list[str] = []
        self.page.on("pageerror", lambda error: self.page_errors.append(str(error)))
        self.page.on("console", self._on_console)
        self.page.goto(f"{world.address}/sign-in")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url("**/lobby")

    def _on_console(self, message: ConsoleMessage) -> None:
        # The browser itself logs a lost connection, which the page handles.
        lost_connection = "WebSocket" in message.text or "ERR_" in message.text
        if message.type == "error" and not lost_connection:
            self.page_errors.append(message.text)

    def sit(self, game: str, seat: int) -> None:
        """Go from the lobby to a seat at a practice table, with chips."""
        title = next(each.title for each in CATALOGUE if each.key == game)
        self.page.get_by_role("link", name=f"Play {title}").click()
        self.page.get_by_role("button", name=f"Seat {seat}", exact=True).click()
        expect(self.page.get_by_text("Place your bets")).to_be_visible()
        expect(self.page.locator(".status .chips")).to_have_text("$500")

    def decide_all(self) -> None:
        """Take the first option of every decision until the round is settled."""
        settled = self.page.locator(".settlement h2", has_text="Round")
        buttons = self.page.locator("[aria-label='Your turn'] .choices button:has(kbd)")
        for _ in range(12):
            prompt = self.page.get_by_text("Your decision")
            expect(settled.or_(prompt).first).to_be_visible()
            if settled.is_visible():
                return
            before = self.page.locator("[role=log] p").count()
            buttons.first.click()
            expect(self.page.locator("[role=log] p").nth(before)).to_be_attached()
        raise AssertionError("the round does not end")


def axe_violations(page: Page) -> list[str]:
    """The accessibility rules that a page violates, with the first element of each."""
    violations = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in violations]
