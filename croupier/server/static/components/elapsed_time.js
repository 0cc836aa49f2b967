// A clock that runs: how long since a moment, or how long until it.

const SECOND = 1000;

export function span(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / SECOND));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

class Since extends HTMLElement {
  static observedAttributes = ["at", "until", "ahead"];

  connectedCallback() {
    this.running = setInterval(() => this.show(), SECOND);
    this.show();
  }

  disconnectedCallback() {
    clearInterval(this.running);
  }

  attributeChangedCallback() {
    this.show();
  }

  // `ahead` is how far the server's clock is before that of this machine.
  show() {
    const moment = Date.now() + Number(this.getAttribute("ahead") ?? 0);
    const until = this.getAttribute("until");
    this.textContent = until === null ? span(moment - Number(this.getAttribute("at"))) : span(Number(until) - moment);
  }
}

customElements.define("croupier-elapsed-time", Since);
