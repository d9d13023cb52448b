// The table from above, as the companion understands it: zones and pieces drawn from the layout and the view.

import { h, svg } from "../core/dom.js";
import { arrow, facing, grown, hull, packed, rect, turning } from "./geometry.js";
import { isFigure, labelWord, piece, text } from "./pieces.js";
import { letters, markGroup, paint } from "../core/seats.js";
import { both, t } from "../core/words.js";
import { Window } from "./zoom.js";

const MARGIN = 12; // mm around what is drawn
const NAMES = 1.6; // so much larger than they are printed names are written
const FULL = 1.7; // so much larger than life loose pieces are drawn where there is room
const LINK = 7; // mm that a line takes between zones that are connected
const SIGN = 17; // mm that the sign of its seat takes

/** The table's drawing. `draw(scene)` shows {layout, view, seats, changed, actor, me, marks, links, quarter}; a tap on
    a zone calls `tapped(name, spot)`, with a cell of it or the label of a loose piece. Marks: [{zone, cell, to: {zone,
    cell}}], the pieces in question; links: [{one, other, seat}], zones that are connected for a seat. */
export class TableMap {
  /** @param {{tapped?: (zone: string | null, spot: string) => unknown, still?: boolean}} [how] */
  constructor({ tapped = () => {}, still = false } = {}) {
    this.root = svg("svg", { class: "map", role: "img", preserveAspectRatio: "xMidYMid meet" });
    this.node = h("div", { class: "map-frame" }, this.root);
    this.window = still ? null : new Window(this.root, this.node);
    this.root.addEventListener("click", (event) => {
      if (this.window?.moved) return;
      const target = /** @type {Element} */ (event.target);
      const [zone, spot] = ["zone", "spot"].map((name) => target.closest(`[data-${name}]`)?.getAttribute(`data-${name}`));
      tapped(zone ?? null, spot ?? "");
    });
  }

  /** @param {MapScene} scene */
  draw(scene) {
    const { layout, view } = scene;
    if (!layout || !view) return;
    this.scene = scene;
    this.turn = turning(layout.area, scene.quarter ?? facing(layout, scene.me));
    this.letters = lettersByColour(scene.seats, layout);
    const shown = Object.keys(layout.zones).filter((name) => name in view);
    this.boxes = Object.fromEntries(shown.map((name) => [name, this.box(name)]));
    const whole = around(Object.values(this.boxes));
    const links = this.links(scene.links ?? []);
    this.root.replaceChildren(
      svg("g", { class: "boards" }, this.boards(layout.drawing ?? [])),
      svg(
        "g",
        { class: "links" },
        links.map((link) => this.line(link)),
      ),
      svg(
        "g",
        {},
        shown.map((name) => this.zone(name)),
      ),
      svg(
        "g",
        { class: "links" },
        links.map((link) => this.sign(link)),
      ),
      svg("g", { class: "names" }, this.names(layout.drawing ?? [])),
      svg(
        "g",
        { class: "marks" },
        this.changes(),
        (scene.marks ?? []).map((one) => this.marked(one)),
      ),
    );
    this.root.setAttribute("aria-label", t("map.label"));
    if (this.window) this.window.show(whole);
    else this.root.setAttribute("viewBox", whole.join(" "));
  }

  /** Move in on a zone, or on a place of it. */
  near(name, spot = "") {
    const inCell = this.scene?.layout.zones[name]?.cells?.[spot];
    const box = inCell ? grown(this.turn.rect(inCell), 60) : this.boxes?.[name] && grown(this.boxes[name], 24);
    if (this.window && box) this.window.near(box);
  }

  // Where a zone lies: its cells as far as they are in play, or its rectangle.
  box(name) {
    const zone = this.scene.layout.zones[name];
    const inPlay = Object.keys(this.scene.view[name].at ?? {}).filter((cell) => zone.cells?.[cell]);
    if (inPlay.length) return hull(inPlay.map((cell) => this.turn.rect(zone.cells[cell])));
    if (zone.centre) {
      const [x, y] = zone.centre;
      return this.turn.rect([x - zone.radius, y - zone.radius, 2 * zone.radius, 2 * zone.radius]);
    }
    return this.turn.rect(zone.rect);
  }

  // What is printed on the table besides its zones: boards, and roads between zones.
  boards(drawing) {
    return drawing.map(({ paint: colour, size, rects, lines }) => {
      const { fill } = paint(colour);
      return [
        rects.map((box) => svg("rect", { class: "board", fill, ...sides(this.turn.rect(box)) })),
        lines.map(([from, to]) =>
          svg("path", {
            class: "road",
            stroke: fill,
            "stroke-width": size,
            d: `M${this.turn.point(...from)}L${this.turn.point(...to)}`,
          }),
        ),
      ];
    });
  }

