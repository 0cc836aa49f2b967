// Gaming days: the day to close next, the checkpoint to sign, and the days on record.

import { problemAlert } from "../components/problem_alert.js";
import { dollars } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { errorText, getJson, postJson } from "../lib/api.js";
import { canSign, publicKeyWord, readKeyFile, signText } from "../lib/signing_key.js";
import { dayText, timeText } from "../lib/time.js";

const STATE_TEXT = {
  open: "In progress",
  ended: "Ended, not closed",
  closed: "Closed, not signed",
  signed: "Signed",
};

class GamingDays extends HTMLElement {
  async connectedCallback() {
    Object.assign(this, { problem: "", chosen: null, done: "", name: "" });
    this.canSign = await canSign();
    await this.run(async () => (this.data = await getJson("/gaming-days")));
    this.name = this.data?.keys.at(-1)?.name ?? "";
    this.draw();
  }

  async run(task) {
    this.problem = "";
    this.busy = true;
    try {
      await task();
    } catch (error) {
      this.problem = errorText(error);
    }
    this.busy = false;
    this.draw();
  }

  // Days are closed in their order, so the earliest one comes next.
  get nextToClose() {
    return this.data.days.findLast((day) => day.state === "ended");
  }

  get nextToSign() {
    return this.data.days.findLast((day) => day.state === "closed");
  }

  // The known key that was chosen, if it has signed before.
  get knownKey() {
    return this.data.keys.find(
      (key) => key.name === this.name && key.id === this.chosen?.id,
    );
  }

  closeDay(day) {
    return this.run(async () => {
      this.data = await postJson(`/gaming-days/${day}/close`, {});
      this.done = `Gaming day ${day} is closed.`;
    });
  }

  chooseKey(file) {
    this.chosen = null;
    if (!file) return this.draw();
    return this.run(async () => {
      this.chosen = { file: file.name, ...(await readKeyFile(file)) };
      await this.nameKey();
    });
  }

  async nameKey() {
    if (this.chosen && this.name)
      Object.assign(this.chosen, await publicKeyWord(this.name, this.chosen.publicKey));
  }

  signDay(day, form) {
    return this.run(async () => {
      await this.nameKey();
      const query = new URLSearchParams({ name: this.name });
      const { text } = await getJson(`/gaming-days/${day}/checkpoint?${query}`);
      const signature = await signText(this.chosen.key, text);
      await this.sendSignature(day, this.chosen.word, signature, form);
      this.chosen = null;
    });
  }

  async sendSignature(day, key, signature, form) {
    const isNewKey = form.elements.is_new_key?.checked ?? false;
    this.data = await postJson(`/gaming-days/${day}/signature`, {
      key,
      signature,
      is_new_key: isNewKey,
    });
    this.done = `Gaming day ${day} is signed. Save its checkpoint outside the database.`;
  }

  downloadText(day) {
    return this.run(async () => {
      const query = new URLSearchParams({ name: this.name });
      const { text } = await getJson(`/gaming-days/${day}/checkpoint?${query}`);
      saveText(`${day}.checkpoint`, text);
    });
  }

  // Drawing

  draw() {
    if (!this.data) return render(this, problemAlert(this.problem));
    return render(
      this,
      problemAlert(this.problem),
      this.done ? h("p", { key: "done", role: "status", class: "win" }, this.done) : null,
      this.nextStep(),
      this.days(),
    );
  }

  nextStep() {
    if (!this.data.may_close)
      return h(
        "p",
        { key: "reader", class: "quiet-text" },
        "The cage, audit and pit managers close and sign gaming days.",
      );
    const [toSign, toClose] = [this.nextToSign, this.nextToClose];
    if (toSign) return this.signForm(toSign);
    if (toClose) return this.closeForm(toClose);
    const open = this.data.days.find((day) => day.state === "open");
    return h(
      "p",
      { key: "nothing", class: "card" },
      open
        ? `Nothing to do. Gaming day ${open.day} can be closed after it ends, at ${dayText(open.ends)} ${timeText(open.ends)}.`
        : "Nothing to do.",
    );
  }

  closeForm({ day }) {
    return h(
      "section",
      { key: `close ${day}`, class: "card" },
      h("h2", {}, `Close gaming day ${day}`),
      h(
        "p",
        {},
        "Closing records how many entries the ledger had when the day ended, and the wagers that were still in play. It cannot be undone.",
      ),
      h(
        "button",
        { type: "button", class: "main", disabled: this.busy, onclick: () => this.closeDay(day) },
        `Close ${day}`,
      ),
    );
  }

