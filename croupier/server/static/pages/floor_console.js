// Floor console: the steps that wait for a supervisor first, then all others by subject.

import { StaffConsole } from "./staff_console.js";
import { h } from "../lib/render.js";

class FloorConsole extends StaffConsole {
  side() {
    const optional = this.state.steps.filter((step) => step.due === "may" && !step.blocked);
    return [
      this.nextSteps(this.dueSteps),
      ...this.groups(optional),
      this.group("blocked", "Blocked actions", this.blockedSteps, false),
      h("p", { key: "pit" }, h("a", { href: "/pit" }, "Go to the pit")),
    ];
  }
}

customElements.define("croupier-floor-console", FloorConsole);
