// Places and the roads between them: plates in columns, roads below, a tint for each group, names above the plates.

import { svg } from "../core/dom.js";
import { both } from "../core/words.js";
import { zoneName } from "./map.js";
import { textWidth, within } from "./names.js";
import { badgeGroup, dieGroup, figure, known, letterFor, lookOf, meaning, numbered, signPath } from "./tokens.js";

const NAME = 16; // px above or below a plate
const PLATE = 46;
const TALL = 62; // px of a plate with two rows of pieces
const LOW = 30; // px of a plate without anything: with its name it is still as high as a thumb
const SMALL = 44; // px of a place on a road
const GAP = 6;
const HEAD = 30; // px for the names of groups
const MOST = 3; // pieces side by side
const FIGURE = 21; // px of each of several pieces
const MANY = 6; // pieces in two rows; more are counted by seat
const FONT = 12.5;
const CROWDED = 0.76; // of its natural width: a name that would be narrower gets the room of its neighbours

/** {node, shares}: the drawing, and how many columns each group takes.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function graphPart(part, ctx, room) {
  const groups = Object.entries(part.groups ?? {});
  const columns = arranged(part, ctx);
  const wide = room.width / columns.length;
  const head = groups.length ? HEAD : 2;
  const staggered = inRows(columns, ctx) && crowded(part, ctx, wide);
  const { at, bottom } = heights(columns, ctx, wide, room, head, sizes(part, ctx, columns, wide, staggered));
  const height = bottom + 4;
  const bands = banded(groups, columns, part, wide);
  const line = (a, b) => `M${a.x} ${a.y + a.plate / 2}L${b.x} ${b.y + b.plate / 2}`;
  const node = svg(
    "svg",
    { class: "graph", viewBox: `0 0 ${room.width} ${height}`, width: room.width, height, role: "group" },
    bands.map(({ x, width, index }) => svg("rect", { class: `band tint-${index % 5}`, x, y: 0, width, height, rx: 8 })),
    roads(at, ctx).map(([a, b]) => svg("path", { class: "graph-road", d: line(a, b) })),
    (ctx.links ?? []).filter(({ one, other }) => at.has(one) && at.has(other)).map(({ one, other }) => svg("path", { class: "graph-link", d: line(at.get(one), at.get(other)) })),
    bands.map((band) => bandHead(band, part, ctx)),
    [...at].map(([zone, place]) => plate(zone, place, { wide, whole: room.width, staggered }, part, ctx)),
  );
  return { node, shares: bands.map(({ width }) => Math.round(width)) };
}

/** Whether names side by side would have to be narrower than one likes to read: then every other column has them below.
    @param {ResolvedPart} part
    @param {Context} ctx */
function crowded(part, ctx, wide) {
  const lead = part.badges ? 15 : 0;
  const names = part.nodes.filter((zone) => !part.unnamed?.includes(zone)).map((zone) => zoneName(zone, ctx.layout).slice(lead ? 1 : 0));
  return names.some((name) => (wide - lead - 2) / textWidth(name, "500 12px") < CROWDED);
}

/** Where the middle of a place is on the table, from above.
    @param {Context} ctx */
function down(zone, ctx) {
  const [, top, , high] = ctx.layout.zones[zone].area;
  return top + high / 2;
}

/** Whether the places stand in rows across the columns.
    @param {Context} ctx */
function inRows(columns, ctx) {
  const rows = new Set(columns.flat().map((zone) => down(zone, ctx)));
  return rows.size <= 6 && [...rows].every((row) => columns.filter((column) => column.some((zone) => down(zone, ctx) === row)).length > 2);
}

/** How high the plate of a zone is, and its name above or below.
    @param {ResolvedPart} part
    @param {Context} ctx */
function sizes(part, ctx, columns, wide, staggered) {
  const quiet = new Set(part.unnamed ?? []);
  const below = new Set(staggered ? columns.filter((_, i) => i % 2).flat() : []);
  return (zone) => {
    if (quiet.has(zone)) return { plate: SMALL, above: 0, below: 0 };
    const figures = piecesOf(zone, part, ctx).length;
    const plate = figures > sideBySide(piecesOf(zone, part, ctx), wide - 6, ctx) ? TALL : figures || extraOf(zone, part, ctx).length ? PLATE : LOW;
    return below.has(zone) ? { plate, above: 0, below: NAME } : { plate, above: NAME, below: 0 };
  };
}

