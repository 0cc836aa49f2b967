// The period of a report: a gaming day, or times; the address has it.

import { h } from "../lib/render.js";

// The period in the address: day, since and until.
export function chosenPeriod() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

// The query for the server: times with their offset from UTC.
export function periodQuery({ day, since, until }) {
  const query = new URLSearchParams();
  if (day) query.set("day", day);
  if (since) query.set("since", new Date(since).toISOString());
  if (until) query.set("until", new Date(until).toISOString());
  return String(query);
}

// `onChoose` is called with the new period, which is then in the address.
export function periodForm(period, onChoose) {
  const field = (name, label, more) =>
    h("label", { key: name }, label, h("input", { name, value: period[name] ?? "", ...more }));
  const onsubmit = (event) => {
    event.preventDefault();
    const entered = Object.fromEntries(new FormData(event.target));
    const chosen = Object.fromEntries(Object.entries(entered).filter(([, value]) => value));
    history.pushState(null, "", `${location.pathname}?${new URLSearchParams(chosen)}`);
    onChoose(chosen);
  };
  return h(
    "form",
    { key: "period", class: "card criteria", "aria-label": "Period", onsubmit },
    field("day", "Gaming day", { type: "date" }),
    field("since", "or from", { type: "datetime-local" }),
    field("until", "to", { type: "datetime-local" }),
    h("button", { key: "show", type: "submit", class: "main" }, "Show"),
    h("a", { key: "clear", class: "button plain", href: location.pathname }, "Since opening"),
  );
}

// "Gaming day 2026-11-19", or the times that the figures cover.
export function periodText({ day }, { since, until }) {
  if (day) return `Gaming day ${day}`;
  if (!since && !until) return "Since the tables were opened";
  const utc = (text) => text.slice(0, 16).replace("T", " ");
  return `${since ? utc(since) : "Opening"} to ${until ? utc(until) : "now"} (UTC)`;
}
