// Receipts of a player's disputes: their own words, who decides until when, and the decision.

import { h } from "../lib/render.js";
import { dayText, timeText } from "../lib/time.js";

const moment = (at) => `${dayText(at)} ${timeText(at)}`;

export function disputeReceipts(page) {
  const disputes = page.view.disputes ?? [];
  if (!disputes.length) return null;
  return h(
    "section",
    { key: "disputes", class: "card disputes", "aria-label": "Your disputes" },
    h("h2", {}, "Your disputes"),
    disputes.map((dispute) =>
      h(
        "div",
        { key: dispute.number, class: "receipt" },
        h("b", {}, `Dispute ${dispute.number}, round ${dispute.round}`),
        h("small", {}, ` received ${moment(dispute.opened)}`),
        h("blockquote", { class: "complaint" }, dispute.text),
        h("p", { role: "status" }, outcomeText(dispute)),
      ),
    ),
  );
}

function outcomeText({ outcome, until, decision, reason }) {
  if (outcome === "decided") return `Decided: ${decision}. Reason: ${reason}.`;
  if (outcome === "forwarded") return `Forwarded to the Commission: ${reason}.`;
  return `A floorperson decides by ${moment(until)}; after that it goes to the Commission.`;
}
