// A grid of fields as squares that a finger hits, with letters and numbers at two sides; blocks that lie face down are
// one. A wide grid is turned by a quarter where its fields would get too small.

import { h, svg } from "../core/dom.js";
import { both } from "../core/words.js";
import { figure, lookOf, meaning, signPath } from "./tokens.js";

const AXIS = 15;
const THUMB = 44;
const GAP = 1;

/** {node, wide}: the grid, and how wide it is.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function gridPart(part, ctx, room) {
  const [ground, ...above] = part.zones.map(({ zone }) => zone);
  const field = laidOut(ground, ctx, part.turn === "auto", room);
  const least = room.tall ? 30 : THUMB;
  const byHeight = room.tall ? (room.tall - 2 * AXIS) / field.rows.length - GAP : 62;
  const cell = Math.max(least, Math.min(byHeight, (room.width - AXIS) / field.columns.length - GAP));
  const blocks = folded(part.fold, ground, above, field, ctx);
  const hidden = new Set(blocks.flatMap((block) => block.cells));
  const changed = Object.entries(ctx.changed).flatMap(([zone, cells]) => ([ground, ...above].includes(zone) ? cells : []));
  const warm = (name) => changed.some((one) => one.startsWith(name) || one.endsWith(name));
  const node = h(
    "div",
    {
      class: "grid-part",
      role: "group",
      style: {
        "grid-template-columns": `${AXIS}px repeat(${field.columns.length}, ${cell}px)`,
        "grid-template-rows": `${AXIS + 2}px repeat(${field.rows.length}, ${cell}px)`,
      },
    },
    field.columns.map((name, i) => axis(name, i + 2, 1, warm(name))),
    field.rows.map((name, i) => axis(name, 1, i + 2, warm(name))),
    [...field.at].filter(([name]) => !hidden.has(name)).map(([name, place]) => square(name, place, ground, above, ctx, cell)),
    blocks.map((block) => foldedBlock(block, ground, ctx)),
  );
  return { node: h("div", { class: "grid-frame" }, node, corners(ground, ctx, field.quarter)), wide: AXIS + field.columns.length * (cell + GAP) };
}

function axis(name, column, row, warm) {
  return h("span", { class: `axis ${warm ? "warm" : ""}`, style: { "grid-column": column, "grid-row": row } }, name);
}

/** Columns and rows from where the fields lie, turned for the one who looks.
    @param {string} zone
    @param {Context} ctx */
function laidOut(zone, ctx, may, { width, tall }) {
  const cells = Object.entries(ctx.layout.zones[zone].cells).filter(([name]) => name in ctx.view[zone].at);
  const steps = (axisNumber) => [...new Set(cells.map(([, box]) => Math.round(box[axisNumber])))].sort((a, b) => a - b);
  const [xs, ys] = [steps(0), steps(1)];
  const small = (width - AXIS) / xs.length - GAP < THUMB && ys.length < xs.length;
  const upright = tall && ys.length > xs.length; // a television is wide
  const quarter = !may ? 0 : upright ? 1 : small && !tall ? quarterFor(ctx) : ctx.facing;
  const turn = [
    (x, y) => [x, y],
    (x, y) => [ys.length - 1 - y, x],
    (x, y) => [xs.length - 1 - x, ys.length - 1 - y],
    (x, y) => [y, xs.length - 1 - x],
  ][quarter];
  const at = new Map(cells.map(([name, box]) => [name, turn(xs.indexOf(Math.round(box[0])), ys.indexOf(Math.round(box[1])))]));
  const [across, down] = quarter % 2 ? [ys.length, xs.length] : [xs.length, ys.length];
  const label = (axisNumber, index) => shared([...at].filter(([, place]) => place[axisNumber] === index).map(([name]) => name), index);
  return {
    quarter,
    at,
    columns: Array.from({ length: across }, (_, i) => label(0, i)),
    rows: Array.from({ length: down }, (_, i) => label(1, i)),
  };
}

/** One's own side of the table is to lie below.
    @param {Context} ctx */
function quarterFor(ctx) {
  const own = Object.values(ctx.layout.zones).filter((zone) => zone.seat === ctx.me && zone.rect && ctx.me !== null);
  if (!own.length) return 1;
  const middle = own.reduce((sum, { rect: [x, , w] }) => sum + x + w / 2, 0) / own.length;
  return middle > ctx.layout.area.width / 2 ? 1 : 3;
}

/** What the names of a line of fields have in common: their letter or their number. */
function shared(names, index) {
  const letters = new Set(names.map((name) => /^\D+/.exec(name)?.[0]));
  const numbers = new Set(names.map((name) => /\d+$/.exec(name)?.[0]));
  if (letters.size === 1 && !letters.has(undefined)) return [...letters][0];
  if (numbers.size === 1 && !numbers.has(undefined)) return [...numbers][0];
  return String(index + 1);
}

