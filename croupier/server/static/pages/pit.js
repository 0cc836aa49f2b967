// Pit: one queue of everything that waits for this person at any table, and the board of tables.
// The cage and security have the same page with their own queue.

import { taskCard } from "../components/task_card.js";
import { pitBoard } from "../components/pit_board.js";
import { problemAlert } from "../components/problem_alert.js";
import { h, render } from "../lib/render.js";
import { sendAs } from "../lib/second_person.js";
import { errorText, pollJson } from "../lib/api.js";
import { outageText } from "../lib/outage.js";

const POLL_MS = 2000;
const SIGN_ON = "take_post";

class Pit extends HTMLElement {
  connectedCallback() {
    Object.assign(this, { queue: [], tables: [], problem: "", notice: "" });
    this.poll();
  }

  async poll() {
    clearTimeout(this.timer);
    try {
      if (!document.hidden) Object.assign(this, { unavailable: false }, await pollJson("/pit/tables"));
      this.connected = true;
    } catch {
      this.connected = false;
    }
    if (!this.querySelector("form:focus-within")) this.draw(); // do not redraw a form in use
    if (this.isConnected) this.timer = setTimeout(() => this.poll(), POLL_MS);
  }

  async send(item, body, player) {
    this.problem = "";
    try {
      await sendAs(item.table, body, { role: item.role, player }, (notice) => {
        this.notice = notice;
        this.draw();
      });
    } catch (error) {
      this.problem = `${item.table}: ${errorText(error)}`;
    }
    document.activeElement?.blur();
    await this.poll();
    return !this.problem;
  }

  draw() {
    const outage = outageText(this.connected, this.unavailable);
    // Free posts hold nothing up: they are one task.
    const posts = this.queue.filter((item) => item.step.kind === SIGN_ON);
    const tasks = this.queue.filter((item) => item.step.kind !== SIGN_ON);
    render(
      this,
      outage ? h("p", { key: "outage", class: "problem", role: "status" }, outage) : null,
      problemAlert(this.problem),
      this.notice ? h("p", { key: "notice", role: "status" }, this.notice) : null,
      h(
        "section",
        { key: "queue", class: "card", "aria-label": "Waiting for you" },
        h("h2", {}, `Waiting for you (${tasks.length})`),
        tasks.length ? null : h("p", { key: "none", class: "quiet-text" }, "No action required."),
        h(
          "ul",
          { class: "queue" },
          tasks.map((item) =>
            taskCard(item, { send: (body, player) => this.send(item, body, player) }),
          ),
          posts.length ? this.signOn(posts) : null,
        ),
      ),
      h(
        "section",
        { key: "tables", class: "card", "aria-label": "Tables" },
        pitBoard(this.tables),
      ),
    );
  }

  signOn(posts) {
    return h(
      "li",
      { key: SIGN_ON, class: "task step may", "data-kind": SIGN_ON },
      h("p", { class: "task-title" }, h("b", {}, "Sign on at a table")),
      h(
        "div",
        { class: "posts" },
        posts.map((item) =>
          h(
            "button",
            {
              key: `${item.table} ${item.role}`,
              type: "button",
              "aria-label": `Sign on at ${item.table}`,
              onclick: () => this.send(item, { kind: SIGN_ON, ...item.step.fixed }),
            },
            item.table,
          ),
        ),
      ),
    );
  }
}

customElements.define("croupier-pit", Pit);
