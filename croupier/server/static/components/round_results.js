// The result of a round: the headline with the net result and the hand, and each wager's reason.

import { resultClass, settledWager } from "./info_panels.js";
import { handWords } from "./seat_cards.js";
import { dollars, signedDollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { wagerTitle } from "../lib/table_text.js";
import { readable } from "../lib/text.js";

const hasSettled = ([, box]) => Object.keys(box.settled).length > 0;

// Shown until the player starts to bet on the next round.
export function showsResult(page) {
  return Boolean(page.round?.closed && page.ownBoxes.length && !page.slip.total);
}

export function resultHeadline(page) {
  if (!showsResult(page)) return null;
  const several = page.ownBoxes.length > 1;
  const hands = page.ownBoxes
    .map(([seat, box]) => {
      const words = box.folded ? "folded" : handWords(page, Number(seat));
      return several && words ? `seat ${seat} ${words}` : words;
    })
    .filter(Boolean)
    .join("; ");
  return h(
    "h2",
    { key: "headline", class: "headline", "aria-live": "polite" },
    h("b", { class: resultClass(page.net) }, signedDollars(page.net)),
    page.round.void ? `: ${voidText(page)}` : hands ? `: ${hands}` : "",
    h("small", {}, ` Round ${page.round.number}`),
  );
}

// "the round is void (shoe jam), $57 is returned to you"
function voidText(page) {
  const wagers = page.ownBoxes.flatMap(([, box]) => Object.values(box.settled));
  const returned = wagers.reduce((sum, wager) => sum + wager.returned, 0);
  const why = readable(page.round.void);
  return `the round is void (${why}), ${dollars(returned)} is returned to you`;
}

export function roundResults(page) {
  const boxes = page.ownBoxes.filter(hasSettled);
  if (!boxes.length || (page.round.closed && page.slip.total)) return null;
  return h(
    "section",
    { key: "settlement", class: "settlement", "aria-label": "Settlement" },
    boxes.map(([seat, box]) =>
      h(
        "dl",
        { key: seat },
        boxes.length > 1 ? h("div", { key: "seat" }, h("dt", {}, `Seat ${seat}`)) : null,
        Object.entries(box.settled).map(([name, wager]) =>
          settledWager(page.house, wager, {
            key: name,
            title: `${wagerTitle(page.house, name)} ${wager.result}`,
            net: true,
          }),
        ),
        box.envy
          ? h(
              "div",
              { key: "envy", class: "win" },
              h("dt", {}, "Envy bonus"),
              h("dd", {}, signedDollars(box.envy)),
            )
          : null,
      ),
    ),
  );
}
