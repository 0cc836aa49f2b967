// Paytable of a betting spot in a dialog; the line that won the last round is marked.

import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";

export class PaytableDialog {
  constructor(page) {
    this.page = page;
    this.wager = "";
  }

  show(name) {
    this.wager = name;
    this.page.draw();
    this.page.querySelector("dialog.paytable").showModal();
  }

  close() {
    this.wager = "";
    this.page.draw();
  }

  draw() {
    const wager = this.page.house.wagers.find((each) => each.name === this.wager);
    return h(
      "dialog",
      {
        key: "paytable",
        class: "paytable card",
        "aria-label": wager ? `Paytable: ${wager.title}` : "Paytable",
        onclose: () => this.close(),
      },
      wager ? this.content(wager) : null,
    );
  }

  content(wager) {
    const maximum = wager.most === null ? "" : ` to ${dollars(wager.most)}`;
    const limits = wager.least === wager.most ? dollars(wager.least) : dollars(wager.least) + maximum;
    return [
      h("h2", { key: "title" }, wager.title, wager.least ? h("small", {}, ` ${limits}`) : null),
      h("p", { key: "rule" }, this.page.house.clauses[wager.clause] ?? ""),
      wager.paytable.length
        ? h(
            "table",
            { key: "lines" },
            h(
              "tbody",
              {},
              wager.paytable.map((line) =>
                h(
                  "tr",
                  { key: line.hand, class: line === wonLine(this.page, wager) ? "won" : "" },
                  h("th", { scope: "row" }, line.hand),
                  h("td", {}, line.pays),
                ),
              ),
            ),
          )
        : null,
      h(
        "form",
        { key: "close", method: "dialog", class: "choices" },
        h("a", { class: "button plain", href: this.page.guidePath, target: "_blank" }, "All rules"),
        h("button", { type: "submit", class: "main" }, "Close"),
      ),
    ];
  }
}

// The paytable line by which a wager won in the last round, if its odds name only one.
export function wonLine(page, wager) {
  const results = page.ownBoxes.map(([, box]) => box.settled[wager.name]);
  const pays = results.find((each) => each?.outcome === "win")?.pays;
  const lines = wager.paytable.filter((line) => line.pays === pays);
  return lines.length === 1 ? lines[0] : undefined;
}