  // What is connected, from middle to middle. Several seats lie side by side.
  links(links) {
    const sets = new Map();
    for (const { one, other, seat } of links) {
      const [from, to, owner] = [this.boxes[one], this.boxes[other], this.scene.seats[seat]];
      const key = `${one} ${other}`;
      if (from && to && owner) sets.set(key, [...(sets.get(key) ?? []), { from, to, colour: owner.colour }]);
    }
    return [...sets.values()].flatMap((set) =>
      set.map((link, i) => ({ ...link, ...beside(link, (i - (set.length - 1) / 2) * LINK) })),
    );
  }

  line({ a, b, colour }) {
    const d = `M${a}L${b}`;
    return [
      svg("path", { class: "link-edge", "stroke-width": LINK * 0.95, d }),
      svg("path", { class: "link", stroke: paint(colour).fill, "stroke-width": LINK * 0.7, d }),
    ];
  }

  // Whose line it is can be told without its colour, in the middle of what is seen of it.
  sign({ a, b, from, to, colour }) {
    const share = (within(from, a, b) + 1 - within(to, a, b)) / 2;
    const [x, y] = [0, 1].map((axis) => a[axis] + (b[axis] - a[axis]) * share);
    const sign = markGroup(colour, this.letters[colour]);
    sign.setAttribute("transform", `translate(${x} ${y}) scale(${SIGN / 26})`);
    return sign;
  }

  // Above the zones, for nothing may hide a name.
  names(drawing) {
    return drawing.map(({ size, words }) =>
      words.map(([word, x, y]) => text(word, ...this.turn.point(x, y), size * NAMES, null, "board-word")),
    );
  }

  zone(name) {
    const { layout, view, seats, actor } = this.scene;
    const zone = layout.zones[name];
    const seat = seats[zone.seat] ? zone.seat : null;
    const kind = `zone zone-${zone.kind} ${seat !== null && seat === actor ? "acts" : ""}`;
    return svg(
      "g",
      { class: kind, "data-zone": name },
      this.ground(name, zone, seat),
      this.contents(name, zone, view[name]),
    );
  }

  ground(name, zone, seat) {
    if (zone.kind === "dial") return null;
    if (zone.kind === "slots" || zone.kind === "track") {
      return Object.keys(this.scene.view[name].at ?? zone.cells).map(
        (cell) =>
          zone.cells[cell] && [
            this.place(zone, cell),
            zone.kind === "track" && this.fieldName(zone.cells[cell], cell),
          ],
      );
    }
    const box = this.boxes[name];
    const ground = rect(grown(box, 4), "zone-ground", zone.kind === "grid" ? 0 : zone.angle);
    if (seat === null) return ground;
    ground.style.stroke = paint(this.scene.seats[seat].colour).fill;
    ground.classList.add("owned");
    return ground;
  }

  // An empty place can be tapped, too: what may come there is worth knowing.
  place(zone, cell) {
    const node = rect(this.turn.rect(zone.cells[cell]), "place", zone.cells[cell][4]);
    node.dataset.spot = cell;
    return node;
  }

  fieldName(box, name) {
    const [x, y, w, h] = this.turn.rect(box);
    return text(name, x + w / 2, y + h / 2, Math.min(w, h) * 0.42, null, "field-name");
  }

  /** @param {Contents} contents */
  contents(name, zone, contents) {
    const box = this.boxes[name];
    switch (contents.type) {
      case "cells":
        return Object.entries(contents.at).map(
          ([cell, label]) => label && zone.cells?.[cell] && this.inCell(zone, cell, label),
        );
      case "pieces":
        return zone.kind === "pool" && !allDifferent(contents.count)
          ? this.counted(zone, box, contents.count)
          : this.loose(zone, box, contents.count);
      case "marks":
        return this.onTrack(zone, contents.field);
      case "pointing":
        return this.dial(zone, contents.value);
      default:
        return null;
    }
  }

  inCell(zone, cell, label) {
    const [x, y, w, h] = this.turn.rect(zone.cells[cell]);
    const [pw, ph] = this.sized(zone, Math.min(w, h) < 20 ? 1 : FULL);
    const scale = zone.kind === "grid" && !this.isFigure(zone) ? 1 : 0.92;
    const fit = this.isFigure(zone) ? [w * 0.74, h * 0.74] : [Math.min(pw, w * scale), Math.min(ph, h * scale)];
    const node = this.at(x + w / 2, y + h / 2, label, fit[0], fit[1], zone);
    node.dataset.spot = cell;
    return node;
  }

