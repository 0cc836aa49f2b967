// Board of the pit: one row for each table, the most urgent first; practice tables are separate.

import "./elapsed_time.js";
import { tableStatus } from "../lib/table_status.js";
import { dollars, limitsText, signedDollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { capitalize, readable } from "../lib/text.js";

const elapsed = (since) =>
  since ? h("croupier-elapsed-time", { since, selfRendered: true }) : "–";
const known = (value, text = String) => (value === undefined || value === null ? "–" : text(value));
const players = (table) => Object.values(table.seats ?? {});

// Columns of supervisors; drop and win are for those who may read the win report.
const COLUMNS = [
  ["Limits", (table) => limitsText(table.limits)],
  ["Dealer", (table) => capitalize(table.dealer ?? "") || "–"],
  ["Players", (table) => playersText(table)],
  ["Rounds/h", (table) => known(table.rounds_per_hour)],
  ["Average bet", (table) => known(table.average_bet, dollars)],
  ["Drop", (table) => known(table.drop, dollars)],
  ["Win", (table) => known(table.win, signedDollars)],
  ["Last round", (table) => elapsed(table.last_round)],
];
const FLOOR_ROLES = new Set(["floorperson", "pit_manager"]);
const SOON_MS = 5 * 60_000;
const MONEY = new Set(["Drop", "Win"]);

export function pitBoard(tables) {
  const staffed = tables.filter((table) => !table.practice).sort(byUrgency);
  const practice = tables.filter((table) => table.practice);
  return [
    boardTable("board", totals(staffed), staffed, columnsFor(staffed)),
    practice.length
      ? h(
          "details",
          { key: "practice", class: "card more" },
          h("summary", {}, `Practice tables (${practice.length})`),
          boardTable("practice board", "Practice tables", practice, COLUMNS.slice(0, 1).concat(COLUMNS.slice(2, 3))),
        )
      : null,
  ];
}

function columnsFor(tables) {
  if (!tables.some((table) => FLOOR_ROLES.has(table.role))) return [];
  const readsWin = tables.some((table) => table.drop !== undefined);
  return COLUMNS.filter(([name]) => readsWin || !MONEY.has(name));
}

// Overdue first, then the table whose item waits longest; then open before closed, by name.
function byUrgency(first, second) {
  const rank = (table) => [table.overdue ? 0 : 1, table.oldest ?? Infinity, table.open ? 0 : 1];
  const [one, other] = [rank(first), rank(second)];
  const place = one.findIndex((value, index) => value !== other[index]);
  if (place >= 0) return one[place] - other[place];
  return first.id.localeCompare(second.id, "en-US", { numeric: true });
}

function totals(tables) {
  const open = tables.filter((table) => table.open).length;
  const sum = (name) => tables.reduce((total, table) => total + (table[name] ?? 0), 0);
  const parts = [`${tables.length} ${tables.length === 1 ? "table" : "tables"}`, `${open} open`];
  if (tables.some((table) => table.drop !== undefined))
    parts.push(`drop ${dollars(sum("drop"))}`, `win ${signedDollars(sum("win"))}`);
  return parts.join(" · ");
}

function boardTable(key, caption, tables, columns) {
  return h(
    "div",
    { key, class: "scrollable" },
    h(
      "table",
      { class: "data-table stacked board" },
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Table", "Status", ...columns.map(([name]) => name), "Waiting"].map((name) =>
            h("th", { key: name, scope: "col" }, name),
          ),
        ),
      ),
      h("tbody", {}, tables.map((table) => boardRow(table, columns))),
    ),
  );
}

function boardRow(table, columns) {
  const urgency = table.overdue ? "overdue" : table.oldest ? "has-due" : "";
  const href = `/console/${encodeURIComponent(table.id)}?role=${table.role}`;
  const cell = (name, ...content) => h("td", { key: name, "data-label": name }, h("span", {}, ...content));
  return h(
    "tr",
    { key: table.id, class: urgency, "data-table": table.id },
    cell("Table", h("a", { href }, table.id), h("small", {}, ` ${table.title}`)),
    cell("Status", tableStatus(table.open, table.disabled ? "disabled" : table.state), notices(table)),
    columns.map(([name, content]) => cell(name, content(table))),
    cell(
      "Waiting",
      table.oldest ? elapsed(table.oldest) : "–",
      table.waiting ? h("small", {}, ` ${table.waiting}`) : null,
    ),
  );
}

function playersText(table) {
  const names = players(table);
  return h(
    "span",
    { title: names.map(capitalize).join(", ") },
    `${names.length} of ${table.positions}`,
  );
}

// Devices out of order, and what has to happen within the next minutes.
function notices(table) {
  const broken = Object.entries(table.devices ?? {}).map(
    ([name, state]) => `${capitalize(readable(name))}: ${readable(state)}`,
  );
  return [
    table.disabled ? h("small", { key: "disabled", class: "problem" }, ` ${table.disabled}`) : null,
    ...broken.map((text) => h("small", { key: text, class: "problem" }, ` ${text}`)),
    table.deadline && table.deadline.at - Date.now() < SOON_MS
      ? h(
          "small",
          { key: "deadline" },
          ` ${table.deadline.what} `,
          h("croupier-elapsed-time", { until: table.deadline.at, selfRendered: true }),
        )
      : null,
  ];
}
