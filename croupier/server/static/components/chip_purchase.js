// What a player without enough chips can do: how much is missing, and chips to buy in practice.

import { shortOf } from "./decision_buttons.js";
import { dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { sendPracticeRequest } from "../lib/api.js";
import { BetSlip } from "../lib/bet_slip.js";

const BUY_INS = [10000, 50000, 200000]; // cents

// The lowest total that opens a round, while the player has less than that; otherwise 0.
export function missingMinimum(page) {
  if (!page.seat || page.ownBoxes.some(() => !page.round.closed)) return 0;
  const minimum = BetSlip.minimum(page.state.steps, page.seat);
  return minimum > page.chips ? minimum : 0;
}

export function chipPurchase(page) {
  const minimum = missingMinimum(page);
  const short = page.decisions.length ? shortOf(page) : 0;
  if (!minimum && !short) return null;
  const text = minimum
    ? `You have ${dollars(page.chips)}; the minimum bet is ${dollars(minimum)}.`
    : `You are ${dollars(short)} short of the next bet.`;
  const request = page.practiceRequest("buy_chips");
  const amounts = minimum ? BUY_INS : [Math.ceil(short / BUY_INS[0]) * BUY_INS[0]];
  return h(
    "div",
    { key: "purchase", class: "purchase", role: "status" },
    h("p", {}, text, request ? "" : " Buy chips from the dealer."),
    request
      ? h(
          "div",
          { class: "choices" },
          amounts
            .filter((cents) => cents >= minimum - page.chips)
            .map((cents) =>
              h(
                "button",
                {
                  key: cents,
                  type: "button",
                  disabled: page.sending > 0,
                  onclick: () =>
                    page.run(() => sendPracticeRequest(page.table, { kind: "buy_chips", cash: cents })),
                },
                `Buy ${dollars(cents)} in chips`,
              ),
            ),
        )
      : null,
  );
}