  isFigure(zone) {
    const labels = this.scene.layout.pieces?.[zone.holds]?.labels ?? [];
    return labels.length > 0 && labels.every((label) => label in this.letters || isFigure(this.look(zone, label)));
  }

  look(zone, label) {
    return this.scene.layout.pieces?.[zone.holds]?.looks?.[label] ?? label;
  }

  at(x, y, label, w, h, zone) {
    const node = piece(label, w, h, this.scene.layout, {
      look: this.look(zone, label.replace(/ x\d+$/, "")),
      round: zone.round,
      dice: zone.kind === "dice",
      letters: this.letters,
    });
    node.setAttribute("transform", `translate(${x} ${y})`);
    node.dataset.spot = label;
    return node;
  }

  sized(zone, factor) {
    const [w, h] = this.scene.layout.pieces?.[zone.holds]?.size ?? [25, 25];
    return [w * factor, h * factor];
  }

  // Nobody says where loose pieces lie, so they are laid in rows, as large as they fit.
  loose(zone, box, count) {
    const [x, y, w, h] = box;
    const labels = Object.entries(count).flatMap(([label, number]) => Array(number).fill(label));
    if (!labels.length) return null;
    const [pw, ph] = this.sized(zone, 1);
    const { columns, scale } = packed(labels.length, w, h, pw * 1.14, ph * 1.14, FULL);
    const [stepX, stepY] = [pw * 1.14 * scale, ph * 1.14 * scale];
    const rows = Math.ceil(labels.length / columns);
    const [left, top] = [x + (w - Math.min(columns, labels.length) * stepX) / 2, y + (h - rows * stepY) / 2];
    return labels.map((label, i) => {
      const [column, row] = [i % columns, Math.floor(i / columns)];
      return this.at(left + (column + 0.5) * stepX, top + (row + 0.5) * stepY, label, pw * scale, ph * scale, zone);
    });
  }

  // Many alike: one of them, and the number.
  counted(zone, box, count) {
    const [x, y, w, h] = box;
    const kinds = Object.entries(count);
    const step = h / Math.max(kinds.length, 1);
    return kinds.map(([label, number], i) => {
      const size = Math.min(step * 0.8, w * 0.4);
      const middle = y + (i + 0.5) * step;
      return [
        this.at(x + w * 0.3, middle, label, size, size, zone),
        text(
          number,
          x + w * 0.72,
          middle,
          Math.min(size * 0.75, ((w * 0.5) / String(number).length) * 1.4),
          null,
          "count",
        ),
      ];
    });
  }

  onTrack(zone, fields) {
    return [...grouped(fields)].map(([field, markers]) => {
      const [x, y, w, h] = this.turn.rect(zone.cells[field] ?? [0, 0, 0, 0]);
      const size = Math.min(w, h) / Math.max(1, Math.ceil(Math.sqrt(markers.length)));
      return markers.map(([label], i) =>
        this.at(x + size * (0.5 + (i % 2)), y + size * (0.5 + Math.floor(i / 2)), label, size * 0.9, size * 0.9, zone),
      );
    });
  }

  dial({ centre, radius, sectors }, value) {
    const [cx, cy] = this.turn.point(...centre);
    const spun = this.turn.quarter * 90;
    const at = (angle, r) => [
      cx + r * Math.sin(((angle + spun) * Math.PI) / 180),
      cy - r * Math.cos(((angle + spun) * Math.PI) / 180),
    ];
    const aim = sectors.find((sector) => sector.value === value);
    const wedges = sectors.map((sector) => {
      const [[x1, y1], [x2, y2]] = [at(sector.start, radius), at(sector.end, radius)];
      const large = (sector.end - sector.start + 360) % 360 > 180 ? 1 : 0;
      const middle = at((sector.start + sector.end) / 2, radius * 0.68);
      return [
        svg("path", {
          class: `sector ${sector === aim ? "aim" : ""}`,
          d: `M${cx} ${cy}L${x1} ${y1}A${radius} ${radius} 0 ${large} 1 ${x2} ${y2}z`,
        }),
        text(sector.value, middle[0], middle[1], radius * 0.36, null, "count"),
      ];
    });
    if (!aim) return wedges;
    const angle = (aim.start + aim.end) / 2;
    const [tip, left, right] = [
      at(angle, radius * 0.44),
      at(angle + 150, radius * 0.18),
      at(angle - 150, radius * 0.18),
    ];
    return [wedges, svg("path", { class: "arrow", d: `M${tip}L${left}L${right}z` })];
  }

