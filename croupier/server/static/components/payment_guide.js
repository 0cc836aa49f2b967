// The payment of the next seat: each wager with its reason, the chips to take and to push.

import { settledWager } from "./info_panels.js";
import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { wagerTitle } from "../lib/table_text.js";

export function paymentGuide(page, settling) {
  if (!settling) return null;
  const chipsText = (chips) =>
    Object.entries(chips)
      .sort(([first], [second]) => Number(second) - Number(first))
      .map(([cents, count]) => `${count} × ${dollars(Number(cents))}`)
      .join(", ");
  const title = (wager) =>
    wager.wager === "envy"
      ? `Envy bonus for seat ${wager.seat}`
      : `${wagerTitle(page.house, wager.wager)} ${wager.result}`;
  return h(
    "div",
    { key: "payment", class: "payment settlement" },
    // Reasons are quoted: the dealer says them to the player.
    h(
      "dl",
      {},
      settling.resolved.map((wager, index) =>
        settledWager(page.house, wager, {
          key: index,
          title: title(wager),
          reason: wager.why ? `“${wager.why}”` : "",
        }),
      ),
    ),
    settling.takes
      ? h("p", { key: "takes" }, "Take ", h("b", { class: "lose" }, dollars(settling.takes)))
      : null,
    Object.entries(settling.pushes).map(([seat, chips]) =>
      h(
        "p",
        { key: `push ${seat}` },
        `Push to seat ${seat}: `,
        h("b", { class: "win" }, chipsText(chips)),
      ),
    ),
  );
}
