// The cards of a round, large: dealer and board, then the player's hands. Runs keep their colors.

import { card } from "./playing_card.js";
import { h } from "../lib/render.js";

export function seatCards(page) {
  const { round, ownBoxes } = page;
  if (!round || !ownBoxes.some(([, box]) => box.cards.length)) return null;
  if (round.closed && page.slip.total) return null; // bets of the next round take their place
  const hasRuns = Object.keys(page.house.lines).length > 0;
  return h(
    "div",
    { key: "cards", class: hasRuns ? "seat-cards with-runs" : "seat-cards" },
    h(
      "div",
      { key: "table", class: "shared-cards" },
      hand("dealer", round.dealer, { title: "Dealer", text: handWords(page, 0) }),
      hasRuns
        ? cross(page)
        : hand("board", round.community, { title: "Board", highlight: usedBy(page) }),
      hand("box", round.six_card_box, { title: "Six card box", highlight: usedBy(page) }),
    ),
    h(
      "div",
      { key: "own", class: "own-hands" },
      ownBoxes.map(([seat, box]) => ownHand(page, Number(seat), box)),
    ),
  );
}

export function handWords(page, seat) {
  return page.state.hands?.find((each) => each.seat === seat)?.words ?? "";
}

// The seat that decides now; 0 if no box of this player does.
export function decidingSeat(page) {
  const { due, boxes } = page.round ?? {};
  return due?.kind === "decide" && boxes[due.seat]?.player === page.account ? due.seat : 0;
}

function usedBy(page) {
  return (name) => page.cardHighlight(name);
}

function ownHand(page, seat, box) {
  const several = page.ownBoxes.length > 1;
  const deciding = decidingSeat(page);
  const state = deciding === seat ? "current" : several && deciding ? "dimmed" : "";
  return hand(`seat ${seat}`, box.cards, {
    title: several ? `Seat ${seat}` : "Your hand",
    text: box.folded ? "folded" : Object.keys(page.house.lines).length ? "" : handWords(page, seat),
    highlight: usedBy(page),
    className: `own-hand ${state}`,
    large: box.cards.length <= 2,
  });
}

function hand(
  key,
  cards,
  { title, text = "", highlight = () => "", className = "", large = false },
) {
  if (!cards.length) return null;
  const faceDown = cards.every((name) => name === "??");
  return h(
    "div",
    { key, class: `hand ${className} ${faceDown ? "face-down" : ""}` },
    h("p", {}, h("span", {}, title), text ? h("b", {}, text) : null),
    h(
      "div",
      { class: large ? "cards" : "cards small" },
      cards.map((name, index) =>
        card(name, {
          key: `${index}${name}`,
          highlight: highlight(name),
          delay: index * 90,
        }),
      ),
    ),
  );
}

// The board as a cross: a horizontal and a vertical run that share the center card.
function cross(page) {
  const { places, lines } = page.house;
  const cards = page.round.community;
  if (!cards.length) return null;
  const runs = Object.entries(lines);
  const runOf = (index) =>
    runs.flatMap(([, line], number) => (line.includes(index) ? [`run-${number + 1}`] : []));
  return h(
    "div",
    { key: "cross", class: "hand cross", role: "group", "aria-label": "Board" },
    h(
      "div",
      { key: "cards", class: "cross-cards small" },
      cards.map((name, index) =>
        h(
          "div",
          { key: places[index], class: `place-${places[index]} ${runOf(index).join(" ")}` },
          card(name, { key: name, delay: index * 90 }),
        ),
      ),
    ),
    h(
      "ul",
      { key: "runs", class: "runs" },
      runs.map(([name], number) =>
        h(
          "li",
          { key: name, class: `run-${number + 1}` },
          h("b", {}, name),
          page.ownBoxes.map(([seat]) =>
            h("span", { key: seat }, runWords(handWords(page, Number(seat)), name, runs)),
          ),
        ),
      ),
    ),
  );
}

// "1st run pair of aces, 2nd run ace high" -> "pair of aces"
function runWords(words, name, runs) {
  const start = words.indexOf(name);
  if (start < 0) return "";
  const rest = words.slice(start + name.length).trim();
  const next = runs.map(([other]) => rest.indexOf(`, ${other}`)).find((index) => index > 0);
  return next ? rest.slice(0, next) : rest;
}
