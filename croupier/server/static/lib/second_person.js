// Second-person client: requests approval of a command, waits for it, then sends the command.

import { pollJson, postJson, sendCommand } from "./api.js";

const POLL_MS = 700;

export function needsSecondPerson(body) {
  return body.second !== null && typeof body.second === "object";
}

export async function sendWithSecondPerson(table, body, role) {
  const key = crypto.randomUUID();
  await postJson(`/tables/${encodeURIComponent(table)}/agreements/asked`, body, key);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const request = (await pollJson("/agreements/waiting")).asked.find(
      (candidate) => candidate.key === key,
    );
    if (!request) throw new Error(`${body.second.id} did not respond in time.`);
    if (request.state === "declined") throw new Error(`${body.second.id} declined the request.`);
    if (request.state === "agreed") return sendCommand(table, body, { role, key });
  }
}
