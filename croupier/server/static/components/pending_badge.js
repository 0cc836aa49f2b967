// In the bar of every page of the staff: how much waits for their agreement.

import { h, render } from "../lib/render.js";
import { read } from "../lib/api.js";

const EVERY = 3000;

class Waiting extends HTMLElement {
  connectedCallback() {
    this.look();
  }

  async look() {
    try {
      if (!document.hidden) this.count = (await read("/agreements/waiting")).to_agree.length;
    } catch {
      // The next look may succeed.
    }
    const count = this.count ?? 0;
    render(this, h("a", { class: count ? "button" : "quiet-link", href: "/agreements" }, count ? `Agree (${count})` : "Agreements"));
    if (this.isConnected) setTimeout(() => this.look(), EVERY);
  }
}

customElements.define("croupier-pending-badge", Waiting);
