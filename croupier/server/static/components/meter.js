// Progressive meter that counts up to its current value.

import { meterCents, meterText } from "../lib/money.js";

const REDUCED_MOTION = matchMedia("(prefers-reduced-motion: reduce)");
const DURATION_MS = 900;

class Meter extends HTMLElement {
  static observedAttributes = ["cents"];

  attributeChangedCallback(name, before, after) {
    const target = meterCents(after);
    const start = this.displayed ?? target;
    cancelAnimationFrame(this.animation);
    if (REDUCED_MOTION.matches || target <= start) {
      this.display(target);
      return;
    }
    const startTime = performance.now();
    const step = (time) => {
      const progress = Math.min(1, (time - startTime) / DURATION_MS);
      this.display(Math.floor(start + (target - start) * progress));
      if (progress < 1) this.animation = requestAnimationFrame(step);
    };
    this.animation = requestAnimationFrame(step);
  }

  display(cents) {
    this.displayed = cents;
    this.textContent = meterText(cents);
  }
}

customElements.define("croupier-meter", Meter);
