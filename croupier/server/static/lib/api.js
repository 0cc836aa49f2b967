// HTTP and WebSocket client: idempotent POSTs, and a table feed that resumes after the last entry.

// A standby server takes over within these.
const RETRY_DELAYS_MS = [100, 300, 1000, 3000, 3000, 3000];
const SESSION_ENDED = 4401;
const SESSION_LOCKED = 4423;
const FINAL_CLOSE_CODES = new Set([SESSION_ENDED, SESSION_LOCKED, 4403]);
const HEARTBEAT_CHECK_MS = 500;
const SILENCE_MS = 4000; // the server sends a heartbeat every two seconds
const POLL_TIMEOUT_MS = 4500;
const ENTRY_TIMEOUT_MS = 1500;
const UNCONFIRMED = 503; // the outcome is unknown; repeating it under its key is safe

export class ApiError extends Error {
  constructor(status, body) {
    super(body.detail || body.problem || `Server error ${status}.`);
    this.status = status;
    this.clause = body.clause ?? "";
  }
}

export function errorText(error) {
  return error.clause ? `${error.message} [${error.clause}]` : error.message;
}

export async function getJson(path) {
  return parseResponse(await fetch(path, { headers: { accept: "application/json" } }));
}

// For what a page repeats by itself: it does not count as use of the session.
export async function pollJson(path) {
  const headers = { accept: "application/json", "croupier-background": "1" };
  return parseResponse(
    await fetch(path, { headers, signal: AbortSignal.timeout(POLL_TIMEOUT_MS) }),
  );
}

export async function getFile(path) {
  const response = await fetch(path);
  if (!response.ok) await parseResponse(response);
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [
    "",
    "croupier",
  ];
  return { name, blob: await response.blob() };
}

// After signing in again, or unlocking the session, the browser returns to this page.
function leaveFor(page) {
  const here = location.pathname + location.search + location.hash;
  location.assign(`${page}?then=${encodeURIComponent(here)}`);
}

async function parseResponse(response) {
  if (response.status === 401) leaveFor("/sign-in");
  if (response.status === 423) leaveFor("/unlock");
  const text = await response.text();
  let body = {};
  try {
    body = text ? JSON.parse(text) : {};
  } catch {
    body = {};
  }
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}

// Retries keep the idempotency key, so the server carries a request out at most once.
export async function postJson(path, body, key = crypto.randomUUID()) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify(body),
      });
      return await parseResponse(response);
    } catch (error) {
      if (error instanceof ApiError && error.status !== UNCONFIRMED) throw error;
      if (attempt >= RETRY_DELAYS_MS.length)
        throw new Error("The server did not confirm this. Look at the table before you try again.");
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAYS_MS[attempt]));
    }
  }
}

export async function deleteJson(path) {
  return parseResponse(await fetch(path, { method: "DELETE" }));
}

// `role` selects one of several roles; `player` is the player for whom a dealer enters the command.
export function sendCommand(table, body, { role = "", player = "", key } = {}) {
  const query = new URLSearchParams(Object.entries({ role, player }).filter(([, value]) => value));
  return postJson(`/tables/${encodeURIComponent(table)}/commands?${query}`, body, key);
}

// A request to the automated dealer of a practice table.
export const sendPracticeRequest = (table, body) =>
  postJson(`/tables/${encodeURIComponent(table)}/asks`, body);

// What the server wrote into a table's page: the House and the first frame.
export const pageData = () => JSON.parse(document.getElementById("page-data").textContent);

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// A JSON merge patch (RFC 7396) applied to an object, which does not change itself.
function mergePatch(target, patch) {
  const result = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = isObject(value) ? mergePatch(result[name], value) : value;
  }
  return result;
}

// Pages use the steps as a list.
const withStepList = (state) => ({
  ...state,
  steps: Object.values(state.steps).sort((one, other) => one.order - other.order),
});

export class Feed {
  constructor(table, role, onFrame, onConnection) {
    this.path = `/tables/${encodeURIComponent(table)}/feed`;
    this.role = role;
    this.onFrame = onFrame;
    this.onConnection = onConnection; // called with whether the feed is connected
    this.lastSequence = null;
    this.failures = 0;
    this.stateSequence = 0; // the entry after which the last state was taken
    this.waiters = [];
    this.heartbeatTimer = setInterval(() => this.checkHeartbeat(), HEARTBEAT_CHECK_MS);
  }

  // `first` is the frame that the page has already, if any.
  start(first) {
    if (first) this.receive(first);
    this.connect();
  }

  // A dead connection looks like an idle one: without a heartbeat, open a new one.
  checkHeartbeat() {
    if (this.closed || !this.heardAt || Date.now() - this.heardAt < SILENCE_MS) return;
    this.onConnection(false);
    const silent = this.socket;
    this.connect();
    silent.close();
  }

  receive(frame) {
    if (frame.frame === "heartbeat") return;
    if (
      frame.frame === "entry" &&
      this.lastSequence !== null &&
      frame.sequence <= this.lastSequence
    )
      return;
    this.failures = 0;
    this.lastSequence = frame.sequence;
    if (frame.patch) this.state = mergePatch(this.state, frame.patch);
    if (frame.state) this.state = frame.state;
    if (frame.patch || frame.state) frame.state = withStepList(this.state);
    this.onConnection(true);
    this.onFrame(frame);
    if (!frame.state) return;
    this.stateSequence = frame.sequence;
    this.waiters = this.waiters.filter((isDone) => !isDone(frame.sequence));
  }

  // Resolves when the page shows an entry. Until then the same key could trigger a different step.
  waitFor(sequence) {
    if (!sequence || this.stateSequence >= sequence) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiters.push((current) => current >= sequence && (resolve(), true));
      setTimeout(resolve, ENTRY_TIMEOUT_MS);
    });
  }

  close() {
    this.closed = true;
    clearInterval(this.heartbeatTimer);
    this.socket.close();
  }

  connect() {
    if (this.closed) return;
    const address = new URL(this.path, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("role", this.role);
    address.searchParams.set("heartbeats", "1");
    if (this.lastSequence !== null) address.searchParams.set("after", this.lastSequence);
    const socket = new WebSocket(address);
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onmessage = (message) => {
      if (socket !== this.socket) return;
      this.heardAt = Date.now();
      for (const frame of JSON.parse(message.data)) this.receive(frame);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket || this.closed) return;
      this.onConnection(false);
      this.heardAt = 0; // the next attempt is on its way
      if (event.code === SESSION_ENDED) leaveFor("/sign-in");
      if (event.code === SESSION_LOCKED) leaveFor("/unlock");
      if (FINAL_CLOSE_CODES.has(event.code)) {
        if (this.lastSequence === null) return;
        this.lastSequence = null; // too far behind to resume: start with a snapshot
      }
      setTimeout(
        () => this.connect(),
        RETRY_DELAYS_MS[Math.min(this.failures, RETRY_DELAYS_MS.length - 1)],
      );
      this.failures += 1;
    };
  }
}
