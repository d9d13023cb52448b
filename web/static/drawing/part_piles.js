// Piles beside the segments of a board: a column for each segment with what lies on top of each pile there.

import { h } from "../core/dom.js";
import { nameOf } from "./panels.js";
import { fitted } from "./names.js";
import { amount, known, meaning, nameBefore, ribbon } from "./tokens.js";

const HEAD_AND_BOOK = 112; // px beside a name on a television, where piles lie below each other

/** @param {ResolvedPart} part
    @param {Context} ctx */
export function pilesPart(part, ctx) {
  const cells = Object.keys(ctx.view[part.zones[0].zone].at);
  const segments = part.segments ? ctx.view[part.segments].at : {};
  const room = ctx.still ? ctx.width - HEAD_AND_BOOK : (ctx.width - 4 * (cells.length - 1)) / cells.length - 5;
  return h(
    "div",
    { class: "piles-part", style: { "--n": cells.length } },
    cells.map((cell, i) =>
      h(
        "div",
        { class: `pile tint-${i % 5}` },
        h("b", { class: "pile-head" }, /(\d+)-(\d+)$/.exec(segments[cell] ?? "")?.[0].replace("-", "–") ?? cell),
        part.zones.map((shown) => top(shown, cell, room, ctx)),
      ),
    ),
  );
}

/** @param {Shown} shown
    @param {Context} ctx */
function top(shown, cell, room, ctx) {
  const label = ctx.view[shown.zone].at[cell];
  const place = { zone: shown.zone, spot: cell, says: `${nameOf(shown, ctx.layout)}: ${ctx.placeWords(shown.zone, cell)}` };
  if (!label) return ctx.target(h("div", { class: "pile-top bare" }, "–"), place);
  const said = meaning(label, ctx, shown.zone);
  if (said.ribbon) return ctx.target(h("div", { class: "pile-top" }, ribbon(said, shown.zone, ctx)), place);
  return ctx.target(
    h(
      "div",
      { class: "pile-top" },
      fitted(nameBefore(said.name), room),
      said.brings && h("span", { class: "card-brings" }, known(said.brings).map(([word, number], i) => amount(word, number > 1 || i === 0 ? number : null, 17))),
    ),
    place,
  );
}
