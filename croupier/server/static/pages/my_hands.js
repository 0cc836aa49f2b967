// A player's own rounds, step by step as at the table; other decisions, and links to share.

import { drawFelt, NO_BOX } from "../components/felt.js";
import { problemAlert } from "../components/problem_alert.js";
import { resultHeadline, roundResults } from "../components/round_results.js";
import { seatCards } from "../components/seat_cards.js";
import { resultClass } from "../components/info_panels.js";
import { dollars, signedDollars } from "../lib/money.js";
import { h, render } from "../lib/render.js";
import { getJson, postJson } from "../lib/api.js";
import { clauseOf, clauseText } from "../lib/table_text.js";
import { capitalize, plural } from "../lib/text.js";
import { dayText, timeText } from "../lib/time.js";

export class MyHands extends HTMLElement {
  async connectedCallback() {
    Object.assign(this, {
      slip: NO_BOX.slip,
      betForm: null,
      seat: 0,
      rounds: [],
      played: null, // the round that is replayed
      index: 0,
      other: null, // the round with other decisions: the decisions so far and their result
      link: "",
      problem: "",
    });
    this.own = this.dataset.table;
    addEventListener("keydown", (event) => this.onKey(event));
    addEventListener("hashchange", () => this.followLink());
    if (this.own) {
      await this.run(async () => (this.rounds = (await getJson(this.listPath)).rounds));
      await this.followLink();
    } else {
      await this.open(`/shared-hands/${encodeURIComponent(this.dataset.token)}`);
    }
  }

  get path() {
    return `/tables/${encodeURIComponent(this.own)}/hands`;
  }

  get listPath() {
    return this.path;
  }

  get listTitle() {
    return "My hands";
  }

  get tablePath() {
    return `/play/${encodeURIComponent(this.own)}`;
  }

  // What the cards, the results and the felt need of a page that shows a table.

  get table() {
    return this.played.house;
  }

  get account() {
    return this.played.player;
  }

  get entry() {
    return this.played.replay.moments[this.index];
  }

  get state() {
    return { view: this.entry.view, hands: this.entry.hands, steps: [] };
  }

  get view() {
    return this.entry.view;
  }

  get round() {
    return this.view.round;
  }

  get ownBoxes() {
    return Object.entries(this.round?.boxes ?? {}).filter(([, box]) => box.player === this.account);
  }

  get net() {
    const boxNet = ([, box]) =>
      Object.values(box.settled).reduce((sum, wager) => sum + wager.returned, box.envy) -
      Object.values(box.stakes).reduce((sum, cents) => sum + cents, 0);
    return this.ownBoxes.reduce((sum, box) => sum + boxNet(box), 0);
  }

  cardHighlight(name) {
    const own = this.ownBoxes.map(([seat]) => Number(seat));
    const hands = this.state.hands.filter((hand) => own.includes(hand.seat));
    return hands.some((hand) => hand.cards.includes(name)) ? "own" : "";
  }

  // Actions

  async run(task) {
    this.problem = "";
    try {
      await task();
    } catch (error) {
      this.problem = error.message;
    }
    this.draw();
  }

