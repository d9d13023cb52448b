// A wheel with sections around a disc that turns: what lies where, and what each section is worth.

import { h, svg } from "../core/dom.js";
import { both, t } from "../core/words.js";
import { packed } from "./geometry.js";
import { dieGroup, figure, lookOf, meaning, signPath } from "./tokens.js";

const DIE = 27;
const LEGEND = 36; // px below the wheel
const TILE = 30;
const NAME = 20; // px above and below the wheel

/** The wheel whose disc is the first zone of the part, as wide as there is room.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function wheelPart(part, ctx, room) {
  const ring = (ctx.rings ?? []).find(({ zone }) => part.zones.some((shown) => shown.zone === zone));
  if (!ring) return null;
  const size = Math.min(room.width, room.tall ? room.tall - 40 : room.width, 420);
  const names = ring.sections.some((_, i) => !upright(i * (360 / ring.sections.length)));
  const high = room.tall ?? Math.min(330, (room.high ?? 400) - LEGEND);
  const r = Math.min(size / 2 - (names ? 12 : 2), high / 2 - 22);
  const step = 360 / ring.sections.length;
  const drawing = svg(
    "svg",
    { class: "wheel", viewBox: `${-size / 2} ${-r - NAME} ${size} ${2 * (r + NAME)}`, width: size, height: 2 * (r + NAME), role: "group" },
    ring.sections.map((section, i) => sectionGroup(section, i * step, step, r, size, ctx)),
    disc(ring, step, r, ctx),
  );
  return h("div", { class: "wheel-frame" }, drawing, legend(ring, ctx));
}

function at(angle, radius) {
  const turn = (angle * Math.PI) / 180;
  return [radius * Math.sin(turn), -radius * Math.cos(turn)].map((one) => Math.round(one * 10) / 10);
}

/** An angle at the left or right so many degrees nearer to the top or bottom: dice stand there, and tiles at the rim. */
function aside(angle, degrees) {
  const [x, y] = at(angle, 1);
  return angle + degrees * Math.sign(x) * Math.sign(y || 1);
}

function upright(angle) {
  return Math.abs(at(angle, 1)[0]) < 0.3;
}

/** @param {Context} ctx */
function sectionGroup(section, angle, step, r, size, ctx) {
  const [a, b] = [angle - step / 2, angle + step / 2];
  const d = (out, within) => `M${at(a, within)}L${at(a, out)}A${out} ${out} 0 0 1 ${at(b, out)}L${at(b, within)}A${within} ${within} 0 0 0 ${at(a, within)}z`;
  const beside = section.beside.map(([zone]) => zone);
  const empty = !Object.values(ctx.view[section.zone]?.count ?? {}).some(Boolean);
  const node = svg(
    "g",
    { class: `wheel-section ${empty ? "bare" : ""}` },
    svg("path", { class: "wedge", d: d(r, r * 0.3) }),
    worth(section, angle, r),
    dice(section, angle, r, ctx),
    tiles(section, angle, r, ctx),
    name(section, angle, r, size),
    svg("path", { class: "plate-ring", d: d(r - 2, r * 0.38) }),
  );
  const says = t("ring.section", { name: both(section.says), number: section.number, worth: section.worth });
  ctx.target(node, { zone: section.zone, spot: "", says, whole: true });
  const changed = beside.some((zone) => (ctx.changed[zone] ?? []).includes(section.word) || ctx.changed[zone]?.length === 0);
  if (changed) node.classList.add("is-changed");
  return node;
}

// Upright sections have their name above or below the wheel, the others in its corners.
function name(section, angle, r, size) {
  const said = both(section.says);
  const words = said.charAt(0).toUpperCase() + said.slice(1);
  if (upright(angle)) return svg("text", { class: "wheel-name", x: 0, y: at(angle, r + NAME / 2)[1] + 4 }, words);
  const [x, y] = at(angle, 1);
  return svg("text", { class: `wheel-name ${x > 0 ? "end" : "start"}`, x: (x > 0 ? 1 : -1) * (size / 2 - 1), y: (y < 0 ? -1 : 1) * (r - 6) + (y < 0 ? 10 : 0) }, words);
}

function worth({ worth: value }, angle, r) {
  const [x, y] = at(angle, r * 0.345);
  return [svg("circle", { class: "worth", cx: x, cy: y, r: 12 }), svg("text", { class: "worth-number", x, y: y + 5.5 }, value)];
}

