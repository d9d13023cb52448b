// The picture of a game, drawn for this program: so that people see at once which game is meant.

import { h } from "../core/dom.js";

export const PICTURED = ["tumult_royale", "council_of_four", "tiletum", "viscounts"];

/** Nothing for a game that has no picture. */
export function picture(game) {
  return PICTURED.includes(game) && h("img", { class: "game-picture", src: `/static/pictures/${game}.svg`, alt: "", width: 320, height: 120 });
}