  // A link names a round and a log entry: #round=12&at=345
  followLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    const number = link.get("round") ?? this.rounds[0]?.round;
    if (number === undefined || !this.own) return this.draw();
    return this.open(`${this.path}/${encodeURIComponent(number)}`, Number(link.get("at") ?? 0));
  }

  read(path) {
    return getJson(path);
  }

  async open(path, sequence = 0) {
    await this.run(async () => {
      const played = await this.read(path);
      this.house = await getJson(`/tables/${encodeURIComponent(played.house)}`);
      Object.assign(this, { played, other: null, link: "" });
      const index = played.replay.moments.findIndex((entry) => entry.sequence === sequence);
      this.index = index < 0 ? played.replay.moments.length - 1 : index;
    });
  }

  moveTo(index) {
    const last = this.played.replay.moments.length - 1;
    this.index = Math.max(0, Math.min(index, last));
    this.other = null;
    if (this.own) {
      const link = new URLSearchParams({ round: this.played.replay.round, at: this.entry.sequence });
      history.replaceState(null, "", `#${link}`);
    }
    this.draw();
  }

  onKey(event) {
    if (!this.played || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select")) return;
    const offset = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!offset) return;
    event.preventDefault();
    this.moveTo(this.index + offset);
  }

  share() {
    const { round } = this.played.replay;
    return this.run(async () => {
      const { path } = await postJson(`${this.path}/${round}/share`, {});
      this.link = new URL(path, location.href).href;
    });
  }

  // The player's decision in the entry that is shown, if there is one.
  get decision() {
    const seats = this.ownBoxes.map(([seat]) => Number(seat));
    return this.entry.events.find(
      (event) => event?.kind === "decided" && seats.includes(event.seat),
    );
  }

  // The decisions of the same box before the entry that is shown.
  get earlierWords() {
    const { seat } = this.decision;
    return this.played.replay.moments
      .slice(0, this.index)
      .flatMap((entry) => entry.events)
      .filter((event) => event?.kind === "decided" && event.seat === seat)
      .map((event) => event.word);
  }

  decide(words) {
    const { seat } = this.decision;
    const body = { round: this.played.replay.round, seat, words };
    return this.run(async () => {
      const answer = await postJson(`/tables/${encodeURIComponent(this.own)}/again`, body);
      this.other = { words, ...answer };
    });
  }

  // Drawing

  draw() {
    render(
      this,
      h(
        "div",
        { key: "strip", class: "strip" },
        h("h2", {}, this.played ? this.played.title : this.listTitle),
        this.own
          ? h(
              "a",
              { class: "button plain", href: this.tablePath },
              "Back to the table",
            )
          : null,
      ),
      h("div", { key: "felt", class: "felt-frame" }, this.played ? this.board() : null),
      h(
        "div",
        { key: "side", class: "side" },
        problemAlert(this.problem),
        this.played ? this.controls() : null,
        this.own ? this.list() : null,
      ),
    );
  }

  board() {
    return h(
      "div",
      { key: "board", class: "card seat" },
      resultHeadline(this),
      seatCards(this),
      roundResults(this),
      drawFelt(this),
    );
  }

  controls() {
    const { moments, round } = this.played.replay;
    const { entry } = this;
    const last = moments.length - 1;
    const move = (offset, text, key) =>
      h(
        "button",
        {
          key,
          type: "button",
          disabled: this.index + offset < 0 || this.index + offset > last,
          onclick: () => this.moveTo(this.index + offset),
        },
        text,
        h("kbd", {}, key),
      );
    return h(
      "section",
      { key: "replay", class: "card", "aria-label": "Replay" },
      h("h2", {}, `Round ${round}`, h("small", {}, ` step ${this.index + 1} of ${moments.length}`)),
      h("div", { key: "move", class: "choices" }, move(-1, "Back", "←"), move(1, "Forward", "→")),
      h("p", { key: "time", class: "quiet-text" }, `${dayText(entry.at)} ${timeText(entry.at)}`),
      h(
        "ul",
        { key: "events", class: "replay-events", "aria-live": "polite" },
        entry.sentences.map((sentence, index) =>
          sentence
            ? h(
                "li",
                { key: index },
                sentence,
                clauseOf(entry.events[index])
                  ? h(
                      "cite",
                      { title: clauseText(this.house, clauseOf(entry.events[index])) },
                      ` ${clauseOf(entry.events[index])}`,
                    )
                  : null,
              )
            : null,
        ),
      ),
      this.own ? this.extras() : null,
    );
  }

  extras() {
    return [this.decision ? this.otherDecision() : null, this.sharing()];
  }

  otherDecision() {
    if (!this.other)
      return h(
        "button",
        { key: "differently", type: "button", onclick: () => this.decide(this.earlierWords) },
        "Decide differently here",
      );
    const { words, asks, net, sentences } = this.other;
    return h(
      "div",
      { key: "other", role: "status" },
      h("p", { key: "words" }, `Your decisions: ${words.join(", ") || "none yet"}.`),
      asks.length
        ? h(
            "div",
            { key: "asks", class: "choices" },
            asks.map((word) =>
              h(
                "button",
                { key: word, type: "button", onclick: () => this.decide([...words, word]) },
                capitalize(word),
              ),
            ),
          )
        : [
            h(
              "p",
              { key: "net" },
              "Result: ",
              h("b", { class: resultClass(net) }, signedDollars(net)),
              `, instead of ${signedDollars(this.finalNet)}.`,
            ),
            sentences.map((text, index) => h("p", { key: index, class: "quiet-text" }, text)),
          ],
    );
  }

  get finalNet() {
    const summary = this.rounds.find((each) => each.round === this.played.replay.round);
    return summary ? summary.returned - summary.staked : 0;
  }

  sharing() {
    if (!this.link)
      return h(
        "button",
        { key: "share", type: "button", onclick: () => this.share() },
        "Create a link to this hand",
      );
    return h(
      "label",
      { key: "link" },
      "Everyone with an account here can open this link",
      h("input", { type: "text", readonly: true, value: this.link }),
    );
  }

  list() {
    const days = groupByDay(this.rounds);
    return h(
      "section",
      { key: "list", class: "card", "aria-label": this.listTitle },
      h("h2", {}, this.listTitle),
      this.rounds.length ? null : h("p", { key: "none" }, "No rounds yet."),
      [...days].map(([day, rounds]) => [
        h("h3", { key: day }, `${day}: ${sessionText(rounds)}`),
        h(
          "ul",
          { key: `rounds ${day}`, class: "search-results", tabindex: "0" },
          rounds.map((round) => this.listed(round)),
        ),
      ]),
    );
  }

  listed(round) {
    const net = round.returned - round.staked;
    const isOpen = this.played?.replay.round === round.round;
    return h(
      "li",
      { key: round.round },
      h(
        "button",
        {
          type: "button",
          "aria-current": isOpen ? "true" : null,
          onclick: () => this.open(`${this.path}/${round.round}`),
        },
        h("b", {}, `Round ${round.round}: `, h("span", { class: resultClass(net) }, signedDollars(net))),
        h("small", {}, [timeText(round.time), ...round.hands].join(" · ")),
      ),
    );
  }
}

function groupByDay(rounds) {
  const days = new Map();
  for (const round of rounds) {
    const day = dayText(round.time);
    days.set(day, [...(days.get(day) ?? []), round]);
  }
  return days;
}

// The account of a session: rounds, bets, result.
function sessionText(rounds) {
  const staked = rounds.reduce((sum, round) => sum + round.staked, 0);
  const returned = rounds.reduce((sum, round) => sum + round.returned, 0);
  return `${plural(rounds.length, "round")}, ${dollars(staked)} bet, ${signedDollars(returned - staked)}`;
}

customElements.define("croupier-my-hands", MyHands);
