// Sends a command; one that names a second person waits until they have approved it.

import { pollJson, postJson, sendCommand } from "./api.js";
import { capitalize, readable } from "./text.js";

const POLL_MS = 700;

export function needsSecondPerson(body) {
  return body.second !== null && typeof body.second === "object";
}

// `notify` is called with what the sender waits for, and with "" when that is over.
export async function sendAs(table, body, { role, player = "" }, notify) {
  if (!needsSecondPerson(body))
    return sendCommand(table, body, { role: player ? "" : role, player });
  const { id, role: secondRole } = body.second;
  notify(`Pending: ${capitalize(id)} (${readable(secondRole)}) has to approve this.`);
  try {
    return await sendWithSecondPerson(table, body, role);
  } finally {
    notify("");
  }
}

export async function sendWithSecondPerson(table, body, role) {
  const key = crypto.randomUUID();
  await postJson(`/tables/${encodeURIComponent(table)}/agreements/asked`, body, key);
  const name = capitalize(body.second.id);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const request = (await pollJson("/agreements/waiting")).asked.find(
      (candidate) => candidate.key === key,
    );
    if (!request) throw new Error(`${name} did not respond in time.`);
    if (request.state === "declined") throw new Error(`${name} declined the request.`);
    if (request.state === "agreed") return sendCommand(table, body, { role, key });
  }
}
