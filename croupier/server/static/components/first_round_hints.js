// Hints in the first round that a player plays of a game in this browser.

import { h } from "../lib/render.js";

const key = (game) => `croupier.played.${game}`;

export function firstRoundHint(page) {
  const game = page.house.game;
  if (!page.seat || localStorage.getItem(key(game))) return null;
  if (page.round?.closed && page.ownBoxes.length) {
    localStorage.setItem(key(game), "yes");
    return null;
  }
  const text = hintText(page);
  return text ? h("p", { key: "hint", class: "hint", role: "note" }, text) : null;
}

function hintText(page) {
  if (page.decisions.length)
    return "Each button shows what it costs. Rules explains the game, and the coach knows the best decision.";
  if (page.betForm)
    return "Choose a chip, then tap the spots to bet on. Tap i for a paytable. The button on the right places the minimum bet for you.";
  return "";
}
