// Chart of bets: the 95% band, the theoretical win and the actual win, each bet on its own scale.

import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";

const MARGIN = 20; // percent of a row on either side of the band

export function winChart(lines) {
  const shown = lines.filter((line) => line.low !== null && line.high !== null);
  if (!shown.length) return null;
  return h(
    "section",
    { key: "chart", class: "card win-chart", "aria-label": "Win against its 95% band" },
    h("h2", {}, "Win against its 95% band"),
    h(
      "p",
      { class: "quiet-text" },
      "Bar: where 95 of 100 such periods lie. Line: theoretical win. Dot: actual win.",
    ),
    h(
      "ul",
      {},
      shown.map((line) => row(line)),
    ),
  );
}

function row({ bet, title, low, high, expected, actual, outside }) {
  const place = (cents) => {
    const share = high > low ? (cents - low) / (high - low) : 0.5;
    return `${Math.max(0, Math.min(100, MARGIN + share * (100 - 2 * MARGIN)))}%`;
  };
  const label = `${title}: win ${dollars(actual)}, 95% band ${dollars(low)} to ${dollars(high)}`;
  return h(
    "li",
    { key: bet, class: outside ? "outside" : "", "data-bet": bet },
    h("span", { key: "title" }, title),
    h(
      "span",
      { key: "row", class: "row", role: "img", "aria-label": `${label}${outside ? ", outside" : ""}` },
      h("i", { key: "band", class: "band", vars: { "--from": place(low), "--to": place(high) } }),
      expected === null
        ? null
        : h("i", { key: "expected", class: "expected", vars: { "--at": place(expected) } }),
      h("i", { key: "actual", class: "actual", vars: { "--at": place(actual) } }),
    ),
    h("small", { key: "low", class: "low" }, dollars(low)),
    h("b", { key: "win", class: outside ? "lose" : "" }, dollars(actual)),
    h("small", { key: "high", class: "high" }, dollars(high)),
  );
}
