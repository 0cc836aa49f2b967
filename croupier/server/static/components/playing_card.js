// Playing cards as SVG: index and pips by rank and suit, court cards of our own drawing.

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
const FRAME = { x: 24, y: 11, width: 52, height: 118, rx: 2 };
const RANK_NAMES = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight",
  7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "deuce",
};
// Pips by rank: column and y coordinate; those below the middle are upside down.
const COLUMNS = [34, 50, 66];
const PIPS = {
  A: [[1, 70]], 2: [[1, 26], [1, 114]], 3: [[1, 26], [1, 70], [1, 114]],
  4: [[0, 26], [2, 26], [0, 114], [2, 114]],
  5: [[0, 26], [2, 26], [1, 70], [0, 114], [2, 114]],
  6: [[0, 26], [2, 26], [0, 70], [2, 70], [0, 114], [2, 114]],
  7: [[0, 26], [2, 26], [1, 48], [0, 70], [2, 70], [0, 114], [2, 114]],
  8: [[0, 26], [2, 26], [1, 48], [0, 70], [2, 70], [1, 92], [0, 114], [2, 114]],
  9: [[0, 26], [2, 26], [0, 55.3], [2, 55.3], [1, 70], [0, 84.7], [2, 84.7], [0, 114], [2, 114]],
  T: [
    [0, 26], [2, 26], [1, 40.6], [0, 55.3], [2, 55.3],
    [0, 84.7], [2, 84.7], [1, 99.4], [0, 114], [2, 114],
  ],
};
// The upper half of each court card, from back to front: class and outline. The lower half is the
// same upside down, as on a real card.
const FACE = [
  ["skin", "M41 34Q41 27 50 27T59 34L58.4 44Q57 51 50 56Q43 51 41.6 44Z"],
  ["line", "M43.2 38.4Q45.8 36.4 48.4 38.2M51.6 38.2Q54.2 36.4 56.8 38.4"],
  ["ink", "M43.8 41Q46 39 48.2 41Q46 42.4 43.8 41ZM51.8 41Q54 39 56.2 41Q54 42.4 51.8 41Z"],
  ["line", "M50.4 40L49 46.2Q50 47 51.4 46.4"],
];
const COURTS = {
  K: [
    ["hair", "M41 31Q34 40 36.5 55L43 58L50 50L57 58L63.5 55Q66 40 59 31Z"],
    ["robe", "M24 70V64Q32 56 42 55L50 66L58 55Q68 56 76 64V70Z"],
    ["gold", "M36 57L42 55L50 66L58 55L64 57L50 70Z"],
    ...FACE,
    ["hair", "M41.4 43Q43.6 49 47 47.4Q50 45.8 53 47.4Q56.4 49 58.6 43Q60 58 50 64Q40 58 41.4 43Z"],
    ["lips", "M47.2 50Q50 51.6 52.8 50Q50 53 47.2 50Z"],
    ["gold", "M39.4 32L37 17.5L43.6 24L50 15L56.4 24L63 17.5L60.6 32Q50 28.4 39.4 32Z"],
    ["robe", "M50 20.4L52 24L50 27.6L48 24Z"],
    ["gold", "M68.4 66V27H66V24.6H68.4V21H70.8V24.6H73.2V27H70.8V66Z"],
  ],
  Q: [
    ["hair", "M50 25Q36 25 37 42Q37.6 53 33 60L43 61L50 55L57 61L67 60Q62.4 53 63 42Q64 25 50 25Z"],
    ["robe", "M24 70V65Q33 60 42 57Q46 63 50 63T58 57Q67 60 76 65V70Z"],
    ["skin", "M45 50H55V55L58 57.4Q55 64 50 64T42 57.4L45 55Z"],
    ...FACE,
    ["lips", "M47 49.4Q48.6 48.2 50 49Q51.4 48.2 53 49.4Q50 52.4 47 49.4Z"],
    ["hair", "M41 37Q42 30 50 28.6Q58 30 59 37Q61 27.6 50 26Q39 27.6 41 37Z"],
    ["gold", "M40.6 29.4L39 19.6L44.8 24.2L50 17.4L55.2 24.2L61 19.6L59.4 29.4Q50 25.4 40.6 29.4Z"],
    ["gold", "M42.6 57.8Q46 65.4 50 65.4T57.4 57.8L59 58.6Q55.4 68 50 68T41 58.6Z"],
    ["line", "M69.6 66Q71 54 69.4 42"],
    ["robe", "M69.4 42Q64.6 41 65.4 35.4Q67.6 36.2 69.4 33Q71.2 36.2 73.4 35.4Q74.2 41 69.4 42Z"],
  ],
  J: [
    ["hair", "M50 26Q38 26 38.4 40Q38.6 49 36.4 54Q41 56 44 53H56Q59 56 63.6 54Q61.4 49 61.6 40Q62 26 50 26Z"],
    ["robe", "M24 70V64Q33 57.4 43 56.4L50 61L57 56.4Q67 57.4 76 64V70Z"],
    ["skin", "M45.4 49H54.6V57L50 61L45.4 57Z"],
    ...FACE,
    ["lips", "M47.4 49.6Q50 50.8 52.6 49.6Q50 52 47.4 49.6Z"],
    ["gold", "M38.6 33.4Q37 22 50 20.6Q64 20 62.6 31Q50 27.4 38.6 33.4Z"],
    ["robe", "M38.4 35.4Q50 27.6 63 32.8L62.6 29.4Q50 25 38.2 31.8Z"],
    ["plume", "M59 24Q64 12.6 72.6 16Q70.6 22.6 61.6 26.6Z"],
    ["gold", "M42 56.6L50 63.4L58 56.6L62 57.2L50 69L38 57.2Z"],
    ["line", "M70 66V34"],
    ["gold", "M70 24L72.2 34H67.8ZM70 38Q63.8 40 64.6 33Q67 35.4 70 35.4T75.4 33Q76.2 40 70 38Z"],
  ],
};

