// What a table is doing, in words: the same in the lobby, the pit, on the wall and at a console.

const MOMENTS = { wagers: "taking bets", deal: "dealing", show: "dealing", decide: "players decide", settle: "settling", closed: "between rounds" };

// `kind` is of what is due in the round; where none was begun, wagers are.
export function doing(open, kind) {
  return open ? MOMENTS[kind ?? "wagers"] ?? kind.replaceAll("_", " ") : "closed";
}
