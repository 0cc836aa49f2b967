// Table status as shown in the lobby, the pit, the camera wall and the consoles.

import { readable } from "./text.js";

const STATUS_TEXT = {
  wagers: "taking bets",
  deal: "dealing",
  show: "dealing",
  decide: "player decisions",
  settle: "settling bets",
  closed: "between rounds",
  disabled: "gaming disabled",
};

// `dueKind` is the kind of step that is due; before the first round, betting is open.
export function tableStatus(open, dueKind) {
  return open ? (STATUS_TEXT[dueKind ?? "wagers"] ?? readable(dueKind)) : "closed";
}
