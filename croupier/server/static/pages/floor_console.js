// A table as the floor sees it: what waits for a supervisor first, the rest by subject.

import { Console } from "./staff_console.js";
import { h } from "../lib/render.js";
import { bySubject } from "../lib/command_groups.js";

class Supervisor extends Console {
  side() {
    const due = this.due;
    const may = this.state.steps.filter((step) => step.due === "may" && !step.blocked);
    return [
      this.panel(due.length ? due.map((step, index) => this.step(step, index)) : h("p", { key: "nothing", class: "quiet-text" }, "Nothing waits for you here.")),
      ...bySubject(may).map(([key, title, steps]) => this.group(key, title, steps, false)),
      this.group("blocked", "What waits for something", this.state.steps.filter((step) => step.blocked), false),
      h("p", { key: "pit" }, h("a", { href: "/pit" }, "The whole pit")),
    ];
  }
}

customElements.define("croupier-floor-console", Supervisor);
