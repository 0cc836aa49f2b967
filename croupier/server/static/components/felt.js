// The felt: the table layout of the submission, with chips and cards at its anchors.

import { card } from "./playing_card.js";
import { chipStack, dollars } from "../lib/money.js";
import { h } from "../lib/render.js";
import { capitalize } from "../lib/text.js";

// Converts coordinates of the layout drawing to percentages of the picture.
class Layout {
  constructor(anchors, fromDealer) {
    this.fromDealer = fromDealer;
    [, , this.width, this.height] = anchors.view_box;
    this.cardWidth = anchors.card.width * 1.08; // the drawing leaves a margin around a card
    this.cardHeight = anchors.card.height;
  }

  position({ x, y, rotation = 0 }, width) {
    const [across, down] = this.fromDealer ? [this.width - x, this.height - y] : [x, y];
    const vars = {
      "--x": `${(100 * across) / this.width}%`,
      "--y": `${(100 * down) / this.height}%`,
      "--rotation": `${rotation}deg`,
    };
    return width ? { ...vars, "--width": `${(100 * width) / this.width}%` } : vars;
  }

  // The places of a hand from left to right, as the viewer sees them.
  inOrder(anchors) {
    return this.fromDealer ? [...anchors].reverse() : anchors;
  }

  // A point in front of a hand, toward its player.
  inFrontOf(anchors, distance) {
    const [first, last] = [anchors[0], anchors[anchors.length - 1]];
    const angle = (first.rotation * Math.PI) / 180;
    const [x, y] = [(first.x + last.x) / 2, (first.y + last.y) / 2];
    return { x: x - Math.sin(angle) * distance, y: y + Math.cos(angle) * distance };
  }
}

// What the felt needs of a page whose viewer has no box: a console or a camera.
export const NO_BOX = {
  slip: { stakes: {} },
  ownBoxes: [],
  seat: 0,
  betForm: null,
  cardHighlight: () => "",
};

// `page` is any view of a table: the player page, a console or a camera of the wall. A page that is
// `fromDealer` sees the table from the dealer's side: seat 1 at the left hand, the tray below. A page
// with `selectSeat` can tap the seats.
export function drawFelt(page) {
  const anchors = page.house.anchors;
  const layout = new Layout(anchors, page.fromDealer);
  const round = page.round;
  const hands = page.state.hands ?? [];
  return h(
    "div",
    {
      class: page.fromDealer ? "felt from-dealer" : "felt",
      vars: { "--aspect-ratio": `${layout.width} / ${layout.height}` },
      role: "group",
      "aria-label": "Table layout",
    },
    h("img", {
      key: "cloth",
      class: "cloth",
      loading: "lazy", // the seat view of a phone does not show it
      src:
        page.feltPath ??
        `/tables/${encodeURIComponent(page.table)}/felt.svg?house=${page.house.digest}`,
      alt: "",
      draggable: "false",
    }),
    round
      ? drawCards("board", round.community, anchors.community, layout, {
          highlight: (name) => page.cardHighlight(name),
        })
      : null,
    round ? drawCards("box", round.six_card_box, layout.inOrder(anchors.box ?? []), layout, {
          fanned: true,
        }) : null,
    round ? drawDealer(round, anchors, layout, hands) : null,
    Object.entries(anchors.seats).map(([seat, seatAnchors]) =>
      drawSeat(page, seat, seatAnchors, layout, hands),
    ),
  );
}

function drawCards(key, cards, anchors, layout, { highlight = () => "", fanned = false }) {
  return cards.map((name, index) => {
    const anchor = anchors[index];
    if (!anchor) return null;
    return h(
      "div",
      {
        key: `${key} ${index}`,
        class: "anchored",
        vars: layout.position(anchor, layout.cardWidth),
      },
      card(name, { key: name, plain: true, fanned, highlight: highlight(name), delay: index * 90 }),
    );
  });
}

// Hands of more than two cards overlap: only the left side of each card is visible.
function isFanned(anchors) {
  return anchors.length > 2;
}

function drawDealer(round, anchors, layout, hands) {
  const hand = hands.find((candidate) => candidate.seat === 0);
  const label =
    hand && anchors.dealer.length
      ? h(
          "p",
          {
            key: "dealer-hand",
            class: "hand-label",
            vars: layout.position(layout.inFrontOf(anchors.dealer, layout.cardHeight * 0.72)),
          },
          hand.words,
        )
      : null;
  const highlight = (name) => (hand?.cards.includes(name) ? "dealer" : "");
  return [
    drawCards("dealer", round.dealer, layout.inOrder(anchors.dealer), layout, {
      highlight,
      fanned: isFanned(anchors.dealer),
    }),
    label,
  ];
}

