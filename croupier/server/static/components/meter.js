// Progressive meters, each counting up to its current value.

import { meterCents, meterText, sortMeters } from "../lib/money.js";
import { h } from "../lib/render.js";

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

export function meterItems(meters) {
  return sortMeters(meters).map(([name, cents]) =>
    h("li", { key: name }, h("span", {}, name), h("croupier-meter", { cents, selfRendered: true })),
  );
}

customElements.define("croupier-meter", Meter);
