// The box compared once: each fact that nobody has confirmed, the value we assume, and a small form where it differs.

import { button, clear, h } from "../core/dom.js";
import { sheet } from "../core/sheet.js";
import { both, t } from "../core/words.js";
import { editor, written } from "./box_values.js";

/** A line that says how much is left to compare, and opens it. `changed` is called when that was done.
    @param {App} app */
export function boxCheck(app, game, changed) {
  const left = game.unverified;
  const answered = (game.answered ?? []).map((one) => ({ ...one, assumed: one.value }));
  const again = button(t("setup.box_again"), () => compare(app, game, answered, changed), { kind: "quiet" });
  return h(
    "section",
    { class: "box" },
    sketches(app, game),
    families(game),
    left.length > 0 && h("p", {}, t("setup.box_left", { number: left.length })),
    learned(game),
    left.length > 0 &&
      button(t("setup.box_check"), () => compare(app, game, left, changed), { dataset: { act: "box" } }),
    answered.length > 0 && again,
    sharing(app, game, changed),
  );
}

/** The box as a file for other tables, and such a file of others.
    @param {App} app */
function sharing(app, game, changed) {
  const input = h("input", { type: "file", accept: ".json,application/json", class: "visually-hidden", id: "box-file" });
  input.addEventListener("change", async () => {
    if (input.files[0]) await takeFile(app, game, input.files[0], changed);
    input.value = "";
  });
  return h(
    "details",
    { class: "sharing" },
    h("summary", {}, t("setup.sharing")),
    h("p", {}, t("setup.sharing_hint")),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button", href: `/export/box/${game.game}`, download: "", dataset: { act: "export" } }, t("setup.export")),
      input,
      h("label", { class: "button", for: "box-file" }, t("setup.import")),
    ),
  );
}

/** @param {App} app */
async function takeFile(app, game, file, changed) {
  let found;
  try {
    found = JSON.parse(await file.text());
  } catch {
    return app.toast(t("setup.no_box_file"), { kind: "warn" });
  }
  const taken = await app.post("/api/box/import", { game: game.game, file: found });
  if (!taken) return;
  app.toast(t("setup.imported", taken));
  changed();
}

/** Maps and tracks, each with a page of its own where it is drawn.
    @param {App} app */
function sketches(app, game) {
  const found = game.sketches ?? [];
  if (!found.length) return null;
  return [
    h("p", {}, t("setup.sketches")),
    h(
      "ul",
      { class: "sketches" },
      found.map((one) =>
        h(
          "li",
          {},
          button(
            [h("span", {}, both(one.title)), h("span", { class: "state" }, t(one.answered ? "setup.drawn" : "setup.not_drawn"))],
            () => app.go("sketch", { game: game.game, name: one.name }),
            { kind: `sketch-key ${one.answered ? "drawn" : ""}`, dataset: { sketch: one.name } },
          ),
        ),
      ),
    ),
  ];
}

/** Pieces that are described when they turn up: how many people know already. */
function families(game) {
  const found = game.families ?? [];
  if (!found.length) return null;
  const line = ({ says, known, number }) => t("setup.family", { what: both(says), known, number });
  return h("div", { class: "families" }, h("p", {}, t("setup.on_sight")), h("p", {}, found.map(line).join(" · ")));
}

/** The pieces that people described in earlier games. */
function learned(game) {
  const pieces = (game.learned ?? []).map(both).join(", ");
  return pieces && h("p", { class: "learned" }, t("setup.box_learned", { pieces }));
}

/** One fact after the other, each with one tap if it is as we assume.
    @param {App} app */
function compare(app, game, facts, changed) {
  const words = vocabulary(game);
  const stage = h("div", { class: "box-fact" });
  const shown = sheet({ title: t("setup.box"), body: stage, kind: "box-sheet", closed: changed });
  let at = 0;

  function show() {
    if (at >= facts.length) return shown.close();
    const fact = facts[at];
    clear(
      stage,
      h("p", { class: "count" }, t("setup.box_count", { at: at + 1, of: facts.length })),
      h("progress", { max: facts.length, value: at, "aria-hidden": "true" }),
      h("h3", { tabindex: "-1" }, both(fact.ask)),
      written(fact.assumed, words),
      h(
        "div",
        { class: "answers" },
        button(t("setup.as_assumed"), () => keep(fact, fact.assumed), {
          kind: "primary big",
          dataset: { act: "as-assumed" },
        }),
        button(t("setup.differs"), () => edit(fact), { kind: "big", dataset: { act: "differs" } }),
        button(t("setup.later"), () => next(), { kind: "quiet" }),
      ),
    );
    stage.querySelector("h3").focus({ preventScroll: true });
  }

  function edit(fact) {
    const form = editor(fact.assumed, words);
    clear(
      stage,
      h("p", { class: "count" }, t("setup.box_count", { at: at + 1, of: facts.length })),
      h("h3", { tabindex: "-1" }, both(fact.ask)),
      form.node,
      h(
        "div",
        { class: "answers" },
        button(t("setup.keep"), () => keep(fact, form.read()), {
          kind: "primary big",
          dataset: { act: "keep" },
        }),
        button(t("setup.never_mind"), show, { kind: "quiet" }),
      ),
    );
  }

  async function keep(fact, value) {
    if (await app.post("/api/box", { game: game.game, fact: fact.fact, value })) next();
  }

  function next() {
    at += 1;
    show();
  }

  show();
}

/** Words that a box uses, with what people call them where that is known. */
function vocabulary(game) {
  const known = game.words ?? {};
  return {
    say: (word) => (known[word] ? both(known[word]) : word),
    kin: (value) => kin([...game.unverified, ...(game.answered ?? [])], value),
    under: (key) => (key ? [...new Set(game.unverified.flatMap((fact) => under(fact.assumed, key)))].sort() : []),
  };
}

/** The words that stand at a key, wherever it is in a value. */
function under(value, key) {
  if (!value || typeof value !== "object") return [];
  const words = (one) => [one].flat().filter((word) => typeof word === "string");
  return Object.entries(value).flatMap(([name, one]) => [...(name === key ? words(one) : []), ...under(one, key)]);
}

/** The words that may stand where this one stands: those that facts of the same shape use. */
function kin(facts, value) {
  const same = facts.map((fact) => fact.assumed).filter((one) => shapeOf(one) === shapeOf(value));
  return [...new Set(same.flat(3).flatMap((one) => String(one).split(" ")))].sort();
}

function shapeOf(value) {
  if (Array.isArray(value)) return `[${shapeOf(value[0])}]`;
  if (value && typeof value === "object") return "{}";
  return typeof value === "string" ? (value.includes(" ") ? "words" : "word") : typeof value;
}