/** @param {Context} ctx */
function dice(section, angle, r, ctx) {
  const labels = Object.entries(ctx.view[section.zone]?.count ?? {}).flatMap(([label, number]) => Array(number).fill(label));
  if (!labels.length) return null;
  const room = upright(angle) ? [r * 0.55, r * 0.34] : [r * 0.335, r * 0.364];
  const { columns, scale } = packed(labels.length, ...room, DIE + 6, DIE + 4, 1);
  const rows = Math.ceil(labels.length / columns);
  const [x, y] = upright(angle) ? at(angle, r * 0.61) : at(aside(angle, 8), r * 0.684);
  const edge = DIE * scale;
  const [stepX, stepY] = [(DIE + 6) * scale, (DIE + 4) * scale];
  return labels.map((label, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const inRow = Math.min(columns, labels.length - row * columns);
    const place = `translate(${(x + (column - (inRow - 1) / 2) * stepX).toFixed(1)} ${(y + (row - (rows - 1) / 2) * stepY).toFixed(1)})`;
    return svg("g", { class: "wheel-die", transform: place, "data-zone": section.zone, "data-spot": label }, dieGroup(meaning(label, ctx, section.zone), ctx, edge));
  });
}

/** @param {Context} ctx */
function tiles(section, angle, r, ctx) {
  const things = section.beside.flatMap(([zone, cell]) =>
    cell
      ? [ctx.view[zone]?.at?.[cell]].filter((one) => one && one !== "unknown").map((label) => [zone, cell, label])
      : Object.entries(ctx.view[zone]?.count ?? {}).flatMap(([label, number]) => Array(number).fill([zone, label, label])),
  );
  const [x, y] = upright(angle) ? at(angle, r - 17) : at(aside(angle, -16), r * 0.866);
  return things.map(([zone, spot, label], i) => {
    const place = `translate(${(x + (i - (things.length - 1) / 2) * (TILE + 4)).toFixed(1)} ${y})`;
    return svg("g", { class: "wheel-tile", transform: place, "data-zone": zone, "data-spot": spot }, tileGroup(meaning(label, ctx, zone), zone, ctx));
  });
}

/** @param {Meaning} said
    @param {string} zone
    @param {Context} ctx */
function tileGroup(said, zone, ctx) {
  if (said.figure) return figure(said, zone, ctx, TILE);
  const [word, number] = said.brings?.[0] ?? [said.tile, said.number];
  const look = lookOf(word);
  const plus = /\+\d/.exec(said.label)?.[0];
  const own = said.colour && ctx.letters[said.colour];
  const fill = look?.fill ?? "#f4f1e8";
  const wide = number || said.brings?.length > 1 ? 36 : 28;
  if (own) {
    return [svg("rect", { class: "tile-ground", x: -18, y: -12, width: 36, height: 24, rx: 5, fill: ctx.paint(said.colour).fill }), svg("text", { class: "tile-number", y: 4.5, fill: ctx.paint(said.colour).ink }, `${own} ${plus ?? ""}`)];
  }
  return [
    svg("rect", { class: "tile-ground", x: -wide / 2, y: -12, width: wide, height: 24, rx: 5, fill, stroke: look?.ink ?? null }),
    look && svg("g", { transform: `translate(${number ? -7 : 0} 0) scale(0.68)` }, signPath(look, look.ink)),
    number && svg("text", { class: "tile-number", x: 10, y: 4.5, fill: look?.ink ?? null }, said.brings?.length > 1 ? "…" : number),
  ];
}

/** @param {Context} ctx */
function disc(ring, step, r, ctx) {
  const inner = r * 0.24;
  const words = ring.sections.map(({ says, number }) => `${both(says)} ${number}`).join(", ");
  const node = svg(
    "g",
    { class: "wheel-disc" },
    svg("circle", { class: "disc", r: inner }),
    ring.sections.map(({ number }, i) => {
      const [x, y] = at(i * step, inner - 10);
      return svg("text", { class: "disc-number", x, y: y + 4.5 }, number);
    }),
    svg("circle", { class: "hub", r: 7 }),
    svg("circle", { class: "plate-ring", r: inner }),
  );
  return ctx.target(node, { zone: ring.zone, spot: "", says: words, whole: true });
}

/** What a die's colour stands for, wherever it lies.
    @param {Context} ctx */
function legend(ring, ctx) {
  const entries = Object.entries(ring.legend ?? {});
  if (!entries.length) return null;
  return h(
    "ul",
    { class: "wheel-legend" },
    entries.map(([label, says]) =>
      h("li", {}, svg("svg", { viewBox: "-13 -13 26 26", width: 18, height: 18, "aria-hidden": "true" }, dieGroup(meaning(label, ctx, part(ctx, ring)), ctx, 24, { blank: true })), both(says)),
    ),
    h("li", {}, h("span", { class: "worth-sign", "aria-hidden": "true" }, "4"), t("ring.worth")),
  );
}

const part = (ctx, ring) => ring.sections[0].zone;