/** Columns as declared, else by where the places lie from left to right.
    @param {ResolvedPart} part
    @param {Context} ctx */
function arranged(part, ctx) {
  const named = new Map(part.nodes.map((zone) => [zone.slice(zone.indexOf(" ") + 1), zone]));
  const declared = (part.columns ?? []).map((names) => names.map((name) => named.get(name)).filter(Boolean)).filter((one) => one.length);
  if (declared.flat().length === part.nodes.length) return declared;
  const found = [];
  const middle = (zone) => ctx.layout.zones[zone].area[0] + ctx.layout.zones[zone].area[2] / 2;
  const width = Math.max(...part.nodes.map((zone) => ctx.layout.zones[zone].area[2]));
  for (const zone of [...part.nodes].sort((a, b) => middle(a) - middle(b))) {
    const last = found.at(-1);
    if (last && middle(zone) - middle(last[0]) < width * 0.8) last.push(zone);
    else found.push([zone]);
  }
  return found;
}

/** As on the table from top to bottom, but moved apart until no name is covered.
    @param {Context} ctx */
function heights(columns, ctx, wide, room, head, size) {
  const y = (zone) => down(zone, ctx);
  const all = columns.flat();
  const rows = [...new Set(all.map(y))].sort((a, b) => a - b);
  const even = inRows(columns, ctx);
  const inRow = new Map(rows.map((one) => [one, highest(all.filter((zone) => y(zone) === one).map(size))]));
  const sized = (zone) => (even && size(zone).plate !== SMALL ? { ...size(zone), plate: inRow.get(y(zone)).plate } : size(zone));
  const need = (zone) => sized(zone).above + sized(zone).plate + sized(zone).below + GAP;
  const least = Math.max(...columns.map((column) => column.reduce((sum, zone) => sum + need(zone), 0)));
  const ofRow = (one) => inRow.get(one).above + inRow.get(one).plate + inRow.get(one).below + GAP;
  const evenly = rows.reduce((sum, one) => sum + ofRow(one), 0);
  const wanted = even ? evenly : least;
  const fit = room.tall ? Math.max(wanted, Math.min(room.tall - head - 4, wanted * 1.35)) : wanted;
  const spare = (fit - evenly) / Math.max(1, rows.length - 1);
  const from = new Map(rows.map((one, i) => [one, rows.slice(0, i).reduce((sum, before) => sum + ofRow(before) + spare, 0) + inRow.get(one).above]));
  const [top, low] = [rows[0], rows.at(-1)];
  const at = new Map();
  columns.forEach((column, i) => {
    const sorted = [...column].sort((a, b) => y(a) - y(b));
    const wish = sorted.map((zone) => head + (even ? from.get(y(zone)) - sized(zone).above : ((y(zone) - top) / (low - top || 1)) * (fit - need(zone))));
    for (let j = 1; j < wish.length; j++) wish[j] = Math.max(wish[j], wish[j - 1] + need(sorted[j - 1]));
    for (let j = wish.length - 1; j >= 0; j--) wish[j] = Math.min(wish[j], (j === wish.length - 1 ? head + fit : wish[j + 1]) - need(sorted[j]));
    sorted.forEach((zone, j) => at.set(zone, { ...sized(zone), x: (i + 0.5) * wide, y: wish[j] + sized(zone).above }));
  });
  return { at, bottom: head + fit };
}

/** The room that plates in one row need together. */
function highest(list) {
  const most = (what) => Math.max(...list.map((one) => one[what]));
  return { above: most("above"), plate: most("plate"), below: most("below") };
}

/** @param {ResolvedPart} part */
function banded(groups, columns, part, wide) {
  return groups.map(([group, names], index) => {
    const own = columns.map((column, i) => (column.some((zone) => names.includes(zone.slice(zone.indexOf(" ") + 1))) ? i : -1)).filter((i) => i >= 0);
    return { group, index, x: own[0] * wide, width: (own.at(-1) - own[0] + 1) * wide };
  });
}

/** @param {{group: string, x: number, width: number}} band
    @param {ResolvedPart} part
    @param {Context} ctx */
function bandHead({ group, x, width }, part, ctx) {
  const words = both(part.titles?.[group]) || group;
  const label = part.honours && ctx.view[part.honours]?.at?.[group];
  const { width: _, ...look } = within(words, width - (label ? 48 : 10), 15);
  return svg(
    "g",
    {},
    svg("g", { class: "band-name" }, svg("text", { ...look, x: x + 6, y: 20 }, words)),
    label && svg("g", { transform: `translate(${x + width - 20} 15)` }, prize(label, ctx, part.honours)),
  );
}

