// Time left to decide, as a ring that empties and in seconds; it turns red at the end.

import { h, render } from "../lib/render.js";

const TICK_MS = 250;
const LAST_SECONDS = 10;
const LENGTH = 2 * Math.PI * 16; // of the ring

class DecisionClock extends HTMLElement {
  static observedAttributes = ["until", "total", "offset"];

  connectedCallback() {
    this.timer = setInterval(() => this.update(), TICK_MS);
    this.update();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  attributeChangedCallback() {
    if (this.isConnected) this.update();
  }

  // `offset` is how far the server's clock is ahead of this computer's.
  update() {
    const now = Date.now() + Number(this.getAttribute("offset") ?? 0);
    const total = Number(this.getAttribute("total"));
    const left = Math.min(total, Math.max(0, Number(this.getAttribute("until")) - now));
    const share = left / total;
    const seconds = Math.ceil(left / 1000);
    this.classList.toggle("urgent", seconds <= LAST_SECONDS);
    const circle = (name, vars) => h("circle", { key: name, class: name, cx: 20, cy: 20, r: 16, vars });
    render(
      this,
      h(
        "svg",
        { viewBox: "0 0 40 40", role: "timer", "aria-label": `${seconds} seconds to decide` },
        circle("track"),
        circle("left", { "--length": LENGTH.toFixed(1), "--gone": (LENGTH * (1 - share)).toFixed(1) }),
        h("text", { key: "text", x: 20, y: 25, "text-anchor": "middle" }, String(seconds)),
      ),
    );
  }
}

customElements.define("croupier-decision-clock", DecisionClock);
