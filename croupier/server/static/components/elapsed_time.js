// Running clock: the time elapsed since an instant, or left until one.

const SECOND_MS = 1000;

function formatDuration(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / SECOND_MS));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

class ElapsedTime extends HTMLElement {
  static observedAttributes = ["since", "until", "offset"];

  connectedCallback() {
    this.timer = setInterval(() => this.update(), SECOND_MS);
    this.update();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  attributeChangedCallback() {
    this.update();
  }

  // `offset` is how far the server's clock is ahead of this computer's.
  update() {
    const now = Date.now() + Number(this.getAttribute("offset") ?? 0);
    const until = this.getAttribute("until");
    this.textContent = formatDuration(
      until === null ? now - Number(this.getAttribute("since")) : Number(until) - now,
    );
  }
}

customElements.define("croupier-elapsed-time", ElapsedTime);
