// Badge in the header of staff pages: the number of commands that wait for the person's approval.

import { h, render } from "../lib/render.js";
import { pollJson } from "../lib/api.js";

const POLL_MS = 3000;

class PendingBadge extends HTMLElement {
  connectedCallback() {
    this.poll();
  }

  async poll() {
    try {
      if (!document.hidden) this.count = (await pollJson("/agreements/waiting")).to_agree.length;
    } catch {
      // The next poll may succeed.
    }
    const count = this.count ?? 0;
    render(
      this,
      h(
        "a",
        { class: count ? "button" : "quiet-link", href: "/agreements" },
        count ? `Approvals (${count})` : "Approvals",
      ),
    );
    if (this.isConnected) setTimeout(() => this.poll(), POLL_MS);
  }
}

customElements.define("croupier-pending-badge", PendingBadge);