/** @param {Context} ctx */
function square(name, place, ground, above, ctx, size) {
  const [column, row] = place;
  const label = ctx.view[ground].at[name];
  const said = label ? meaning(label, ctx, ground) : null;
  const look = said && lookOf(said.tile);
  const pieces = above.map((zone) => [zone, ctx.view[zone]?.at?.[name]]).filter(([, piece]) => piece);
  const zone = pieces.length || !label ? (above[0] ?? ground) : ground;
  const figures = pieces.flatMap(([from, piece]) => piece.split(" + ").map((one) => [from, meaning(one, ctx, from)]));
  if (said?.figure) figures.unshift([ground, said]);
  return ctx.target(
    h(
      "div",
      {
        class: `square ${said?.back ? "back" : ""} ${look ? "" : "plain"}`,
        style: { "grid-column": column + 2, "grid-row": row + 2, "--fill": look?.fill ?? null },
      },
      look && svg("svg", { class: `field-sign ${figures.length ? "aside" : ""}`, viewBox: "-13 -13 26 26", "aria-hidden": "true" }, signPath(look, look.ink)),
      said && !look && !said.figure && !said.back && h("span", { class: "field-word" }, said.unknown ? "?" : said.name.slice(0, 3)),
      figures.length > 0 && standing(figures, ctx, size),
    ),
    { zone, spot: name, also: [ground, ...above], says: ctx.placeWords(ground, name) },
  );
}

/** @param {Context} ctx */
function standing(figures, ctx, size) {
  const each = figures.length > 1 ? size * 0.46 : size * 0.56;
  return h(
    "span",
    { class: "standing" },
    figures.map(([zone, said]) =>
      h(
        "span",
        { class: "stander" },
        svg("svg", { viewBox: `${-each / 2 - 1} ${-each / 2 - 1} ${each + 2} ${each + 2}`, width: each + 2, height: each + 2, "aria-hidden": "true" }, figure(said, zone, ctx, each)),
        said.times > 1 && h("b", { class: "times" }, said.times),
      ),
    ),
  );
}

/** Blocks of which nothing is known.
    @param {Context} ctx */
function folded(fold, ground, above, field, ctx) {
  if (!fold?.label) return [];
  const [wide, high] = field.quarter % 2 ? [fold.block[1], fold.block[0]] : fold.block;
  const groups = new Map();
  for (const [name, [x, y]] of field.at) {
    const key = `${Math.floor(x / wide)} ${Math.floor(y / high)}`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const bare = (name) => ctx.view[ground].at[name] === fold.label && above.every((zone) => !ctx.view[zone]?.at?.[name]);
  return [...groups].filter(([, cells]) => cells.length === wide * high && cells.every(bare)).map(([key, cells]) => {
    const [x, y] = key.split(" ").map(Number);
    const span = (list, from, length) => [list[from], list[from + length - 1]].sort((a, b) => a.localeCompare(b, "en", { numeric: true })).join("–");
    const parts = [span(field.rows, y * high, high), span(field.columns, x * wide, wide)].sort((a, b) => Number(/\d/.test(a)) - Number(/\d/.test(b)));
    return { cells, x: x * wide, y: y * high, wide, high, title: both(fold.title), says: parts.join(" · ") };
  });
}

/** @param {Record<string, any>} block
    @param {any} ground
    @param {Context} ctx */
function foldedBlock({ cells, x, y, wide, high, title, says }, ground, ctx) {
  return ctx.target(
    h("div", { class: "folded", style: { "grid-column": `${x + 2} / span ${wide}`, "grid-row": `${y + 2} / span ${high}` } }, h("span", {}, h("b", {}, title), h("span", {}, says))),
    { zone: ground, spot: cells[0], says: `${title}: ${says}` },
  );
}

/** Where each seat sits around the picture, so that it can be laid beside the table in mind.
    @param {string} zone
    @param {Context} ctx */
function corners(zone, ctx, quarter) {
  const { width, height } = ctx.layout.area;
  const marks = ctx.seats.map(({ colour }, seat) => {
    const own = Object.values(ctx.layout.zones).filter((one) => one.seat === seat && one.rect);
    const middle = (i) => own.reduce((sum, { rect }) => sum + rect[i] + rect[i + 2] / 2, 0) / (own.length || 1);
    const [right, low] = [middle(0) > width / 2, middle(1) > height / 2];
    const turned = [[right, low], [!low, right], [!right, !low], [low, !right]][quarter];
    return { seat, colour, right: turned[0], low: turned[1], own: own.length > 0 };
  });
  const side = (low) => {
    const here = marks.filter((mark) => mark.own && mark.low === low).sort((a, b) => Number(a.right) - Number(b.right));
    return h(
      "div",
      { class: `corners ${low ? "low" : "high"}` },
      [false, true].map((right) => h("span", {}, here.filter((mark) => mark.right === right).map((mark) => ctx.seatMark(mark.seat, 19)))),
    );
  };
  return [side(false), side(true)].filter((row, i) => i === 0 || row.querySelector("svg"));
}
