// What a page says, and where it leads, while it has nothing to show: no game, no seat, no host.

import { button, h } from "../dom.js";
import { t } from "../words.js";

/** A friendly word instead of the page, or null if all it needs is there: a game, and who `needs` says. */
export function missing(app, standing, needs) {
  if (!standing.table?.game) return empty("needs.game", app.me?.host ? ["needs.begin", () => app.go("setup")] : null);
  if (needs === "seat" && !(app.me?.host || app.me?.role === "seat")) {
    return empty("needs.seat", ["needs.join", () => app.go("join")]);
  }
  return null;
}

export function empty(words, way) {
  return h("div", { class: "empty" }, h("p", {}, t(words)), way && button(t(way[0]), way[1], { kind: "primary" }));
}
