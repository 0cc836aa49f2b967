// The cards of a round in rows, enlarged: dealer, board, six card box and the player's hands.

import { card } from "./playing_card.js";
import { h } from "../lib/render.js";

export function cardRows(page) {
  const { round, ownBoxes } = page;
  if (!round || !ownBoxes.some(([, box]) => box.cards.length)) return null;
  if (round.closed && page.slip.total) return null; // bets of the next round need the space
  const handText = (seat) =>
    page.state.hands?.find((hand) => hand.seat === Number(seat))?.words ?? "";
  const ownTitle = (seat) => (ownBoxes.length > 1 ? `Seat ${seat}` : "You");
  const highlight = (name) => page.cardHighlight(name);
  return h(
    "div",
    { key: "cards", class: "card-rows" },
    cardRow("dealer", round.dealer, { title: "Dealer", text: handText(0) }),
    cardRow("board", round.community, {
      title: "Board",
      text: page.house.places.join(", "),
      highlight,
    }),
    cardRow("box", round.six_card_box, { title: "Six card box", highlight }),
    ownBoxes.map(([seat, box]) =>
      cardRow(`seat ${seat}`, box.cards, {
        title: ownTitle(seat),
        text: box.folded ? "folded" : handText(seat),
        highlight,
        own: true,
      }),
    ),
  );
}

function cardRow(key, cards, { title, text = "", highlight = () => "", own = false }) {
  if (!cards.length) return null;
  const faceDown = cards.every((name) => name === "??");
  return h(
    "div",
    { key, class: own ? "card-row own-hand" : faceDown ? "card-row face-down" : "card-row" },
    h("p", {}, h("span", {}, title), text ? h("b", {}, text) : null),
    h(
      "div",
      { class: "cards" },
      cards.map((name, index) =>
        card(name, {
          key: `${index}${name}`,
          plain: !own || cards.length > 2,
          highlight: highlight(name),
          delay: index * 90,
        }),
      ),
    ),
  );
}
