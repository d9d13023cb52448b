// One panel of the table: its parts below each other, whatever a finger hits, and the marks of what changed.

import { h } from "../core/dom.js";
import { both, t } from "../core/words.js";
import { facing } from "./geometry.js";
import { inWords, lettersByColour, zoneName } from "./map.js";
import { chipsPart, cardsPart, columnsPart, dicePart, nodesPart, rowPart, sidePart, stripPart, tilesPart, heading } from "./part_flow.js";
import { graphPart } from "./part_graph.js";
import { gridPart } from "./part_grid.js";
import { pilesPart } from "./part_piles.js";
import { ringPart } from "./part_ring.js";
import { wheelPart } from "./part_wheel.js";
import { badge, plainWord, seatPicture, token } from "./tokens.js";

const COLUMNS = 106; // px on a television that groups have below a graph
const ROW = 66; // px of a row there
const ROUND = ["wheel", "ring"];
const BELOW = { piles: 136, tiles: 92 }; // px that parts below a round board take
const LEAST = 246; // px of a round board that can still be read
const SIDE = 58; // px of a column beside a board

/** What parts need to know: {layout, view, seats, me, actor, changed, acts, rings}.
    @param {Scene} scene */
export function contextOf(scene) {
  const { layout, seats } = scene;
  const letters = lettersByColour(seats, layout);
  const goods = Object.assign({}, ...(scene.rings ?? []).map(({ legend }) => goodsOf(legend)));
  /** @type {Context} */
  const ctx = {
    ...scene,
    letters,
    goods,
    changed: scene.changed ?? {},
    acts: scene.acts ?? new Set(),
    facing: facing(layout, scene.me),
    seatMark: (seat, size = 22) => seatPicture(seats[seat].colour, letters[seats[seat].colour], size),
    badge: (letter, size) => badge(letter, ctx, size),
    target: (node, place) => target(node, place, ctx),
    placeWords: (zone, spot) => placeWords(zone, spot, ctx),
  };
  return ctx;
}

/** The word of the good that a die's colour stands for, by colour. */
function goodsOf(legend) {
  return Object.fromEntries(Object.entries(legend ?? {}).map(([label, says]) => [label.replace(/ \d+$/, ""), says.en]));
}

/** A place in words: its name, and what lies there. "E6 · forest, 2 × yellow statue".
    @param {string} zone
    @param {string} spot */
export function placeWords(zone, spot, { layout, view }) {
  const name = spot && spot in (view[zone]?.at ?? {}) ? cellName(zone, spot, layout) : zoneName(zone, layout);
  const here = Object.entries(view)
    .filter(([other, contents]) => contents.type === "cells" && spot in contents.at && (other === zone || sameGround(other, zone, layout)))
    .map(([, contents]) => contents.at[spot])
    .filter(Boolean)
    .map((label) => {
      const [, single, times] = /^(.*?)(?: x(\d+))?$/.exec(label);
      return `${times ? `${times} × ` : ""}${plainWord(single, layout)}`;
    });
  if (spot && !(spot in (view[zone]?.at ?? {}))) return `${zoneName(zone, layout)} · ${plainWord(spot, layout)}`;
  const words = spot ? here.join(", ") : inWords(view[zone], layout);
  return words ? `${name} · ${words}` : `${name} · ${t("table.nothing")}`;
}

/** @param {Layout} layout */
function sameGround(one, other, layout) {
  return JSON.stringify(layout.zones[one]?.area) === JSON.stringify(layout.zones[other]?.area);
}

/** Fields go by their letter and number, other places by a name of their own or that of their zone.
    @param {string} zone
    @param {Layout} layout */
export function cellName(zone, cell, layout) {
  if (layout.zones[zone]?.kind === "grid") return cell;
  const said = both(layout.zones[zone]?.spots?.[cell]);
  return said ? said.charAt(0).toUpperCase() + said.slice(1) : `${zoneName(zone, layout)} ${cell}`;
}

/** Something that a finger hits: it says what it is, and has a ring if it changed or if the seat in turn can act there.
    @param {Context} ctx */
function target(node, { zone, spot = "", says, also = [], whole = false, quiet = false, loose = false }, ctx) {
  if (!ctx.still) {
    node.setAttribute("role", "button");
    node.setAttribute("tabindex", "0");
    node.setAttribute("aria-label", says);
  }
  node.dataset.zone = zone;
  if (spot) node.dataset.spot = spot;
  const zones = [zone, ...also];
  const changed = zones.some((one) => one in ctx.changed && (whole || !ctx.changed[one].length || ctx.changed[one].includes(spot)));
  const can = zones.some((one) => ctx.acts.has(`${one}/${spot}`));
  node.classList.add("target");
  node.classList.toggle("is-changed", changed && !loose);
  node.classList.toggle("can-act", can && !changed && !quiet);
  const left = zones.map((one) => [one, ctx.ghosts?.get(`${one}/${spot}`)]).find(([, ghost]) => ghost);
  if (left && node instanceof HTMLElement) node.append(ghost(left[0], left[1], ctx));
  return node;
}

/** A piece that was here a moment ago, with the mark of the seat that took it.
    @param {string} zone
    @param {{label: string, seat: number | null}} left
    @param {Context} ctx */