  changes() {
    return Object.entries(this.scene.changed ?? {}).flatMap(([zone, cells]) => {
      if (!cells.length) return this.boxes[zone] ? [rect(grown(this.boxes[zone], 1), "changed all")] : [];
      const spots = cells.map((cell) => this.spot({ zone, cell }));
      return spots.filter(Boolean).map((box) => rect(grown(box, 1), "changed"));
    });
  }

  /** @param {{zone?: string, cell?: string}} [place] */
  spot({ zone, cell } = {}) {
    const cells = this.scene.layout.zones[zone]?.cells;
    if (cell && cells?.[cell]) return this.turn.rect(cells[cell]);
    return (
      this.boxes[zone] ?? (this.scene.layout.zones[zone]?.rect && this.turn.rect(this.scene.layout.zones[zone].rect))
    );
  }

  /** @param {Mark} mark */
  marked({ to, ...from }) {
    const [a, b] = [this.spot(from), to && this.spot(to)];
    const boxes = [a && rect(grown(a, 5), "question-mark"), b && rect(grown(b, 5), "question-mark to")];
    if (!a || !b) return boxes;
    const [x1, y1, x2, y2] = [a[0] + a[2] / 2, a[1] + a[3] / 2, b[0] + b[2] / 2, b[1] + b[3] / 2];
    return [boxes, arrow(x1, y1, x2, y2)];
  }
}

/** The line between the middles of two boxes, so far aside. */
function beside({ from, to }, aside) {
  const [a, b] = [from, to].map(([x, y, width, height]) => [x + width / 2, y + height / 2]);
  const [right, down] = [b[0] - a[0], b[1] - a[1]];
  const long = Math.hypot(right, down) || 1;
  /** @param {number[]} point */
  const moved = ([x, y]) => [x - (down / long) * aside, y + (right / long) * aside];
  return { a: moved(a), b: moved(b) };
}

/** The share of a line from a box's middle that lies within the box.
    @param {number[]} box
    @param {number[]} a
    @param {number[]} b */
function within([, , width, height], a, b) {
  return Math.min(width / 2 / (Math.abs(b[0] - a[0]) || 1), height / 2 / (Math.abs(b[1] - a[1]) || 1), 0.5);
}

/** @param {number[]} box */
function sides([x, y, width, height]) {
  return { x, y, width, height };
}

/** Several pieces of which no two are alike: then each is worth more than its number. */
function allDifferent(count) {
  const numbers = Object.values(count);
  return numbers.length > 1 && numbers.every((number) => number === 1);
}

function grouped(fields) {
  const found = new Map();
  for (const entry of Object.entries(fields)) {
    const key = String(entry[1]);
    found.set(key, [...(found.get(key) ?? []), entry]);
  }
  return found;
}

function around(boxes) {
  return grown(boxes.length ? hull(boxes) : [0, 0, 100, 60], MARGIN);
}

/** @param {Seat[]} seats
    @param {Layout} layout */
export function lettersByColour(seats, layout) {
  const found = letters(seats, layout);
  return Object.fromEntries(seats.map((seat, i) => [seat.colour, found[i]]));
}

/** What lies in a zone, in words.
    @param {Contents} contents
    @param {Layout} layout */
export function inWords(contents, layout) {
  return things(contents, layout)
    .map(([, words]) => words)
    .join(", ");
}

/** What lies in a zone, one by one: its spot, and its words.
    @param {Contents} contents
    @param {Layout} layout */
export function things(contents, layout) {
  switch (contents?.type) {
    case "cells": {
      const filled = Object.entries(contents.at).filter(([, label]) => label);
      return filled.map(([cell, label]) => [cell, `${cell}: ${labelWord(label, layout)}`]);
    }
    case "pieces":
      return Object.entries(contents.count)
        .filter(([, number]) => number)
        .map(([label, number]) => [label, `${number} × ${labelWord(label, layout)}`]);
    case "marks":
      return Object.entries(contents.field).map(([label, field]) => [label, `${labelWord(label, layout)}: ${field}`]);
    case "pointing":
      return contents.value === null ? [] : [["", String(contents.value)]];
    default:
      return [];
  }
}

/** What lies in one spot of a zone, in words.
    @param {Contents} contents
    @param {string} spot
    @param {Layout} layout */
export function wordsAt(contents, spot, layout) {
  const label = contents?.type === "cells" ? contents.at[spot] : contents?.count?.[spot] ? spot : "";
  return label ? labelWord(label, layout) : "";
}

/** A zone's name.
    @param {Layout} layout */
export function zoneName(name, layout) {
  return both(layout?.zones[name]?.says) || name;
}
