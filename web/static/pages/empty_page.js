// What a page says, and where it leads, while it has nothing to show: no game, no seat, no host.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";

/** A friendly word instead of the page, or null if all it needs is there: a game, and who `needs` says.
    @param {App} app
    @param {Standing} standing
    @param {string} [needs] */
export function missing(app, standing, needs) {
  if (!standing.table?.game) return empty("empty_page.game", app.me?.host ? ["empty_page.begin", () => app.go("setup")] : null);
  if (needs === "seat" && !(app.me?.host || app.me?.role === "seat")) {
    return empty("empty_page.seat", ["empty_page.join", () => app.go("join")]);
  }
  return null;
}

export function empty(words, way) {
  return h("div", { class: "empty" }, h("p", {}, t(words)), way && button(t(way[0]), way[1], { kind: "primary" }));
}
