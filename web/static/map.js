// The table from above, as the companion understands it: zones and pieces drawn from the layout and the view.

import { h, svg } from "./dom.js";
import { arrow, facing, grown, hull, packed, rect, turning } from "./geometry.js";
import { isFigure, labelWord, piece, text } from "./pieces.js";
import { letters, paint } from "./seats.js";
import { both, t } from "./words.js";
import { Window } from "./zoom.js";

const MARGIN = 12; // mm around what is drawn
const NAMES = 1.6; // so much larger than they are printed names are written
const FULL = 1.7; // so much larger than life loose pieces are drawn where there is room

/** The table's drawing. `draw(scene)` shows {layout, view, seats, changed, actor, me, marks, quarter}; a tap on a zone
    calls `tapped(name)`. Marks: [{zone, cell, to: {zone, cell}}], the pieces in question. */
export class TableMap {
  constructor({ tapped = () => {}, still = false } = {}) {
    this.root = svg("svg", { class: "map", role: "img", preserveAspectRatio: "xMidYMid meet" });
    this.node = h("div", { class: "map-frame" }, this.root);
    this.window = still ? null : new Window(this.root, this.node);
    this.root.addEventListener("click", (event) => {
      if (this.window?.moved) return;
      const zone = event.target.closest("[data-zone]");
      tapped(zone ? zone.dataset.zone : null);
    });
  }

  draw(scene) {
    const { layout, view } = scene;
    if (!layout || !view) return;
    this.scene = scene;
    this.turn = turning(layout.area, scene.quarter ?? facing(layout, scene.me));
    this.letters = lettersByColour(scene.seats, layout);
    const shown = Object.keys(layout.zones).filter((name) => name in view);
    this.boxes = Object.fromEntries(shown.map((name) => [name, this.box(name)]));
    const whole = around(Object.values(this.boxes));
    this.root.replaceChildren(
      svg("g", { class: "boards" }, this.boards(layout.drawing ?? [])),
      svg(
        "g",
        {},
        shown.map((name) => this.zone(name)),
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

  /** Move in on a zone. */
  near(name) {
    if (this.window && this.boxes?.[name]) this.window.near(grown(this.boxes[name], 24));
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
            rect(this.turn.rect(zone.cells[cell]), "place", zone.cells[cell][4]),
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

  fieldName(box, name) {
    const [x, y, w, h] = this.turn.rect(box);
    return text(name, x + w / 2, y + h / 2, Math.min(w, h) * 0.42, null, "field-name");
  }

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
    return this.at(x + w / 2, y + h / 2, label, fit[0], fit[1], zone);
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
    return node;
  }

  sized(zone, factor) {
    const [w, h] = this.scene.layout.pieces?.[zone.holds]?.size ?? [25, 25];
    return [w * factor, h * factor];
  }

  // Nobody says where loose pieces lie, so they are laid in rows, as large as they fit.
  loose(zone, [x, y, w, h], count) {
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
  counted(zone, [x, y, w, h], count) {
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

  spot({ zone, cell } = {}) {
    const cells = this.scene.layout.zones[zone]?.cells;
    if (cell && cells?.[cell]) return this.turn.rect(cells[cell]);
    return (
      this.boxes[zone] ?? (this.scene.layout.zones[zone]?.rect && this.turn.rect(this.scene.layout.zones[zone].rect))
    );
  }

  marked({ to, ...from }) {
    const [a, b] = [this.spot(from), to && this.spot(to)];
    const boxes = [a && rect(grown(a, 5), "question-mark"), b && rect(grown(b, 5), "question-mark to")];
    if (!a || !b) return boxes;
    const [x1, y1, x2, y2] = [a[0] + a[2] / 2, a[1] + a[3] / 2, b[0] + b[2] / 2, b[1] + b[3] / 2];
    return [boxes, arrow(x1, y1, x2, y2)];
  }
}

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

export function lettersByColour(seats, layout) {
  const found = letters(seats, layout);
  return Object.fromEntries(seats.map((seat, i) => [seat.colour, found[i]]));
}

/** What lies in a zone, in words. */
export function inWords(contents, layout) {
  switch (contents?.type) {
    case "cells": {
      const filled = Object.entries(contents.at).filter(([, label]) => label);
      return filled.map(([cell, label]) => `${cell}: ${labelWord(label, layout)}`).join(", ");
    }
    case "pieces":
      return Object.entries(contents.count)
        .filter(([, number]) => number)
        .map(([label, number]) => `${number} × ${labelWord(label, layout)}`)
        .join(", ");
    case "marks":
      return Object.entries(contents.field)
        .map(([label, field]) => `${labelWord(label, layout)}: ${field}`)
        .join(", ");
    case "pointing":
      return contents.value === null ? "" : String(contents.value);
    default:
      return "";
  }
}

/** A zone's name. */
export function zoneName(name, layout) {
  return both(layout?.zones[name]?.says) || name;
}
