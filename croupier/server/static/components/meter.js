// A meter that counts up to what the record says.

import { meterCents, meterText } from "../lib/money.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const MILLISECONDS = 900;

class Meter extends HTMLElement {
  static observedAttributes = ["cents"];

  attributeChangedCallback(name, before, after) {
    const target = meterCents(after);
    const start = this.shown ?? target;
    cancelAnimationFrame(this.running);
    if (STILL.matches || target <= start) {
      this.show(target);
      return;
    }
    const begun = performance.now();
    const step = (moment) => {
      const part = Math.min(1, (moment - begun) / MILLISECONDS);
      this.show(Math.floor(start + (target - start) * part));
      if (part < 1) this.running = requestAnimationFrame(step);
    };
    this.running = requestAnimationFrame(step);
  }

  show(cents) {
    this.shown = cents;
    this.textContent = meterText(cents);
  }
}

customElements.define("croupier-meter", Meter);
