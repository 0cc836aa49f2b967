// Replay of a round, step by step: what happened, from whose viewpoint, and the export with proof.

import { h } from "../lib/render.js";
import { clauseOf, clauseText } from "../lib/table_text.js";
import { capitalize, readable } from "../lib/text.js";
import { dayText, timeText } from "../lib/time.js";

const VIEWPOINTS = ["camera", "whole", "1", "2", "3", "4", "5", "6"];
const VIEWPOINT_TEXT = { camera: "Camera", whole: "All cards" };

// `page` has the replay, the index of the entry that is shown, and moves to another one.
export function replayPanel(page) {
  const { moments, round, table } = page.replay;
  const position = `step ${page.index + 1} of ${moments.length}`;
  return h(
    "section",
    { key: "panel", class: "card panel", "aria-label": "Replay" },
    h("h2", {}, `${table}, round ${round}`, h("small", {}, ` ${position}`)),
    slider(page, position),
    h(
      "div",
      { key: "buttons", class: "choices" },
      moveButton(page, -1, "Back", "←"),
      moveButton(page, 1, "Forward", "→"),
    ),
    viewpoint(page),
    happened(page),
    proof(page),
    h(
      "p",
      { key: "links", class: "links" },
      h("a", { href: `${location.pathname}${location.search}#${page.link()}` }, "Link to this step"),
      h("button", { key: "close", type: "button", onclick: () => page.closeReplay() }, "Close replay"),
    ),
  );
}

function slider(page, position) {
  return h("input", {
    key: "slider",
    class: "slider",
    type: "range",
    min: 0,
    max: page.replay.moments.length - 1,
    value: String(page.index),
    "aria-label": "Step",
    "aria-valuetext": `${capitalize(readable(page.entry.kind))}, ${position}`,
    oninput: (event) => page.moveTo(Number(event.target.value)),
  });
}

function moveButton(page, offset, text, key) {
  const target = page.index + offset;
  return h(
    "button",
    {
      key,
      type: "button",
      disabled: target < 0 || target >= page.replay.moments.length,
      onclick: () => page.moveTo(target),
    },
    text,
    h("kbd", {}, key),
  );
}

// Hidden cards are shown only after the round.
function viewpoint(page) {
  const { table, round, eyes, over } = page.replay;
  return h(
    "label",
    { key: "viewpoint" },
    "Viewpoint",
    h(
      "select",
      { onchange: (event) => page.openReplay(table, round, event.target.value, page.entry.sequence) },
      VIEWPOINTS.filter((name) => over || name === "camera").map((name) =>
        h(
          "option",
          { key: name, value: name, selected: name === eyes },
          VIEWPOINT_TEXT[name] ?? `Seat ${name}`,
        ),
      ),
    ),
  );
}

function happened({ entry, house }) {
  const { at, by, kind, sequence } = entry;
  return [
    h(
      "p",
      { key: "command", class: "quiet-text" },
      `${dayText(at)} ${timeText(at)}: ${readable(kind)} by ${readable(by)}, log entry ${sequence}`,
    ),
    h(
      "ul",
      { key: "events", class: "replay-events" },
      entry.events.map((event, index) =>
        event && !entry.sentences[index] // nothing that concerns the person in this seat
          ? null
          : h(
              "li",
              { key: index },
              entry.sentences[index] || "Event not visible from this viewpoint.",
              clauseOf(event)
                ? h("cite", { title: clauseText(house, clauseOf(event)) }, ` ${clauseOf(event)}`)
                : null,
            ),
      ),
    ),
  ];
}

// Why a round cannot be proved yet is said before anything is clicked.
function proof(page) {
  const { over, unproved } = page.replay;
  const obstacle = over
    ? unproved
    : "The round is in progress. It can be exported after it ends, once its gaming day is signed.";
  return h(
    "div",
    { key: "proof", class: "proof" },
    h(
      "button",
      {
        key: "export",
        type: "button",
        disabled: Boolean(obstacle),
        "aria-describedby": obstacle ? "proof-obstacle" : null,
        onclick: () => page.downloadProof(),
      },
      "Export with proof",
    ),
    obstacle ? h("p", { key: "why", id: "proof-obstacle", class: "quiet-text" }, obstacle) : null,
  );
}
