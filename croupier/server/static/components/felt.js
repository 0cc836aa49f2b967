// The felt: the drawing of the House, with chips and cards where its anchors say.

import { card } from "./playing_card.js";
import { dollars, stack } from "../lib/money.js";
import { h } from "../lib/render.js";
import { capital } from "../lib/event_text.js";

// Places in the units of the drawing become parts of the picture's width and height.
class Places {
  constructor(anchors) {
    [, , this.width, this.height] = anchors.view_box;
    this.card = anchors.card.width * 1.080; // the drawing leaves a little room around a card
    this.tall = anchors.card.height;
  }

  at({ x, y, rotation = 0 }, units) {
    const found = { "--x": `${(100 * x) / this.width}%`, "--y": `${(100 * y) / this.height}%`, "--turn": `${rotation}deg` };
    return units ? { ...found, "--w": `${(100 * units) / this.width}%` } : found;
  }

  // Before a hand, on the side of whoever holds it.
  beyond(cards, units) {
    const [first, last] = [cards[0], cards[cards.length - 1]];
    const turn = (first.rotation * Math.PI) / 180;
    const [x, y] = [(first.x + last.x) / 2, (first.y + last.y) / 2];
    return { x: x - Math.sin(turn) * units, y: y + Math.cos(turn) * units };
  }
}

export function drawFelt(page) {
  const anchors = page.house.anchors;
  const places = new Places(anchors);
  const round = page.round;
  const hands = page.state.hands ?? [];
  return h(
    "div",
    { class: "felt", vars: { "--shape": `${places.width} / ${places.height}` }, role: "group", "aria-label": "The table" },
    h("img", { key: "cloth", class: "cloth", src: `/tables/${encodeURIComponent(page.table)}/felt.svg`, alt: "", draggable: "false" }),
    round ? laid("board", round.community, anchors.community, places, (name) => page.made(name)) : null,
    round ? laid("box", round.six_card_box, anchors.box, places, () => "", true) : null,
    round ? dealer(round, anchors, places, hands) : null,
    Object.entries(anchors.seats).map(([seat, place]) => position(page, seat, place, places, hands)),
  );
}

function laid(key, cards, spots, places, made, fanned = false) {
  return cards.map((name, index) => {
    const spot = spots[index];
    if (!spot) return null;
    return h("div", { key: `${key} ${index}`, class: "place", vars: places.at(spot, places.card) }, card(name, { key: name, plain: true, fanned, made: made(name), flip: index * 90 }));
  });
}

// Many cards of a hand lie over each other: what is left of each shows its corner.
function fans(spots) {
  return spots.length > 2;
}

function dealer(round, anchors, places, hands) {
  const hand = hands.find((each) => each.seat === 0);
  const words = hand && anchors.dealer.length ? h("p", { key: "dealer words", class: "hand-words", vars: places.at(places.beyond(anchors.dealer, places.tall * 0.72)) }, hand.words) : null;
  return [laid("dealer", round.dealer, anchors.dealer, places, (name) => (hand?.cards.includes(name) ? "dealer" : ""), fans(anchors.dealer)), words];
}

function position(page, seat, place, places, hands) {
  const box = page.round?.boxes[seat];
  const own = page.seat === Number(seat) || page.mine.some(([mine]) => mine === seat);
  const player = page.view.seats[seat] ?? box?.player;
  const open = page.form?.seat === Number(seat);
  const slip = open && page.slip.total ? page.slip.stakes : null; // what is meant, in place of what lay there
  const lies = box?.stakes ?? {};
  const asked = page.round?.due?.kind === "decide" && page.round.due.seat === Number(seat);
  const hand = hands.find((each) => each.seat === Number(seat));
  const made = (name) => (own && hand?.cards.includes(name) ? "own" : "");
  const classes = ["seat-name", own && "own", asked && "asked", box?.folded && "folded", !player && "empty"];
  return [
    Object.entries(place.wagers).map(([name, spot]) => {
      const cents = (slip ?? lies)[name] ?? 0;
      const meant = Boolean(slip) && (page.round?.closed || cents !== lies[name]);
      return [open && page.form.terms[name] ? target(page, seat, name, spot, places) : null, cents ? chips(page, `chips ${seat} ${name}`, cents, spot, places, meant, slip ? null : box?.settled[name], own) : null];
    }),
    box ? laid(`seat ${seat}`, box.cards, place.cards, places, made, fans(place.cards)) : null,
    h(
      "p",
      { key: `name ${seat}`, class: classes.filter(Boolean).join(" "), vars: places.at(places.beyond(place.cards, places.tall * 1.2)) },
      player ? (own ? "You" : capital(player)) : `Seat ${seat}`,
      player ? h("small", {}, ` ${dollars(page.view.chips[player] ?? 0)}`) : null,
      hand && page.round.closed ? h("small", { class: "words" }, hand.words) : null,
    ),
  ];
}

// The spots of the panel do the same and are there for keys and screen readers.
function target(page, seat, name, spot, places) {
  const less = (event) => {
    event.preventDefault();
    page.add(name, -1);
  };
  return h("button", { key: `spot ${seat} ${name}`, class: "place target", tabindex: "-1", "aria-hidden": "true", vars: places.at(spot, 2 * spot.r), onclick: () => page.add(name), oncontextmenu: less });
}

function chips(page, key, cents, spot, places, meant, settled, own) {
  const classes = ["place", "stack", own && "own", meant && "meant", settled && `is-${settled.outcome}`];
  return h(
    "div",
    { key, class: classes.filter(Boolean).join(" "), vars: places.at({ x: spot.x, y: spot.y }, 2 * spot.r), title: settled ? page.words.outcome(settled) : meant ? "not sent yet" : "" },
    stack(cents).map((chip, index) => h("i", { key: index, class: `disc chip-${chip / 100}`, vars: { "--n": String(index) } })),
    h("span", {}, dollars(settled && settled.outcome !== "lose" ? settled.returned : cents)),
  );
}
