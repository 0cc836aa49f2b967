// Playing cards as SVG: index and pips by rank and suit, face cards as plain figures.

import { h } from "../lib/render.js";

const SUIT_PATHS = {
  s:
    "M0-10C9-1 10 2 7 5C4.5 7 1.5 5.5 1 3.5L2.5 9.5H-2.5L-1 3.5C-1.5 5.5-4.5 7-7 5C-10 2-9-1 0-10Z",
  h: "M0 9C-12-1-8-9-4-9C-1.8-9 0-7.5 0-5C0-7.5 1.8-9 4-9C8-9 12-1 0 9Z",
  d: "M0-10.5L7.5 0L0 10.5L-7.5 0Z",
  c:
    "M0-10A4.3 4.3 0 0 1 3.6-3.3A4.3 4.3 0 1 1 1.3 3.2L2.8 9.5H-2.8L-1.3 3.2" +
    "A4.3 4.3 0 1 1-3.6-3.3A4.3 4.3 0 0 1 0-10Z",
};
const LATTICE =
  "M8 39L50 8L92 39M8 70L50 39L92 70M8 101L50 70L92 101M8 132L50 101L92 132" +
  "M8 8L50 39L92 8M8 39L50 70L92 39M8 70L50 101L92 70M8 101L50 132L92 101";
export const SUIT_NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANK_NAMES = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight",
  7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two",
};
// Pip positions by rank: column index and y coordinate.
const COLUMNS = [38, 56, 74];
const PIPS = {
  A: [[1, 70]], 2: [[1, 28], [1, 112]], 3: [[1, 28], [1, 70], [1, 112]],
  4: [[0, 28], [2, 28], [0, 112], [2, 112]],
  5: [[0, 28], [2, 28], [1, 70], [0, 112], [2, 112]],
  6: [[0, 28], [2, 28], [0, 70], [2, 70], [0, 112], [2, 112]],
  7: [[0, 28], [2, 28], [1, 49], [0, 70], [2, 70], [0, 112], [2, 112]],
  8: [[0, 28], [2, 28], [1, 49], [0, 70], [2, 70], [1, 91], [0, 112], [2, 112]],
  9: [[0, 25], [2, 25], [0, 55], [2, 55], [1, 70], [0, 85], [2, 85], [0, 115], [2, 115]],
  T: [[0, 25], [2, 25], [1, 40], [0, 55], [2, 55], [0, 85], [2, 85], [1, 100], [0, 115], [2, 115]],
};
// Headwear and second detail of the face cards: crown and beard, tiara and hair, cap and feather.
const FACE_CARDS = {
  K: ["M34 58L38 40L47 50L56 36L65 50L74 40L78 58Z", "M45 72Q56 96 67 72L66 84Q56 94 46 84Z"],
  Q: [
    "M40 56Q56 40 72 56L68 48L62 52L56 42L50 52L44 48Z",
    "M40 58Q34 88 44 92L46 64ZM72 58Q78 88 68 92L66 64Z",
  ],
  J: ["M38 58Q40 42 58 44Q74 46 74 58Z", "M72 46Q86 34 80 24Q72 32 70 46Z"],
};

export function cardName(card) {
  return card === "??" ? "a card face down" : `${RANK_NAMES[card[0]]} of ${SUIT_NAMES[card[1]]}`;
}

function pip(suit, x, y, scale, upsideDown = false) {
  const rotation = upsideDown ? " rotate(180)" : "";
  const transform = `translate(${x} ${y}) scale(${scale})${rotation}`;
  return h("path", { class: "pip", d: SUIT_PATHS[suit], transform });
}

function faceCard(rank, suit) {
  const [headwear, detail] = FACE_CARDS[rank];
  return [
    h("rect", { class: "frame", x: 28, y: 16, width: 62, height: 108, rx: 5 }),
    h("path", { class: "robe", d: "M30 122Q34 92 56 92T88 122Z" }),
    h("path", { class: "collar", d: "M44 95L56 112L68 95L56 99Z" }),
    h("circle", { class: "face", cx: 56, cy: 71, r: 16 }),
    h("path", { class: rank === "K" ? "hair" : "headwear", d: detail }),
    h("path", { class: "headwear", d: headwear }),
    h("circle", { class: "eye", cx: 50, cy: 69, r: 1.7 }),
    h("circle", { class: "eye", cx: 62, cy: 69, r: 1.7 }),
    rank === "K" ? null : h("path", { class: "mouth", d: "M52 78Q56 81 60 78" }),
    pip(suit, 79, 29, 0.75),
  ];
}

// `plain` is for small sizes: a large index and suit, no pips. `fanned` cards overlap, so only
// their left sides are visible. `highlight` marks a card of the best hand: "own" or "dealer".
export function card(name, { key, plain = false, fanned = false, highlight = "", delay = 0 } = {}) {
  const faceDown = name === "??" || !name;
  const [rank, suit] = faceDown ? ["", ""] : name;
  const classes = [
    "playing-card",
    faceDown ? "back" : `suit-${suit}`,
    highlight && `highlight-${highlight}`,
    plain && "plain",
    fanned && "fanned",
  ];
  return h(
    "svg",
    {
      key,
      class: classes.filter(Boolean).join(" "),
      viewBox: "0 0 100 140",
      role: "img",
      "aria-label": cardName(faceDown ? "??" : name),
      vars: { "--delay": `${delay}ms` },
    },
    h("rect", { class: "paper", x: 1.5, y: 1.5, width: 97, height: 137, rx: 9 }),
    faceDown ? backFace() : frontFace(rank, suit, { plain, fanned }),
  );
}

function backFace() {
  return [
    h("rect", { class: "weave", x: 8, y: 8, width: 84, height: 124, rx: 5 }),
    h("path", { class: "lattice", d: LATTICE }),
  ];
}

function frontFace(rank, suit, { plain, fanned }) {
  const index = rank === "T" ? "10" : rank;
  if (fanned) return fannedFace(index, suit);
  return plain ? plainFace(index, suit) : fullFace(rank, index, suit);
}

function plainFace(index, suit) {
  return [indexText(index, 50, 66), pip(suit, 50, 106, 2.5)];
}

function fannedFace(index, suit) {
  return [indexText(index, 25, 56), pip(suit, 25, 92, 1.9)];
}

function indexText(index, x, y) {
  const className = index === "10" ? "index ten" : "index";
  return h("text", { class: className, x, y, "text-anchor": "middle" }, index);
}

function fullFace(rank, index, suit) {
  const pips = PIPS[rank];
  const scale = rank === "A" ? 3.2 : 0.95;
  return [
    indexText(index, 15, 30),
    pip(suit, 15, 45, 0.95),
    pips
      ? pips.map(([column, y]) => pip(suit, COLUMNS[column], y, scale, y > 70))
      : faceCard(rank, suit),
  ];
}