/** @param {string} label
    @param {Context} ctx
    @param {string} zone */
function prize(label, ctx, zone) {
  const said = meaning(label, ctx, zone);
  return [
    svg("rect", { class: "prize", x: -18, y: -11, width: 36, height: 22, rx: 5 }),
    svg("g", { transform: "translate(-8 0) scale(0.6)" }, signPath(lookOf("star"), "#7d5a00")),
    svg("text", { class: "prize-number", x: 9, y: 4.5 }, said.number ?? ctx.layout.printed?.[label] ?? ""),
  ];
}

/** @param {Context} ctx */
function roads(at, ctx) {
  const found = (ctx.layout.drawing ?? []).flatMap(({ roads: lines }) => lines ?? []);
  return found.filter(([a, b]) => at.has(a) && at.has(b)).map(([a, b]) => [at.get(a), at.get(b)]);
}

/** @param {string} zone
    @param {{x: number, y: number, plate: number, above: number, below: number}} at
    @param {{wide: number, whole: number, staggered: boolean}} room
    @param {ResolvedPart} part
    @param {Context} ctx */
function plate(zone, { x, y, plate: high, above, below }, { wide, whole, staggered }, part, ctx) {
  const width = Math.max(44, wide - 6);
  const name = zoneName(zone, ctx.layout);
  const short = shortOf(zone);
  const metal = part.badges ? ctx.layout.printed?.[zone] : null;
  const extra = extraOf(zone, part, ctx);
  const pieces = Object.entries(ctx.view[zone].count ?? {}).filter(([, number]) => number);
  const says = `${name} · ${[...pieces.map(([label, number]) => `${number} × ${ctx.plain(label)}`), ...extra.map(({ label }) => ctx.plain(label))].join(", ") || ctx.plainNothing}`;
  const ground = { x: -width / 2, y: 0, width, height: high, rx: 7 };
  const free = staggered ? { most: 2 * wide - 4, left: -x + 1, right: whole - x - 1 } : { most: wide - 1, left: -wide / 2, right: wide / 2 };
  const node = svg(
    "g",
    { class: `plate ${above || below ? "" : "on-road"}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    svg("rect", { class: "reach", x: -width / 2, y: -above + 1, width, height: high + above + below }),
    svg("rect", { class: "plate-ground", ...ground }),
    (above || below) > 0 && nameOf(name, metal, free, below ? high + 12 : -4),
    contents(zone, part, width, high, ctx),
    svg("rect", { class: "plate-ring", ...ground }),
  );
  return ctx.target(node, { zone, spot: "", says, whole: true, also: extra.map(({ zone: other }) => other).filter((other) => ctx.changed[other]?.some((cell) => cell === short || cell.startsWith(`${short} `))) });
}

const shortOf = (zone) => zone.slice(zone.indexOf(" ") + 1);

/** @param {string} zone
    @param {ResolvedPart} part
    @param {Context} ctx */
function extraOf(zone, part, ctx) {
  return part.beside.flatMap((other) => besideOf(other, shortOf(zone), ctx));
}

/** The figures of a place, whatever zone they belong to: [said, zone], each by itself.
    @param {string} zone
    @param {ResolvedPart} part
    @param {Context} ctx */
function piecesOf(zone, part, ctx) {
  const own = Object.entries(ctx.view[zone].count ?? {}).flatMap(([label, number]) => Array(number).fill([meaning(label, ctx, zone), zone]));
  return own.concat(extraOf(zone, part, ctx).map(({ zone: from, label }) => /** @type {[Meaning, string]} */ ([meaning(label, ctx, from), from])).filter(([said]) => said.figure));
}

/** @param {string} zone
    @param {Context} ctx */
function besideOf(zone, short, ctx) {
  return Object.entries(ctx.view[zone]?.at ?? {})
    .filter(([cell, label]) => label && (cell === short || (cell.startsWith(`${short} `) && /^\d+$/.test(cell.slice(short.length + 1)))))
    .map(([, label]) => ({ zone, label }));
}

// The initial is on the badge that permits show, the rest beside it; a long name is drawn a little closer together.
function nameOf(name, metal, { most, left: from, right }, y) {
  const lead = metal ? 16 : 0;
  const { width, ...look } = within(metal ? name.slice(1) : name, most - lead, FONT);
  const left = Math.max(from, Math.min(right - lead - width, -(lead + width) / 2));
  return svg(
    "g",
    { class: "plate-name" },
    metal && svg("g", { transform: `translate(${left + 7.5} ${y - 4})` }, badgeGroup(name[0], metal, 16)),
    svg("text", { ...look, x: left + lead, y }, metal ? name.slice(1) : name),
  );
}

/** @param {string} zone
    @param {ResolvedPart} part
    @param {Context} ctx */
function contents(zone, part, width, high, ctx) {
  const figures = piecesOf(zone, part, ctx);
  const tiles = extraOf(zone, part, ctx).map(({ zone: from, label }) => /** @type {[Meaning, string]} */ ([meaning(label, ctx, from), from])).filter(([said]) => !said.figure);
  const middle = tiles.length ? (high - 18) / 2 : high / 2;
  return [
    figures.length > MANY ? bySeat(figures, width, middle) : rowsOf(figures, width, middle, high > PLATE, ctx),
    tiles.length > 0 && gainsRow(tiles, width, figures.length ? high - 11 : high / 2, ctx),
  ];
}

/** So many figures in a row that their letters stand apart.
    @param {[Meaning, string][]} figures
    @param {Context} ctx */
function sideBySide(figures, width, ctx) {
  const letters = Math.max(0, ...figures.map(([said, zone]) => letterFor(said.label, zone, ctx).length));
  return Math.min(MOST, 1 + Math.floor((width - FIGURE) / (letters > 1 ? 17 : 14)));
}

/** @param {Context} ctx */
function rowsOf(figures, width, middle, tall, ctx) {
  const rows = figures.length > (tall ? 2 : sideBySide(figures, width, ctx)) ? [figures.slice(0, Math.ceil(figures.length / 2)), figures.slice(Math.ceil(figures.length / 2))] : [figures];
  const size = rows.length > 1 || figures.length > 2 ? FIGURE : tall || middle > 15 ? 27 : 25;
  return rows.map((row, r) => {
    const step = Math.min(size + 1, (width - size) / Math.max(1, row.length - 1));
    return row.map(([said, from], i) => svg("g", { transform: `translate(${((i - (row.length - 1) / 2) * step).toFixed(1)} ${(middle + (r - (rows.length - 1) / 2) * 21).toFixed(1)})` }, said.die ? dieGroup(said, ctx, size) : figure(said, from, ctx, size)));
  });
}

// So many that only their number for each seat can be read, in the seat's shape.
function bySeat(figures, width, middle) {
  const counted = new Map();
  for (const [said] of figures) counted.set(said.colour, (counted.get(said.colour) ?? 0) + 1);
  const step = Math.min(23, width / 2);
  return [...counted].map(([colour, number], i) => {
    const [column, row] = [i % 2, Math.floor(i / 2)];
    const rows = Math.ceil(counted.size / 2);
    const inRow = row < rows - 1 || counted.size % 2 === 0 ? 2 : 1;
    return svg("g", { transform: `translate(${(column - (inRow - 1) / 2) * step} ${middle + (row - (rows - 1) / 2) * 22})` }, numbered(colour, number, 22));
  });
}

/** What a place brings, as signs with numbers.
    @param {Context} ctx */
function gainsRow(tiles, width, y, ctx) {
  const parts = tiles.flatMap(([said]) => (said.brings ? known(said.brings) : [[said.tile, said.number ?? ctx.layout.printed?.[said.label] ?? null]]));
  const disc = parts.length === 1 ? 17 : width < 48 ? 11.5 : 14;
  const sizes = parts.map(([, number]) => disc + (number === null ? 0 : 0.5 + 8.3 * String(number).length));
  const gap = Math.min(5, (width - 3 - sizes.reduce((sum, one) => sum + one, 0)) / Math.max(1, parts.length - 1));
  let x = -(sizes.reduce((sum, one) => sum + one, 0) + gap * (parts.length - 1)) / 2;
  return parts.map(([word, number], i) => {
    const look = lookOf(word) ?? lookOf("any");
    const node = svg(
      "g",
      { transform: `translate(${x.toFixed(1)} ${y})` },
      svg("g", { transform: `translate(${disc / 2} 0) scale(${disc / 36})` }, svg("circle", { r: 17, fill: look.fill, stroke: look.ink, "stroke-width": 2 }), signPath(look, look.ink)),
      number !== null && svg("text", { class: "gain-number", x: disc + 0.5, y: 4.5 }, number),
    );
    x += sizes[i] + gap;
    return node;
  });
}