function drawSeat(page, seat, anchors, layout, hands) {
  const number = Number(seat);
  const box = page.round?.boxes[seat];
  const own = page.seat === number || page.ownBoxes.some(([ownSeat]) => ownSeat === seat);
  const player = page.view.seats[seat] ?? box?.player;
  const open = page.betForm?.seat === number;
  // The slip is shown instead of the stakes on the table.
  const slipStakes = open && page.slip.total ? page.slip.stakes : null;
  const stakes = { ...box?.stakes };
  for (const wager of box?.collected ?? []) // chips that a void round returns are shown again
    if (!box.settled[wager]?.returned) delete stakes[wager];
  const active = page.round?.due?.kind === "decide" && page.round.due.seat === number;
  const hand = hands.find((candidate) => candidate.seat === number);
  const highlight = (name) => (own && hand?.cards.includes(name) ? "own" : "");
  const classes = [
    "seat-label",
    own && "own",
    active && "active",
    box?.folded && "folded",
    !player && "empty",
  ];
  return [
    page.selectSeat ? seatButton(page, number, player, anchors, layout) : null,
    Object.entries(anchors.wagers).map(([name, spot]) => {
      const cents = (slipStakes ?? stakes)[name] ?? 0;
      const pending = Boolean(slipStakes) && (page.round?.closed || cents !== stakes[name]);
      return [
        open && page.betForm.terms[name] ? betSpot(page, seat, name, spot, layout) : null,
        cents
          ? drawStack(page, {
              key: `chips ${seat} ${name}`,
              cents,
              spot,
              layout,
              pending,
              settled: slipStakes ? null : box?.settled[name],
              own,
            })
          : null,
      ];
    }),
    box
      ? drawCards(`seat ${seat}`, box.cards, layout.inOrder(anchors.cards), layout, {
          highlight,
          fanned: isFanned(anchors.cards),
        })
      : null,
    h(
      "p",
      {
        key: `name ${seat}`,
        class: classes.filter(Boolean).join(" "),
        vars: layout.position(layout.inFrontOf(anchors.cards, layout.cardHeight * 1.2)),
      },
      player ? (own ? "You" : capitalize(player)) : `Seat ${seat}`,
      player ? h("small", {}, ` ${dollars(page.view.chips[player] ?? 0)}`) : null,
      hand && page.round.closed ? h("small", { class: "hand" }, hand.words) : null,
    ),
  ];
}

// The place of a hand as a button.
function seatButton(page, seat, player, anchors, layout) {
  const middle = layout.inFrontOf(anchors.cards, 0);
  return h("button", {
    key: `seat ${seat}`,
    type: "button",
    class: "anchored seat-button",
    "aria-label": player ? `Seat ${seat}, ${capitalize(player)}` : `Seat ${seat}, free`,
    "aria-pressed": String(page.task?.seat === seat),
    vars: layout.position(middle, 3 * layout.cardWidth),
    onclick: () => page.selectSeat(seat),
  });
}

// Hidden from the keyboard and screen readers, which use the spots of the bet controls.
function betSpot(page, seat, name, spot, layout) {
  const oncontextmenu = (event) => {
    event.preventDefault();
    page.addBet(name, -1);
  };
  return h("button", {
    key: `spot ${seat} ${name}`,
    class: "anchored bet-spot",
    tabindex: "-1",
    "aria-hidden": "true",
    vars: layout.position(spot, 2 * spot.r),
    onclick: () => page.addBet(name),
    oncontextmenu,
  });
}

function drawStack(page, { key, cents, spot, layout, pending, settled, own }) {
  const classes = [
    "anchored",
    "stack",
    own && "own",
    pending && "pending",
    settled && `is-${settled.outcome}`,
  ];
  return h(
    "div",
    {
      key,
      class: classes.filter(Boolean).join(" "),
      vars: layout.position({ x: spot.x, y: spot.y }, 2 * spot.r),
      title: settled ? settled.result : pending ? "Not placed yet" : "",
    },
    chipStack(cents).map((chip, index) =>
      h("i", { key: index, class: `disc chip-${chip / 100}`, vars: { "--level": String(index) } }),
    ),
    h("span", {}, dollars(settled && settled.outcome !== "lose" ? settled.returned : cents)),
  );
}
