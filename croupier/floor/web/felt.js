// The felt: the drawing of the House, with chips and cards where its anchors say.

import { card } from "./cards.js";
import { dollars, stack } from "./money.js";
import { h } from "./render.js";
import { capital } from "./words.js";

export function drawFelt(page) {
  const anchors = page.house.anchors;
  const at = (x, y, more = {}) => ({ "--x": `${(100 * x) / anchors.width}%`, "--y": `${(100 * y) / anchors.height}%`, ...more });
  const wide = (units) => ({ "--w": `${(100 * units) / anchors.width}%` });
  const round = page.round;
  const hands = page.state.hands ?? [];
  const own = hands.filter((hand) => page.mine.some(([seat]) => Number(seat) === hand.seat));
  const made = (name) => (own.some((hand) => hand.cards.includes(name)) ? "own" : "");
  return h(
    "div",
    { class: "felt", vars: { "--shape": `${anchors.width} / ${anchors.height}` }, role: "group", "aria-label": "The table" },
    h("img", { key: "cloth", class: "cloth", src: `/tables/${encodeURIComponent(page.table)}/felt.svg`, alt: "", draggable: "false" }),
    round ? board(round, anchors, at, wide, made) : null,
    round ? dealer(round, anchors, at, wide, hands) : null,
    Object.entries(anchors.seats).map(([seat, place]) => position(page, seat, place, at, wide, hands)),
  );
}

function board(round, anchors, at, wide, made) {
  return round.community.map((name, index) => {
    const place = anchors.community[index];
    return h("div", { key: `board ${index}`, class: "place", vars: at(place.x, place.y, wide(place.card)) }, card(name, { key: name, plain: true, made: made(name), flip: index * 90 }));
  });
}

function dealer(round, anchors, at, wide, hands) {
  const place = anchors.dealer;
  const hand = hands.find((each) => each.seat === 0);
  const found = fan("dealer", round.dealer, place, at, wide, (name) => (hand?.cards.includes(name) ? "dealer" : ""));
  const box = fan("box", round.six_card_box, anchors.box, at, wide, () => "");
  const words = hand ? h("p", { key: "dealer words", class: "hand-words", vars: at(place.x, place.y + place.card * 1.150) }, hand.words) : null;
  return [found, box, words];
}

// Cards side by side, overlapping where there are many.
function fan(key, cards, place, at, wide, made) {
  const step = cards.length > 3 ? place.card * 0.52 : place.card * 1.080;
  return cards.map((name, index) => {
    const x = place.x + step * (index - (cards.length - 1) / 2);
    return h("div", { key: `${key} ${index}`, class: "place", vars: at(x, place.y, wide(place.card)) }, card(name, { key: name, plain: true, made: made(name), flip: index * 90 }));
  });
}

function position(page, seat, place, at, wide, hands) {
  const box = page.round?.boxes[seat];
  const own = page.seat === Number(seat);
  const player = page.view.seats[seat];
  const stakes = { ...(box?.stakes ?? {}) };
  const open = own && page.form?.seat === Number(seat);
  const slip = open ? page.slip.stakes : {};
  const asked = page.round?.due?.kind === "decide" && page.round.due.seat === Number(seat);
  const hand = hands.find((each) => each.seat === Number(seat));
  const made = (name) => (hand?.cards.includes(name) && own ? "own" : "");
  return [
    Object.entries(place.wagers).map(([name, spot]) => {
      const cents = slip[name] ?? stakes[name] ?? 0;
      const settled = box?.settled[name];
      return [
        open && page.form.terms[name]
          ? h("button", { key: `spot ${seat} ${name}`, class: "place target", tabindex: "-1", "aria-hidden": "true", vars: at(spot.x, spot.y, wide(2 * spot.r)), onclick: () => page.add(name), oncontextmenu: (event) => { event.preventDefault(); page.add(name, -1); } })
          : null,
        cents ? chips(`chips ${seat} ${name}`, cents, spot, at, wide, name in slip, settled, page.words) : null,
      ];
    }),
    box ? fan(`seat ${seat}`, box.cards, place.cards, at, wide, made) : null,
    h(
      "p",
      { key: `name ${seat}`, class: ["seat-name", own && "own", asked && "asked", box?.folded && "folded"].filter(Boolean).join(" "), vars: at(place.name[0], place.name[1]) },
      player ? (own ? "You" : capital(player)) : `Seat ${seat}`,
      player ? h("small", {}, ` ${dollars(page.view.chips[player] ?? 0)}`) : null,
      hand && (page.round.closed || own) ? h("small", { class: "words" }, hand.words) : null,
    ),
  ];
}

function chips(key, cents, spot, at, wide, meant, settled, words) {
  const classes = ["place", "stack", meant && "meant", settled && `is-${settled.outcome}`];
  return h(
    "div",
    { key, class: classes.filter(Boolean).join(" "), vars: at(spot.x, spot.y, wide(2 * spot.r)), title: settled ? words.outcome(settled) : meant ? "not sent yet" : "" },
    stack(cents).map((chip, index) => h("i", { key: index, class: `disc chip-${chip / 100}`, vars: { "--n": String(index) } })),
    h("span", {}, dollars(settled && settled.outcome !== "lose" ? settled.returned : cents)),
  );
}
