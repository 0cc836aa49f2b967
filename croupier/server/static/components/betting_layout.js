// Betting layout of the player's box: a spot for every wager, with its stake or its result.
// While bets are open a spot takes a chip; later it shows its paytable.

import { wonLine } from "./paytable_dialog.js";
import { decidingSeat } from "./seat_cards.js";
import { dollars, signedDollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { wagerTitle } from "../lib/table_text.js";

export function bettingLayout(page) {
  const form = page.decisions.length ? null : page.betForm;
  const seat = form?.seat ?? (decidingSeat(page) || Number(page.ownBoxes[0]?.[0] ?? 0));
  const box = page.round?.boxes[seat];
  const names = form
    ? Object.keys(form.terms)
    : page.house.wagers.map((wager) => wager.name).filter((name) => name in (box?.stakes ?? {}));
  if (!names.length) return null;
  return h(
    "ul",
    { key: "spots", class: form ? "spots" : "spots placed", "aria-label": "Betting layout" },
    names.map((name, index) => spot(page, { form, box, name, index })),
  );
}

function spot(page, { form, box, name, index }) {
  const title = wagerTitle(page.house, name);
  const stakes = form ? (page.slip.total ? page.slip.stakes : form.lies) : box.stakes;
  const stake = stakes[name] ?? 0;
  const settled = page.slip.total || (form && stake) ? null : box?.settled[name];
  const terms = form?.terms[name];
  const limits = terms ? limitsText(page.house, terms) : "";
  const classes = [stake && "has-stake", settled && `settled-${settled.outcome}`];
  const chip = dollars(page.betControls.chip);
  return h(
    "li",
    { key: name, class: classes.filter(Boolean).join(" ") },
    h(
      "button",
      {
        key: "add",
        type: "button",
        class: "spot",
        "aria-label": form
          ? `${title}, ${dollars(stake)}, ${limits}: add ${chip}`
          : `${title}, ${dollars(stake)}: paytable`,
        onclick: () => (form ? page.addBet(name) : page.paytable.show(name)),
      },
      form ? h("kbd", {}, String(index + 1)) : null,
      h("span", {}, title, h("small", {}, limits)),
      h("b", {}, stakeText(stake, settled)),
    ),
    form
      ? h(
          "button",
          {
            key: "remove",
            type: "button",
            class: "remove-chip",
            disabled: !stake,
            "aria-label": `Remove ${chip} from ${title}`,
            onclick: () => page.addBet(name, -1),
          },
          "−",
        )
      : null,
    form
      ? h(
          "button",
          {
            key: "rules",
            type: "button",
            class: "spot-rules",
            "aria-label": `Paytable and rule: ${title}`,
            onclick: () => page.paytable.show(name),
          },
          paytableText(page, name) ?? "i",
        )
      : null,
  );
}

function stakeText(stake, settled) {
  if (settled) return signedDollars(settled.returned - settled.stake);
  return stake ? dollars(stake) : "–";
}

// The odds that the wager has just won by.
function paytableText(page, name) {
  const wager = page.house.wagers.find((each) => each.name === name);
  return page.slip.total ? undefined : wager && wonLine(page, wager)?.pays;
}

function limitsText(house, terms) {
  if (terms.equals) return `equals ${wagerTitle(house, terms.equals)}`;
  if (terms.least === terms.most) return dollars(terms.least);
  const maximum = terms.most === null || terms.most === undefined ? "" : ` to ${dollars(terms.most)}`;
  return `${dollars(terms.least)}${maximum}`;
}
