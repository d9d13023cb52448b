// A round board: segments around a middle, spaces and plots where they lie, arrows that lead from space to space.

import { svg } from "../core/dom.js";
import { paint } from "../core/seats.js";
import { zoneName } from "./map.js";
import { figure, letterFor, lookOf, meaning, numbered, signPath } from "./tokens.js";

const SPACE = 14; // px that a space has around its middle

/** The drawing, as wide as there is room.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function ringPart(part, ctx, room) {
  const size = Math.min(room.width, room.tall ?? room.high ?? room.width, 460);
  const { zones } = ctx.layout;
  const board = boardOf(part, zones);
  const r = size / 2;
  /** @param {number[]} box */
  const turned = ([x, y, w, h]) => {
    const [right, down] = [x + w / 2 - board.x, y + h / 2 - board.y];
    return { angle: Math.atan2(right, -down), far: Math.hypot(right, down) };
  };
  const put = ({ angle }, far) => [far * Math.sin(angle), -far * Math.cos(angle)];
  /** @type {[string, {angle: number, far: number}][]} */
  const cells = Object.entries(zones[part.path].cells).map(([name, box]) => [name, turned(box)]);
  const [near, far] = [Math.min, Math.max].map((of) => of(...cells.map(([, place]) => place.far)));
  const path = (place) => r * (far > near ? 0.53 + (0.23 * (place.far - near)) / (far - near) : 0.7);
  const spaces = new Map(cells.map(([name, place]) => [name, put(place, path(place))]));
  const names = printed(part, ctx, [...spaces.keys()]);
  const segments = part.segments ? Object.keys(zones[part.segments].cells) : [];
  return svg(
    "svg",
    { class: "ring-board", viewBox: `${-r} ${-r} ${size} ${size}`, width: size, height: size, role: "group" },
    segments.map((_, i) => wedge(i, segments.length, r - 2)),
    arrows(part.links ?? [], spaces),
    rings(part, ctx, turned, r * 0.39),
    [...spaces].map(([name, place]) => space(part, name, names[name], place, ctx)),
    part.plots && Object.entries(zones[part.plots].cells).map(([name, box]) => plot(part, name, put(turned(box), r - 14), ctx)),
  );
}

/** @param {ResolvedPart} part */
function boardOf(part, zones) {
  const cells = [part.path, part.plots].filter(Boolean).flatMap((zone) => Object.values(zones[zone].cells));
  const middles = cells.map(([x, y, w, h]) => [x + w / 2, y + h / 2]);
  const [left, right] = [Math.min(...middles.map(([x]) => x)), Math.max(...middles.map(([x]) => x))];
  const [top, bottom] = [Math.min(...middles.map(([, y]) => y)), Math.max(...middles.map(([, y]) => y))];
  const hub = part.middle && zones[part.middle].area;
  const [x, y] = hub ? [hub[0] + hub[2] / 2, hub[1] + hub[3] / 2] : [(left + right) / 2, (top + bottom) / 2];
  return { x, y };
}

/** "segment 5-6" prints 5 and 6 on the outer spaces of the segment; those between have no number.
    @param {ResolvedPart} part
    @param {Context} ctx */
function printed(part, ctx, spaces) {
  const segments = part.segments ? Object.values(ctx.view[part.segments]?.at ?? {}) : [];
  const each = segments.length ? spaces.length / segments.length : 0;
  return Object.fromEntries(
    spaces.map((name, i) => {
      const numbers = /(\d+)-(\d+)$/.exec(segments[Math.floor(i / each)] ?? "");
      if (!numbers) return [name, segments.length ? "" : name];
      const place = i % each;
      return [name, place === 0 ? numbers[1] : place === each - 1 ? numbers[2] : ""];
    }),
  );
}

function point(angle, r) {
  const turn = (angle * Math.PI) / 180;
  return `${(r * Math.sin(turn)).toFixed(1)} ${(-r * Math.cos(turn)).toFixed(1)}`;
}

function wedge(i, number, r) {
  const step = 360 / number;
  return svg("path", { class: `ring-segment tint-${i % 5}`, d: `M0 0L${point((i - 0.5) * step, r)}A${r} ${r} 0 0 1 ${point((i + 0.5) * step, r)}z` });
}

function arrows(links, spaces) {
  return links
    .filter(([a, b]) => spaces.has(a) && spaces.has(b))
    .map(([a, b]) => {
      const [[x1, y1], [x2, y2]] = [spaces.get(a), spaces.get(b)];
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [mx, my] = [x1 + (x2 - x1) * 0.5, y1 + (y2 - y1) * 0.5];
      const head = (side) => `L${mx - ux * 5 + side * uy * 5} ${my - uy * 5 - side * ux * 5}`;
      return [
        svg("path", { class: "ring-way", d: `M${x1} ${y1}L${x2} ${y2}` }),
        svg("path", { class: "ring-arrow", d: `M${mx + ux * 5} ${my + uy * 5}${head(1)}${head(-1)}z` }),
      ];
    });
}

/** What stands around the middle, as small figures; the whole middle is one place to tap.
    @param {ResolvedPart} part
    @param {Context} ctx */
