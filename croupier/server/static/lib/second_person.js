// Two people for one command: the first asks and waits, the second agrees from a page of their own.

import { command, read, send } from "./api.js";

const EVERY = 700;

export function needsSecond(body) {
  return body.second !== null && typeof body.second === "object";
}

export async function withSecond(table, body, role) {
  const id = crypto.randomUUID();
  await send(`/tables/${encodeURIComponent(table)}/agreements/asked`, body, id);
  for (;;) {
    await new Promise((done) => setTimeout(done, EVERY));
    const mine = (await read("/agreements/waiting")).asked.find((each) => each.key === id);
    if (!mine) throw new Error(`${body.second.id} has not answered in time`);
    if (mine.state === "declined") throw new Error(`${body.second.id} does not agree`);
    if (mine.state === "agreed") return command(table, body, { role, id });
  }
}
