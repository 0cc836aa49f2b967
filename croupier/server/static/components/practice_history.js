// Practice history: the coach's totals of the player by day and game, and their deletion.

import { dollars, signedDollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { deleteJson, getJson } from "../lib/api.js";
import { plural } from "../lib/text.js";

const PATH = "/coach/history";

export class PracticeHistory {
  constructor(page) {
    this.page = page;
    this.days = null;
    this.deleting = false; // the player is asked whether to delete everything
    this.problem = "";
  }

  async run(request) {
    try {
      this.days = (await request(PATH)).days;
      this.problem = "";
    } catch (error) {
      this.problem = error.message;
    }
    this.deleting = false;
    this.page.draw();
  }

  ask(deleting) {
    this.deleting = deleting;
    this.page.draw();
  }

  draw() {
    return h(
      "details",
      { key: "history", class: "more", ontoggle: (event) => event.target.open && this.run(getJson) },
      h("summary", {}, "Practice history"),
      this.problem ? h("p", { key: "problem", role: "alert" }, this.problem) : null,
      this.days?.length ? [this.table(), this.deletion()] : h("p", { key: "empty" }, "No rounds yet."),
    );
  }

  table() {
    return h(
      "ul",
      { key: "days", class: "history" },
      this.days.map(({ day, title, totals }) =>
        h(
          "li",
          { key: `${day} ${title}` },
          h("b", {}, `${day}, ${title}`),
          h(
            "span",
            {},
            `${plural(totals.rounds, "round")}, ${plural(totals.decisions, "decision")}, ` +
              `${plural(totals.mistakes, "mistake")} (${dollars(totals.cost)}), ` +
              `result ${signedDollars(totals.net)}, luck ${signedDollars(totals.luck)}`,
          ),
        ),
      ),
    );
  }

  deletion() {
    if (!this.deleting)
      return h(
        "button",
        { key: "delete", type: "button", class: "danger", onclick: () => this.ask(true) },
        "Delete my history",
      );
    return h(
      "div",
      { key: "confirm", class: "choices", role: "alert" },
      h("p", {}, "Delete the totals of every day and game?"),
      h("button", { type: "button", class: "danger", onclick: () => this.run(deleteJson) }, "Delete"),
      h("button", { type: "button", onclick: () => this.ask(false) }, "Keep"),
    );
  }
}
