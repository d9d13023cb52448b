// By hand: what lies there in one form, what comes next with one tap, and any legal move in a few taps, so that the
// whole game can be played with the camera unplugged.

import { button, clear, h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { both, t } from "../core/words.js";
import { entryForm } from "./entry_form.js";
import { moveChoice } from "./move_choice.js";
import { missing } from "./empty_page.js";

export const title = "by_hand.title";

/** `chosen` is what somebody chose already on another page.
    @param {App} app
    @param {{chosen?: string}} [params] */
export function open(app, { chosen } = {}) {
  const told = h("div", { class: "told", "aria-live": "polite" });
  const again = h("div", { class: "again" });
  const choose = moveChoice(app, {
    from: (chosen) => `/api/choices?chosen=${encodeURIComponent(JSON.stringify(chosen))}`,
    tell,
    label: "by_hand.tell",
    nothing,
    describe,
    shown: (choices) => first(choices),
  });
  const before = h("div", { class: "before" });
  const oneByOne = h("details", { class: "one-by-one" });
  let single = false; // somebody would rather answer questions than fill in the form
  const expects = h("p", { class: "expected" });
  const node = h("div", { class: "by-hand" });
  let number = null;
  let layout = null; // the map that the places were drawn on
  let telling = false;

  /** @param {Choices} choices */
  async function tell(choices) {
    busy(true);
    const taken = await app.command("move", { move: choices.move });
    if (taken) {
      confirm(choices.says);
      await goOn(choices.path);
    }
    caughtUp();
  }

  /** @param {Choices} choices */
  async function describe(choices, answers) {
    const { move, field } = choices.form;
    busy(true);
    if (await app.command("learn", { move, field, answers })) {
      confirm(t("description.learned"));
      await goOn(choices.move ? choices.path : [...choices.path, null]);
    }
    caughtUp();
  }

  /** What comes before any choice: the form for what lies there, or the moves that come next anyway.
      @param {Choices} choices */
  function first(choices) {
    const { entry, next = [], path, options, others } = choices;
    const extra = entry ? "entry" : next.length ? "next" : "";
    const facts = [extra, path.length, entry, next, options.length, others?.length, app.me, app.layout !== null];
    const key = JSON.stringify(facts);
    if (before.dataset.shown === key) return;
    before.dataset.shown = key;
    clear(before, path.length ? null : entry ? entryForm(app, entry, enter) : next.length ? nextMoves(next) : null);
    const alone = extra && !path.length;
    // A single move that comes next is not asked for a second time.
    const more = alone && (entry ? options.length || choices.move : options.length + (others?.length ?? 0) > 1);
    oneByOne.hidden = Boolean(alone && !more);
    oneByOne.classList.toggle("plain", !alone);
    if (!alone || single) oneByOne.open = true;
    else if (oneByOne.dataset.extra !== extra) oneByOne.open = false;
    oneByOne.dataset.extra = alone ? extra : "";
    clear(oneByOne.querySelector("summary"), t(entry ? "entry.one_by_one" : "entry.something_else"));
  }

  /** @param {{move: Move, says: Said}[]} next */
  function nextMoves(next) {
    const steps = next.map(({ says }) => h("li", {}, both(says)));
    const done = button(t("entry.next_done"), () => tellAll(next), { kind: "primary big wide" });
    return h("section", { class: "next-moves" }, h("h2", { class: "asks", tabindex: "-1" }, t("entry.next")), h("ol", {}, steps), done);
  }

  async function tellAll(next) {
    busy(true);
    if (await app.command("moves", { moves: next.map(({ move }) => move) })) {
      confirm(next.at(-1).says);
      await choose.go([]);
    }
    caughtUp();
  }

  async function enter(zones) {
    busy(true);
    if (await app.command("enter", { zones })) {
      clear(told, icon("done"), h("p", {}, t("entry.thanks")));
      await choose.go([]);
    }
    caughtUp();
  }

  // Somebody else may have told something meanwhile.
  function caughtUp() {
    busy(false);
    if (Number(choose.node.dataset.number) < app.standing.number) choose.refresh();
  }

  function busy(on) {
    telling = on;
    node.toggleAttribute("data-telling", on);
  }

  // Tiles are turned up and cards dealt one after the other: the same question comes again as long as it can.
  async function goOn(path) {
    clear(again);
    const same = path.slice(0, -1).map((step) => step.id);
    if (same.length) {
      const next = await choose.ask(same);
      if (next && !next.move && next.path.length === same.length) return choose.show(next);
    }
    const first = await choose.go([]);
    const kind = path[0];
    if (kind && first?.options.some((option) => option.id === kind.id)) {
      again.append(button(t("by_hand.again", { what: kind.says }), () => choose.go([kind.id]), { kind: "repeat" }));
    }
  }

  function confirm(says) {
    const undo = button(t("by_hand.undo"), takeBack, { kind: "quiet" });
    clear(told, icon("done"), h("p", {}, both(says)), undo);
  }

  async function takeBack() {
    if (await app.command("undo", {})) clear(told);
  }

  function nothing() {
    const table = app.standing.table;
    if (!table.over) return h("div", { class: "empty" }, h("h2", {}, t("by_hand.nothing")));
    const scores = button(t("by_hand.to_scores"), () => app.go("scores"), { kind: "primary" });
    return h("div", { class: "empty" }, h("h2", {}, t("by_hand.over")), scores);
  }

  /** @param {Standing} standing */
  function update(standing) {
    const lacks = missing(app, standing, "seat");
    if (lacks) {
      number = null;
      clear(node, lacks);
      return;
    }
    if (oneByOne.parentNode !== node) {
      const summary = h("summary", { on: { click: () => (single = !oneByOne.open) } });
      clear(oneByOne, summary, choose.node, again);
      clear(node, told, expects, before, oneByOne);
    }
    clear(expects, both(standing.table.expects.says));
    if (number === null) choose.go(wanted(chosen));
    else if ((standing.number !== number || app.layout !== layout) && !telling) choose.refresh();
    number = standing.number;
    layout = app.layout;
  }

  if (app.standing) update(app.standing);
  return { node, update, close() {} };
}

function wanted(chosen) {
  try {
    return JSON.parse(chosen ?? "[]");
  } catch {
    return [];
  }
}