  signForm(closed) {
    const { day } = closed;
    const onsubmit = (event) => {
      event.preventDefault();
      if (this.chosen) this.signDay(day, event.target);
    };
    return h(
      "section",
      { key: `sign ${day}`, class: "card" },
      h("h2", {}, `Sign gaming day ${day}`),
      h("p", { key: "facts" }, closedText(closed)),
      h(
        "form",
        { key: "form", class: "step-form", onsubmit },
        h(
          "label",
          { key: "name" },
          "Name of the log",
          h("input", {
            name: "name",
            type: "text",
            required: true,
            maxlength: 200,
            autocomplete: "off",
            placeholder: "casino.example/ledger",
            value: this.name,
            oninput: (event) => {
              this.name = event.target.value.trim();
              this.nameKey().then(() => this.draw());
            },
          }),
        ),
        this.canSign ? this.keyFields() : null,
      ),
      this.canSign
        ? null
        : h(
            "p",
            { key: "cannot", class: "quiet-text" },
            "This browser cannot sign here: it needs Ed25519 (Chrome 137, Firefox 129, Safari 17) and HTTPS. Sign with the command line.",
          ),
      this.commandLineForm(day),
    );
  }

  keyFields() {
    return [
      h(
        "label",
        { key: "file" },
        "Private key file (stays on this computer)",
        h("input", {
          name: "key",
          type: "file",
          required: true,
          onchange: (event) => this.chooseKey(event.target.files[0]),
        }),
      ),
      h("p", { key: "which", class: "step-details" }, this.keyText()),
      this.newKeyBox(Boolean(this.chosen && this.name && !this.knownKey)),
      h(
        "button",
        { key: "sign", type: "submit", class: "main", disabled: !this.chosen || this.busy },
        "Sign",
      ),
    ];
  }

  keyText() {
    if (!this.chosen) return "";
    const { file, id } = this.chosen;
    const known = this.knownKey;
    return known
      ? `${file}: key ${id}, which last signed ${known.last_day}.`
      : `${file}: key ${id ?? ""}, which has signed no earlier day.`;
  }

  // A new key is confirmed by a deliberate act, once there are others.
  newKeyBox(isNew) {
    return isNew && this.data.keys.length
      ? h(
          "label",
          { key: "new", class: "checkbox" },
          h("input", { name: "is_new_key", type: "checkbox", required: true }),
          "This is a new key, and the auditors have its public key",
        )
      : null;
  }

  commandLineForm(day) {
    const onsubmit = (event) => {
      event.preventDefault();
      const form = event.target;
      const { key, signature } = form.elements;
      this.run(() => this.sendSignature(day, key.value.trim(), signature.value.trim(), form));
    };
    const field = (name, label) =>
      h(
        "label",
        { key: name },
        label,
        h("input", { name, type: "text", required: true, maxlength: 500, autocomplete: "off" }),
      );
    return h(
      "details",
      { key: "command-line", class: "more", open: this.querySelector(".more")?.open ?? !this.canSign },
      h("summary", {}, "Sign with the command line"),
      h(
        "p",
        {},
        "Save the checkpoint, run ",
        h("code", {}, `croupier audit sign ${day}.checkpoint --key signing.pem`),
        " where the key is, and enter what it prints.",
      ),
      h(
        "button",
        {
          key: "save",
          type: "button",
          disabled: !this.name || this.busy,
          onclick: () => this.downloadText(day),
        },
        "Save the checkpoint",
      ),
      h(
        "form",
        { key: "signature", class: "step-form", onsubmit },
        field("key", "Public key"),
        field("signature", "Signature"),
        this.newKeyBox(true),
        h("button", { type: "submit", disabled: this.busy }, "Record signature"),
      ),
    );
  }

  days() {
    const titles = ["Day", "State", "Rounds", "Entries", "In play at its end", "Checkpoint"];
    return h(
      "section",
      { key: "days", class: "card" },
      h("h2", {}, "Days"),
      h(
        "div",
        { class: "scrollable", tabindex: "0", role: "region", "aria-label": "Gaming days" },
        h(
          "table",
          { class: "data-table stacked" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              titles.map((title) => h("th", { key: title, scope: "col" }, title)),
            ),
          ),
          h(
            "tbody",
            {},
            this.data.days.map((day) => dayRow(day, titles)),
          ),
        ),
      ),
    );
  }
}

function dayRow(day, titles) {
  const isClosed = day.state === "closed" || day.state === "signed";
  const cells = [
    day.day,
    STATE_TEXT[day.state],
    isClosed ? day.rounds.toLocaleString("en-US") : null,
    isClosed ? day.size.toLocaleString("en-US") : null,
    isClosed ? inPlayText(day.in_play) : null,
    day.note
      ? h(
          "button",
          { type: "button", onclick: () => saveText(`${day.day}.txt`, day.note) },
          "Save",
        )
      : null,
  ];
  return h(
    "tr",
    { key: day.day, "data-day": day.day },
    cells.map((cell, index) => h("td", { key: index, "data-label": titles[index] }, cell)),
  );
}

function inPlayText(inPlay) {
  const tables = Object.entries(inPlay).map(([table, cents]) => `${table} ${dollars(cents)}`);
  return tables.join(", ") || "nothing";
}

function closedText({ rounds, size, in_play: inPlay }) {
  const counted = `${rounds.toLocaleString("en-US")} rounds, ${size.toLocaleString("en-US")} entries`;
  return `${counted}; in play at the end of the day: ${inPlayText(inPlay)}.`;
}

function saveText(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}

customElements.define("croupier-gaming-days", GamingDays);
