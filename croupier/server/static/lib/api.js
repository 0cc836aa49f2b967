// The server: commands under an id of their own, and a feed that resumes after the last number.

const WAITS = [100, 300, 1000, 3000];
const FINAL = new Set([4401, 4403]);
const PATIENCE = 1500; // milliseconds until an entry is no longer waited for

export class Refused extends Error {
  constructor(status, told) {
    super(told.problem || `the server answered ${status}`);
    this.status = status;
    this.clause = told.clause ?? "";
  }
}

export async function read(path) {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  return answered(response);
}

// A file to be kept, under the name that the server gives it.
export async function file(path) {
  const response = await fetch(path);
  if (!response.ok) await answered(response);
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? ["", "croupier"];
  return { name, blob: await response.blob() };
}

// The session has ended: whoever signs in again comes back to this page.
function toTheDoor() {
  const here = location.pathname + location.search + location.hash;
  location.assign(`/sign-in?then=${encodeURIComponent(here)}`);
}

async function answered(response) {
  if (response.status === 401) toTheDoor();
  const text = await response.text();
  let told = {};
  try {
    told = text ? JSON.parse(text) : {};
  } catch {
    told = {};
  }
  if (!response.ok) throw new Refused(response.status, told);
  return told;
}

// Sent again under the same id until the record has answered: nothing happens twice.
export async function send(path, body, id = crypto.randomUUID()) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": id },
        body: JSON.stringify(body),
      });
      return await answered(response);
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (attempt >= WAITS.length) throw new Error("the server does not answer; try again when the line is up");
      await new Promise((done) => setTimeout(done, WAITS[attempt]));
    }
  }
}

// `role` is for those who have several; `player` is whose words somebody else enters.
export function command(table, body, { role = "", player = "", id } = {}) {
  const asked = new URLSearchParams(Object.entries({ role, player }).filter(([, value]) => value));
  return send(`/tables/${encodeURIComponent(table)}/commands?${asked}`, body, id);
}

export const ask = (table, body) => send(`/tables/${encodeURIComponent(table)}/asks`, body);

export class Feed {
  constructor(table, role, heard, line) {
    this.path = `/tables/${encodeURIComponent(table)}/feed`;
    this.role = role;
    this.heard = heard; // called with every frame
    this.line = line; // called with whether the line is up
    this.after = null;
    this.failures = 0;
    this.shown = 0; // the entry that the last state showed
    this.waiting = [];
    this.open();
  }

  take(frame) {
    if (frame.frame === "entry" && this.after !== null && frame.sequence <= this.after) return;
    this.failures = 0;
    this.after = frame.sequence;
    this.line(true);
    this.heard(frame);
    if (!frame.state) return;
    this.shown = frame.sequence;
    this.waiting = this.waiting.filter((each) => !each(frame.sequence));
  }

  // When the state shows an entry: until then the page is of before, and the same key means another thing.
  reached(sequence) {
    if (!sequence || this.shown >= sequence) return Promise.resolve();
    return new Promise((done) => {
      this.waiting.push((now) => now >= sequence && (done(), true));
      setTimeout(done, PATIENCE);
    });
  }

  // Nothing more is heard.
  end() {
    this.ended = true;
    this.socket.close();
  }

  // The address is built anew at every attempt: it says what was seen last.
  open() {
    if (this.ended) return;
    const address = new URL(this.path, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("role", this.role);
    address.searchParams.set("together", "true");
    if (this.after !== null) address.searchParams.set("after", this.after);
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onmessage = (message) => {
      for (const frame of JSON.parse(message.data)) this.take(frame);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket || this.ended) return;
      this.line(false);
      if (event.code === 4401) toTheDoor();
      if (FINAL.has(event.code)) {
        if (this.after === null) return;
        this.after = null; // too far behind: begin with a snapshot
      }
      setTimeout(() => this.open(), WAITS[Math.min(this.failures, WAITS.length - 1)]);
      this.failures += 1;
    };
  }
}
