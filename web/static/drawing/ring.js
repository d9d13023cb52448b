// A wheel with sections around a disc that turns, drawn as large as the phone is wide: what lies where, and its worth.

import { h, svg } from "../core/dom.js";
import { packed } from "./geometry.js";
import { piece, text } from "./pieces.js";
import { lettersByColour } from "./map.js";
import { both, t } from "../core/words.js";

const OUT = 180; // the rim
const NAME = 166; // where a section's name stands
const BESIDE = 138; // tiles and markers
const UPRIGHT = { middle: 98, room: [104, 50] }; // the loose pieces of a section above or below the disc
const SIDEWAYS = { middle: 106, room: [56, 84] }; // and of one at its left or right
const WORTH = 59; // what a section is worth
const ASIDE = 151; // names and tiles where a section lies left or right: the one above, the other below
const APART = 12; // degrees between the middle and each of these
const DISC = 46;
const TILE = 26;
const DIE = 25; // as large as a loose piece gets, with the room around it

/** The drawing of a ring; a tap calls `tapped(zone, spot)`. */
export function ringDrawing(ring, { layout, view, seats, chosen }, tapped) {
  const step = 360 / ring.sections.length;
  const marks = lettersByColour(seats, layout);
  const root = svg(
    "svg",
    { class: "rondel", viewBox: "-184 -184 368 368", role: "group", "aria-label": both(layout.zones[ring.zone]?.says) },
    ring.sections.map((section, index) => drawn(section, index * step)),
    disc(),
  );
  const hint = !chosen.zone && h("p", { class: "soft small rondel-hint" }, t("ring.hint"));
  return h("div", { class: "rondel-frame" }, root, legend(), hint);

  function drawn(section, angle) {
    const here = chosen.zone === section.zone && !chosen.spot;
    return svg(
      "g",
      { class: `rondel-section ${here ? "chosen" : ""}` },
      tap(section.zone, "", label(section), svg("path", { class: "wedge", d: wedge(angle) })),
      text(both(section.says), ...outside(angle, NAME, 1), 15, null, "rondel-name"),
      svg("circle", { class: "worth", cx: at(angle, WORTH)[0], cy: at(angle, WORTH)[1], r: 13 }),
      text(section.worth, ...at(angle, WORTH), 17, null, "worth-number"),
      loose(section, angle),
      beside(section, angle),
    );
  }

  function label({ says, number, worth }) {
    return t("ring.section", { name: both(says), number, worth });
  }

  function tap(zone, spot, words, ...inside) {
    const act = () => tapped(zone, spot);
    const key = (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), act());
    return svg(
      "g",
      {
        class: `rondel-tap ${chosen.zone === zone && chosen.spot === spot && spot ? "chosen" : ""}`,
        role: "button",
        tabindex: "0",
        "aria-label": words,
        "data-ring": `${zone}/${spot}`,
        on: { click: act, keydown: key },
      },
      inside,
    );
  }

  // Rows across the section, so that the first stands nearest to the disc.
  function loose(section, angle) {
    const labels = spread(view[section.zone]?.count);
    const { middle, room } = upright(angle) ? UPRIGHT : SIDEWAYS;
    const { columns, scale } = packed(labels.length || 1, ...room, DIE, DIE, 1);
    const [size, rows] = [DIE * scale, Math.ceil(labels.length / columns)];
    return labels.map((label, index) => {
      const [column, row] = [index % columns, Math.floor(index / columns)];
      const inRow = Math.min(columns, labels.length - row * columns);
      const [x, y] = at(angle, middle);
      const place = [x + (column - (inRow - 1) / 2) * size, y + (row - (rows - 1) / 2) * size];
      return put(section.zone, label, label, place, size - 3);
    });
  }

  function beside(section, angle) {
    const things = section.beside.flatMap(([zone, cell]) =>
      cell
        ? [view[zone]?.at?.[cell]].filter((one) => one && one !== "unknown").map((label) => [zone, cell, label])
        : spread(view[zone]?.count).map((label) => [zone, label, label]),
    );
    const [x, y] = outside(angle, BESIDE, -1);
    return things.map(([zone, spot, label], index) =>
      put(zone, spot, label, [x + (index - (things.length - 1) / 2) * (TILE + 3), y], TILE),
    );
  }

  function put(zone, spot, label, [x, y], size) {
    const family = layout.pieces?.[layout.zones[zone]?.holds];
    const node = piece(label, size, size, layout, {
      look: family?.looks?.[label],
      dice: layout.zones[zone]?.kind === "dice",
      letters: marks,
    });
    const words = both(layout.labels?.[label]) || label;
    return tap(zone, spot, words, svg("g", { transform: `translate(${x} ${y})` }, reach(size), node));
  }

  /** A finger needs more room than a die has. */
  function reach(size) {
    const wide = Math.max(size, 30);
    return svg("rect", { class: "reach", x: -wide / 2, y: -wide / 2, width: wide, height: wide, rx: 6 });
  }

  function disc() {
    const words = ring.sections.map(({ says, number }) => `${both(says)} ${number}`).join(", ");
    return tap(
      ring.zone,
      "",
      `${both(layout.zones[ring.zone]?.says)}: ${words}`,
      svg("circle", { class: "disc", r: DISC }),
      ring.sections.map(({ number }, index) => text(number, ...at(index * step, DISC - 13), 16, null, "disc-number")),
      ring.sections.map((_, index) =>
        svg("path", { class: "spoke", d: `M0 0L${at(index * step + step / 2, DISC)}` }),
      ),
      svg("circle", { class: "hub", r: 11 }),
    );
  }

  function wedge(angle) {
    const [a, b] = [angle - step / 2, angle + step / 2];
    return `M${at(a, DISC)}L${at(a, OUT)}A${OUT} ${OUT} 0 0 1 ${at(b, OUT)}L${at(b, DISC)}A${DISC} ${DISC} 0 0 0 ${at(a, DISC)}z`;
  }

  /** Names are wide: at the sides of the wheel they stand nearer to its top or bottom than what lies there. */
  function outside(angle, radius, way) {
    const [x, y] = at(angle, 1);
    return upright(angle) ? at(angle, radius) : at(angle + APART * way * Math.sign(x) * Math.sign(y || 1), ASIDE);
  }

  function upright(angle) {
    return Math.abs(at(angle, 1)[0]) < 0.3;
  }

  function at(angle, radius) {
    const turn = (angle * Math.PI) / 180;
    return [round(radius * Math.sin(turn)), round(-radius * Math.cos(turn))];
  }

  /** What a piece stands for, wherever it lies. */
  function legend() {
    const entries = Object.entries(ring.legend ?? {});
    return (
      entries.length > 0 &&
      h(
        "ul",
        { class: "rondel-legend" },
        entries.map(([label, says]) => {
          const family = Object.values(layout.pieces).find((one) => one.labels.includes(label));
          const drawn = piece(label, 20, 20, layout, { look: family?.looks?.[label], dice: true, blank: true });
          return h("li", {}, svg("svg", { viewBox: "-11 -11 22 22", "aria-hidden": "true" }, drawn), both(says));
        }),
      )
    );
  }
}

function round(number) {
  return Math.round(number * 100) / 100;
}

/** Loose pieces one by one. */
function spread(count = {}) {
  return Object.entries(count).flatMap(([label, number]) => Array(number).fill(label));
}