function rings(part, ctx, turned, r) {
  if (!part.rings.length && !part.middle) return null;
  const zones = [...part.rings, part.middle].filter(Boolean);
  const places = new Map(part.rings.map((zone) => [zone, turned(ctx.layout.zones[zone].area)]));
  const radii = [...new Set([...places.values()].map(({ far }) => Math.round(far)))].sort((a, b) => b - a);
  const number = radii.length ? part.rings.length / radii.length : 0;
  const radius = (zone) => r * (radii.length > 1 && Math.round(places.get(zone).far) === radii.at(-1) ? 0.44 : 0.79);
  const hub = Math.max(12, r * 0.25);
  const says = zones.filter((zone) => Object.values(ctx.view[zone].count ?? {}).some(Boolean)).map((zone) => `${zoneName(zone, ctx.layout)}: ${Object.entries(ctx.view[zone].count).map(([label, count]) => `${count} × ${ctx.plain(label)}`).join(", ")}`);
  const node = svg(
    "g",
    { class: "ring-castle" },
    svg("circle", { class: "castle-ground", r }),
    radii.length > 1 && svg("circle", { class: "castle-line", r: r * 0.61 }),
    Array.from({ length: number }, (_, i) => svg("path", { class: "castle-line", d: `M${point((i + 0.5) * (360 / number), hub)}L${point((i + 0.5) * (360 / number), r)}` })),
    svg("circle", { class: "castle-hub", r: hub }),
    svg("g", { transform: `scale(${(hub / 17).toFixed(2)})` }, signPath(lookOf("castle"), "#5c4410")),
    part.rings.map((zone) => standing(zone, places.get(zone).angle, radius(zone), (2 * Math.PI) / number, ctx)),
    part.middle && standing(part.middle, 0, 0, 2 * Math.PI, ctx),
    svg("circle", { class: "plate-ring", r }),
  );
  return ctx.target(node, { zone: zones[0], spot: "", also: zones, whole: true, says: says.join("; ") || zoneName(zones.at(-1), ctx.layout) });
}

/** Along the arc of their ring, as far apart as its section has room.
    @param {string} zone
    @param {Context} ctx */
function standing(zone, angle, far, room, ctx) {
  const here = Object.entries(ctx.view[zone].count ?? {}).filter(([, number]) => number);
  const step = far ? Math.min(19 / far, (room * 0.94) / here.length) : 0;
  const crowded = here.length > 1 && step * far < 17;
  return here.map(([label, number], i) => {
    const said = meaning(label, ctx, zone);
    const turn = angle + (i - (here.length - 1) / 2) * step;
    const [x, y] = far ? [far * Math.sin(turn), -far * Math.cos(turn)] : [(i - (here.length - 1) / 2) * 17, 0];
    const drawn = number > 1 || crowded ? numbered(said.colour, number, 19) : disc(said, letterFor(label, zone, ctx));
    return svg("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, drawn);
  });
}

/** @param {Meaning} said */
function disc({ colour }, letter) {
  const { fill, ink } = paint(colour);
  return svg("g", { class: "figure" }, svg("circle", { class: "figure-shape", r: 9.5, fill }), svg("text", { class: "castle-letter", y: 4.4, fill: ink }, letter));
}

/** @param {ResolvedPart} part
    @param {Context} ctx */
function space(part, name, number, place, ctx) {
  const [x, y] = place;
  const field = ctx.view[part.path].field ?? {};
  const here = Object.keys(field).filter((label) => String(field[label]) === name);
  const changed = part.path in ctx.changed && here.includes(ctx.mover);
  const node = svg(
    "g",
    { class: "ring-space", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    svg("circle", { class: "reach", r: 22 }),
    svg("circle", { class: "space-ground", r: SPACE }),
    here.length === 0 && number && svg("text", { class: "space-number", y: 5 }, number),
    here.map((label, i) => svg("g", { transform: `translate(${(i - (here.length - 1) / 2) * 17} 0)` }, figure(meaning(label, ctx, part.path), part.path, ctx, here.length > 1 ? 25 : 30))),
    here.length > 0 && number && numberBeside(number, x, y, here.length > 1 ? 27 : 16),
    svg("circle", { class: "plate-ring", r: SPACE + 3 }),
  );
  const who = here.map((label) => ctx.plain(label)).join(", ") || ctx.plainNothing;
  ctx.target(node, { zone: part.path, spot: name, says: `${number || zoneName(part.path, ctx.layout)} · ${who}` });
  node.classList.toggle("is-changed", changed);
  return node;
}

// Towards the middle of the board, where no plot is.
function numberBeside(number, x, y, off) {
  const far = Math.hypot(x, y) || 1;
  const low = y < 0 ? 5 : 0; // letters stand below the middle of their shapes
  return svg("g", { transform: `translate(${((-x / far) * off).toFixed(1)} ${((-y / far) * (off + low)).toFixed(1)})` }, svg("rect", { class: "times-ground", x: -10, y: -7.5, width: 20, height: 15, rx: 7.5 }), svg("text", { class: "times-number", y: 4.3 }, number));
}

/** @param {ResolvedPart} part
    @param {Context} ctx */
function plot(part, name, place, ctx) {
  const [x, y] = place;
  const label = ctx.view[part.plots].at[name];
  const said = label && meaning(label, ctx, part.plots);
  const colours = said && paint(said.colour);
  const node = svg(
    "g",
    { class: `ring-plot ${said ? "built" : ""}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    svg("rect", { class: "plot-ground", x: said ? -14 : -6, y: said ? -10 : -6, width: said ? 28 : 12, height: said ? 20 : 12, rx: said ? 5 : 4, style: said ? { fill: colours.fill } : null }),
    said && svg("g", { transform: "translate(-6.5 0) scale(0.52)" }, signPath(lookOf(said.tile) ?? lookOf("village"), colours.ink)),
    said && svg("text", { class: "castle-letter", x: 7, y: 4.4, fill: colours.ink }, letterFor(label, part.plots, ctx)),
    svg("rect", { class: "plate-ring", x: -16, y: -12, width: 32, height: 24, rx: 6 }),
  );
  const changed = ctx.changed[part.plots]?.includes(name);
  node.classList.toggle("is-changed", Boolean(changed));
  node.dataset.zone = part.plots;
  node.dataset.spot = name;
  return node;
}
