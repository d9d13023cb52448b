// A part of the box, drawn from the real one: a map with its ways, or a track with its values. Kept once it is whole.

import { button, clear, h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { confirmed } from "../core/sheet.js";
import { both, keep, read, t } from "../core/words.js";
import { graphSketch } from "./sketch_graph.js";
import { trackSketch } from "./sketch_track.js";
import { becomeHost } from "./host.js";

export const title = "sketch.title";

const KINDS = { graph: graphSketch, track: trackSketch };
const SOON = 250; // ms after the last change until it is asked what is missing

/** @param {App} app
    @param {{game?: string, name?: string}} [params] */
export function open(app, { game: wanted, name } = {}) {
  const node = h("div", { class: "sketch" });
  const lacks = h("ul", { class: "lacks", "aria-live": "polite" });
  const draft = `companion.sketch.${wanted}.${name}`;
  let offer = null; // the sketch as /api/setup gives it
  let editor = null;
  let past = []; // earlier drawings, as texts
  let now = null;
  let timer = null;
  let asked = 0;

  async function load() {
    const found = await app.get("/api/setup");
    offer = found?.games.find((one) => one.game === wanted)?.sketches.find((one) => one.name === name);
    if (!offer) return clear(node, h("div", { class: "empty" }, h("h2", {}, t("sketch.none"))));
    const kept = keptDraft();
    if (kept) begin(kept);
    else if (offer.answered) begin(offer.value);
    else first();
  }

  function keptDraft() {
    try {
      return JSON.parse(read(draft));
    } catch {
      return null;
    }
  }

  /** Nothing was drawn yet: from an empty sheet, or from what we assume. */
  function first() {
    clear(
      node,
      h("h2", {}, both(offer.title)),
      h("p", {}, both(offer.hint)),
      h("p", { class: "note" }, t("sketch.assumed")),
      button(t("sketch.from_nothing"), () => begin(offer.empty), {
        kind: "primary big",
        dataset: { act: "from-nothing" },
      }),
      button(t("sketch.from_assumed"), () => begin(offer.value), { kind: "big", dataset: { act: "from-assumed" } }),
    );
  }

  function begin(value) {
    past = [];
    now = value;
    editor = KINDS[offer.kind](app, offer, { changed });
    clear(
      node,
      h("h2", {}, both(offer.title)),
      editor.node,
      lacks,
      h("p", { class: "note" }, both(offer.hint)),
      button(t("sketch.anew"), anew, { kind: "quiet", dataset: { act: "anew" } }),
      tools(),
    );
    editor.draw(now);
    look();
  }

  function tools() {
    return h(
      "div",
      { class: "tools" },
      button(icon("undo"), undo, { kind: "big undo", "aria-label": t("sketch.undo"), dataset: { act: "undo" } }),
      button(t("sketch.keep"), done, { kind: "primary big", dataset: { act: "keep" } }),
    );
  }

  function changed(value) {
    past.push(JSON.stringify(now));
    show(value);
  }

  function show(value) {
    now = value;
    keep(draft, JSON.stringify(now));
    editor.draw(now);
    clearTimeout(timer);
    timer = setTimeout(look, SOON);
  }

  function undo() {
    if (past.length) show(JSON.parse(past.pop()));
  }

  async function anew() {
    const how = { title: t("sketch.anew"), text: t("sketch.anew_sure"), yes: t("sketch.anew"), danger: true };
    if (await confirmed(how)) changed(offer.empty);
  }

  /** What is still missing, as the companion sees it. */
  async function look() {
    const turn = ++asked;
    const body = { game: wanted, sketch: name, value: now };
    const found = await app.post("/api/sketch", body, { quiet: true });
    if (turn !== asked) return;
    lacks.dataset.looked = String(turn);
    node.querySelector("[data-act=undo]")?.toggleAttribute("disabled", !past.length);
    clear(lacks, found ? listed(found) : null);
  }

  function listed({ lacks: found }) {
    if (!found.length) return h("li", { class: "whole" }, icon("done"), t("sketch.whole"));
    const line = (one) => h("li", { class: one.blocks ? "blocks" : "" }, icon(one.blocks ? "warn" : "hint"), both(one.says));
    return found.map(line);
  }

  async function done() {
    const body = { game: wanted, sketch: name, value: now, keep: true };
    const found = await app.post("/api/sketch", body);
    if (!found) return;
    clear(lacks, listed(found));
    if (found.blocked) return app.toast(t("sketch.not_yet"), { kind: "warn" });
    if (!found.kept) {
      const text = found.lacks.map((one) => both(one.says)).join(" ");
      const sure = await confirmed({ title: t("sketch.differs"), text, yes: t("sketch.keep_anyway") });
      if (!sure || !(await app.post("/api/sketch", { ...body, anyway: true }))?.kept) return;
    }
    keep(draft, "");
    app.go("setup", { game: wanted });
  }

  let host = null;

  function update() {
    if (host === app.me.host) return;
    host = app.me.host;
    if (host) load();
    else clear(node, becomeHost(app, () => update()));
  }

  update();
  return {
    node,
    update,
    close() {
      clearTimeout(timer);
      editor?.close?.();
    },
  };
}