export function cardName(card) {
  return card === "??" ? "a card face down" : `${RANK_NAMES[card[0]]} of ${SUIT_NAMES[card[1]]}`;
}

function pip(suit, x, y, scale, upsideDown = false) {
  const rotation = upsideDown ? " rotate(180)" : "";
  const transform = `translate(${x} ${y}) scale(${scale})${rotation}`;
  return h("path", { class: "pip", d: SUIT_PATHS[suit], transform });
}

function courtCard(rank, suit) {
  const half = (key, rotation) =>
    h(
      "g",
      { key, transform: `rotate(${rotation} 50 70)` },
      COURTS[rank].map(([part, d]) => h("path", { class: part, d })),
      pip(suit, 31.4, 22.6, 0.62),
    );
  return [half("upper", 0), half("lower", 180), h("rect", { class: "frame", ...FRAME })];
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
  return [indexText(index, 50, 66, 88), pip(suit, 50, 106, 2.5)];
}

function fannedFace(index, suit) {
  return [indexText(index, 25, 56, 42), pip(suit, 25, 92, 1.9)];
}

// Fonts differ in the width of wide indices; those in `fitted` get the width of their place.
function indexText(index, x, y, width, fitted = ["10"]) {
  const fit = fitted.includes(index) ? { textLength: width, lengthAdjust: "spacingAndGlyphs" } : {};
  return h("text", { class: "index", x, y, "text-anchor": "middle", ...fit }, index);
}

function fullFace(rank, index, suit) {
  const pips = PIPS[rank];
  const scale = { A: 2.6, 9: 0.78, T: 0.78 }[rank] ?? 0.9;
  const corner = (key, rotation) =>
    h(
      "g",
      { key, class: `corner ${key}`, transform: `rotate(${rotation} 50 70)` },
      indexText(index, 13, 27, 18.5, ["10", "A", "K", "Q"]),
      pip(suit, 13, 39.5, 0.8),
    );
  return [
    corner("first", 0),
    corner("second", 180),
    h(
      "g",
      { key: "middle", class: "middle" },
      pips
        ? pips.map(([column, y]) => pip(suit, COLUMNS[column], y, scale, y > 70))
        : courtCard(rank, suit),
    ),
  ];
}
