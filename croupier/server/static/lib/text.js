// Text helpers for names that come from the server.

export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

// "pit_manager" -> "pit manager"
export function readable(name) {
  return name.replaceAll("_", " ");
}

// A message of the table about a player, as it is said to this player: "ann is" -> "you are".
export function toPlayer(text, account) {
  const name = account.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const said = text
    .replace(new RegExp(`\\b${name} is\\b`, "gi"), "you are")
    .replace(new RegExp(`\\b${name} (has|must)\\b`, "gi"), (_, verb) =>
      verb.toLowerCase() === "has" ? "you have" : "you must",
    )
    .replace(/^(you must .*)\btheir own\b/i, "$1your own")
    .replace(/^not enough chips: /, "")
    .replace(/\.00\b/g, "");
  return capitalize(said);
}
