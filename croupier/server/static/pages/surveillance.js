// Surveillance console: the live table as a camera sees it.

import { StaffConsole } from "./staff_console.js";
import { problemAlert } from "../components/problem_alert.js";
import { h } from "../lib/render.js";

class Surveillance extends StaffConsole {
  side() {
    const actions = this.state.steps.filter((step) => !step.blocked);
    const table = encodeURIComponent(this.table);
    return [
      problemAlert(this.problem),
      h(
        "section",
        { key: "rounds", class: "card" },
        h("h2", {}, "Rounds on record"),
        h(
          "a",
          { class: "button", href: `/search?table=${table}` },
          "Search and replay rounds of this table",
        ),
      ),
      this.group("may", "Available actions", actions, false),
    ];
  }
}

customElements.define("croupier-surveillance", Surveillance);
