// By hand: any legal move in a few taps, so that the whole game can be played with the camera unplugged.

import { button, clear, h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { both, t } from "../core/words.js";
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
  });
  const expects = h("p", { class: "expected" });
  const node = h("div", { class: "by-hand" });
  let number = null;
  let layout = null; // the map that the places were drawn on
  let telling = false;

  /** @param {Choices} choices */
  async function tell(choices) {
    telling = true;
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
    telling = true;
    if (await app.command("learn", { move, field, answers })) {
      confirm(t("description.learned"));
      await goOn(choices.move ? choices.path : [...choices.path, null]);
    }
    caughtUp();
  }

  // Somebody else may have told something meanwhile.
  function caughtUp() {
    telling = false;
    if (Number(choose.node.dataset.number) < app.standing.number) choose.refresh();
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
    if (choose.node.parentNode !== node) clear(node, told, expects, choose.node, again);
    clear(expects, both(standing.table.expects.says));
    if (number === null) choose.go(first(chosen));
    else if ((standing.number !== number || app.layout !== layout) && !telling) choose.refresh();
    number = standing.number;
    layout = app.layout;
  }

  if (app.standing) update(app.standing);
  return { node, update, close() {} };
}

function first(chosen) {
  try {
    return JSON.parse(chosen ?? "[]");
  } catch {
    return [];
  }
}
