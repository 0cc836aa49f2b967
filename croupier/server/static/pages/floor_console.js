// Floor console: the steps that wait for a supervisor first, then all others by subject.

import { StaffConsole } from "./staff_console.js";
import { h } from "../lib/render.js";
import { bySubject } from "../lib/command_groups.js";

class FloorConsole extends StaffConsole {
  side() {
    const optional = this.state.steps.filter((step) => step.due === "may" && !step.blocked);
    return [
      this.nextSteps(this.dueSteps),
      ...bySubject(optional).map(([key, title, steps]) => this.group(key, title, steps, false)),
      this.group("blocked", "Blocked actions", this.blockedSteps, false),
      h("p", { key: "pit" }, h("a", { href: "/pit" }, "Go to the pit")),
    ];
  }
}

customElements.define("croupier-floor-console", FloorConsole);
