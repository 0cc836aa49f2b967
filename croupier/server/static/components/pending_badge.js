// Link to the approvals on staff pages: how many wait for the person, and how many they wait for.

import { h, render } from "../lib/render.js";
import { pollJson } from "../lib/api.js";

const POLL_MS = 3000;

class PendingBadge extends HTMLElement {
  connectedCallback() {
    this.poll();
  }

  async poll() {
    try {
      if (!document.hidden) {
        const { to_agree: incoming, asked } = await pollJson("/agreements/waiting");
        this.count = incoming.length;
        this.pending = asked.filter((request) => request.state === "waits").length;
      }
    } catch {
      // The next poll may succeed.
    }
    const count = this.count ?? 0;
    render(
      this,
      h(
        "a",
        {
          class: count ? "button" : null,
          href: "/agreements",
          "aria-current": location.pathname === "/agreements" ? "page" : null,
        },
        count ? `Approvals (${count})` : "Approvals",
        this.pending ? h("small", {}, ` ${this.pending} pending`) : null,
      ),
    );
    if (this.isConnected) setTimeout(() => this.poll(), POLL_MS);
  }
}

customElements.define("croupier-pending-badge", PendingBadge);