function ghost(zone, { label, seat }, ctx) {
  return h("span", { class: "ghost", "aria-hidden": "true" }, h("span", { class: "ghost-piece" }, token(label, zone, ctx, 24)), seat !== null && ctx.seatMark(seat, 18));
}

/** A panel as nodes. `room` is {width, high, tall}: how wide it may be, how high it should be
    at most so that nothing has to be scrolled, and on a television how high it is.
    @param {Context} ctx */
export function panelNodes(panel, ctx, room) {
  ctx.width = room.width;
  const { sections } = panel;
  if (room.tall && sections.length > 1) return sideBySide(sections, ctx, room);
  return sections.map(({ seat, parts }) =>
    h("div", { class: "panel-section" }, seat !== null && seatHead(seat, ctx), room.tall ? besideRound(parts, ctx, room) : partNodes(parts, ctx, room)),
  );
}

/** @param {Context} ctx */
function seatHead(seat, ctx) {
  return h("h3", { class: "panel-seat" }, ctx.seatMark(seat, 28), ctx.seatName(seat));
}

/** On a television: what belongs to each seat in a column of its own.
    @param {Context} ctx */
function sideBySide(sections, ctx, room) {
  const width = Math.floor((room.width - 8 * (sections.length - 1)) / sections.length);
  ctx.width = width;
  const columns = sections.map(({ seat, parts }) => h("div", { class: "panel-section" }, seat !== null && seatHead(seat, ctx), partNodes(parts, ctx, { ...room, width })));
  return h("div", { class: "columns-of-seats" }, columns);
}

/** On a television: beside a round board is room for the other parts.
    @param {Context} ctx */
function besideRound(parts, ctx, room) {
  const [first, ...others] = parts;
  if (!ROUND.includes(first.draw)) return partNodes(parts, ctx, room);
  const board = Math.min(room.tall, Math.floor(room.width * 0.7));
  ctx.width = board;
  const round = partNode(first, ctx, { width: board, tall: room.tall });
  ctx.width = room.width - board - 12;
  return h("div", { class: "beside-round" }, h("div", {}, round), h("div", { class: "panel-section" }, partNodes(others, ctx, { ...room, width: ctx.width })));
}

/** @param {Context} ctx */
function partNodes(parts, ctx, room) {
  const nodes = [];
  const below = parts.slice(1).reduce((sum, { draw }) => sum + (BELOW[draw] ?? 0), 0);
  const high = room.high && Math.max(LEAST, room.high - below);
  for (let i = 0; i < parts.length; i++) {
    const [part, next] = [parts[i], parts[i + 1]];
    if (part.draw === "grid" && next?.draw === "side") {
      nodes.push(withSide(part, next, ctx, room));
      i += 1;
    } else if (part.draw === "graph") {
      const end = parts.slice(i + 1).findIndex(({ draw }) => draw !== "columns");
      const columns = parts.slice(i + 1, end < 0 ? undefined : i + 1 + end);
      i += columns.length;
      const below = COLUMNS * columns.length + ROW * parts.slice(i + 1).filter(({ draw }) => draw === "row").length;
      nodes.push(graphWith(part, columns, ctx, { ...room, tall: room.tall && room.tall - below }));
    } else {
      nodes.push(partNode(part, ctx, { ...room, high }));
    }
  }
  return nodes;
}

/** @param {ResolvedPart} part
    @param {Context} ctx */
function partNode(part, ctx, room) {
  switch (part.draw) {
    case "grid":
      return gridPart(part, ctx, room).node;
    case "columns":
      return columnsPart(part, ctx, room);
    case "row":
      return rowPart(part, ctx);
    case "tiles":
      return tilesPart(part, ctx);
    case "cards":
      return cardsPart(part, ctx);
    case "strip":
      return stripPart(part, ctx, room);
    case "piles":
      return pilesPart(part, ctx);
    case "nodes":
      return nodesPart(part, ctx);
    case "dice":
      return dicePart(part, ctx);
    case "side":
      return h("div", { class: "side-part below" }, sidePart(part, ctx));
    case "wheel":
      return [heading(part, ctx), wheelPart(part, ctx, room)];
    case "ring":
      return ringPart(part, ctx, room);
    default:
      return chipsPart(part, ctx);
  }
}

/** Beside the board if its fields stay large enough for a finger, else below.
    @param {ResolvedPart} part
    @param {Context} ctx */
function withSide(part, side, ctx, room) {
  const width = room.width - (room.tall ? 110 : SIDE) - 4;
  const beside = gridPart(part, ctx, { ...room, width });
  const fits = room.tall || beside.wide <= width + 1;
  const grid = fits ? beside : gridPart(part, ctx, room);
  return h("div", { class: `with-side ${fits ? "beside" : "below"}` }, grid.node, h("div", { class: "side-part" }, sidePart(side, ctx)));
}

/** @param {ResolvedPart} part
    @param {Context} ctx */
function graphWith(part, columns, ctx, room) {
  const { node, shares } = graphPart(part, ctx, room);
  return h("div", { class: "graph-frame" }, node, columns.map((one) => columnsPart({ ...one, groups: Object.keys(one.groups ?? {}).length ? one.groups : part.groups }, ctx, { ...room, shares })));
}
