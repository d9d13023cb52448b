// The parts of a panel that flow like text: chips, tiles, cards, councils, tracks, dials; each zone drawn as its pieces.

import { h } from "../core/dom.js";
import { both, t } from "../core/words.js";
import { balcony, dial } from "./furniture.js";
import { softened } from "./names.js";
import { nameOf } from "./panels.js";
import { amount, counts, gainsToken, known, lookOf, meaning, nameBefore, sums, token } from "./tokens.js";

const LONGEST = 30; // fields of a track that can be told apart as dots

/** A headline with a few words at its right.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function heading(part, ctx, more = "") {
  const title = both(part.title) || (part.zones?.length === 1 ? nameOf(part.zones[0], ctx.layout) : "");
  const right = both(part.hint) || more;
  if (!title) return null;
  return h("div", { class: "part-head" }, h("h3", {}, title), right && h("span", {}, right));
}

/** Chips: what lies in each zone, with its name below.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function chipsPart(part, ctx) {
  const [full, empty] = parted(part.zones, (shown) => isFilled(shown, ctx));
  const zones = part.zones.length > 6 && empty.length > 1 ? full : part.zones;
  return h(
    "div",
    { class: "chips-part" },
    part.title && heading(part, ctx),
    h("div", { class: "chips-row" }, zones.map((shown) => chipOf(shown, ctx))),
    zones !== part.zones && foldLine(t("table.empty", { number: empty.length }), empty.map((shown) => chipOf(shown, ctx))),
  );
}

function parted(list, holds) {
  return [list.filter(holds), list.filter((one) => !holds(one))];
}

/** One labelled line for what nobody needs to see at once. */
export function foldLine(words, inside) {
  return h("details", { class: "fold-line" }, h("summary", {}, words), h("div", { class: "chips-row" }, inside));
}

/** @param {Shown} shown
    @param {Context} ctx */
function isFilled({ zone }, ctx) {
  const contents = ctx.view[zone];
  if (contents.type === "pieces") return Object.values(contents.count).some(Boolean);
  if (contents.type === "cells") return Object.values(contents.at).some(Boolean);
  return true;
}

/** @param {Shown} shown
    @param {Context} ctx */
export function chipOf(shown, ctx) {
  const name = nameOf(shown, ctx.layout);
  return ctx.target(
    h("div", { class: "chip-box" }, h("div", { class: "chip-things" }, inside(shown, ctx)), h("span", { class: "chip-title" }, name)),
    { zone: shown.zone, spot: "", says: name, whole: true, quiet: true },
  );
}

const nothing = () => h("span", { class: "none" }, "–");

/** What lies in a zone.
    @param {Shown} shown
    @param {Context} ctx */
export function inside(shown, ctx, size = 26) {
  const contents = ctx.view[shown.zone];
  const as = shown.as ?? "";
  if (shown.sign) return signed(shown, contents);
  if (as === "balcony") return balcony(shown.zone, ctx, 92);
  switch (contents.type) {
    case "pieces": {
      const found = as === "sums" ? sums(shown.zone, contents, ctx) : counts(shown.zone, contents, ctx);
      return found.length ? found.map(([said, number]) => countedToken(said, number, shown.zone, ctx, size)) : nothing();
    }
    case "cells":
      return inCells(shown, contents.at, ctx, size);
    case "marks":
      return onTrack(shown, contents.field, ctx);
    case "pointing":
      return as === "dial" || ctx.layout.zones[shown.zone].sectors ? dial(shown.zone, ctx) : h("b", { class: "count" }, contents.value ?? "–");
    default:
      return nothing();
  }
}

/** A number with the sign of what is counted.
    @param {Shown} shown
    @param {Contents} contents */
function signed({ sign: word, label }, contents) {
  const all = Object.values(contents.count ?? {}).reduce((sum, number) => sum + number, 0);
  const number = contents.type === "marks" ? contents.field[label] : all;
  return h("span", { class: "counted" }, amount(word, null, 26), h("b", { class: "count large" }, number ?? "–"));
}

/** @param {Meaning} said
    @param {string} zone
    @param {Context} ctx */
function countedToken(said, number, zone, ctx, size) {
  const one = number === 1 && !said.figure && !said.back && (said.brings || said.die || said.number !== null);
  return h("span", { class: "counted", title: said.name }, token(said, zone, ctx, size), one ? null : h("b", { class: "count" }, number));
}

/** @param {Shown} shown
    @param {Context} ctx */
function inCells(shown, at, ctx, size) {
  const cells = Object.entries(at).filter(([cell]) => !shown.cells?.length || shown.cells.includes(cell));
  const filled = cells.filter(([, label]) => label);
  if (shown.as === "filled") return h("b", { class: "count" }, `${filled.length}/${cells.length}`);
  const alike = filled.length > 2 && filled.every(([, label]) => label === filled[0][1]);
  if (!filled.length) return nothing();
  const seatOf = (cell) => ctx.seats.findIndex(({ colour }) => colour === cell);
  const worn = !shown.cells?.length && filled.every(([cell]) => seatOf(cell) >= 0);
  if (alike && !worn) return countedToken(meaning(filled[0][1], ctx, shown.zone), filled.length, shown.zone, ctx, size);
  return filled.map(([cell, label]) =>
    h("span", { class: "counted" }, worn && ctx.seatMark(seatOf(cell)), token(label, shown.zone, ctx, size)),
  );
}

/** @param {Shown} shown
    @param {Context} ctx */
function onTrack(shown, field, ctx) {
  const all = Object.entries(field);
  const entries = shown.label ? all.filter(([label]) => label === shown.label) : all;
  if (shown.label) return h("b", { class: "count" }, entries[0]?.[1] ?? "–");
  return entries.map(([label, place]) =>
    h("span", { class: "counted" }, token(label, shown.zone, ctx, 24), h("b", { class: "count" }, place)),
  );
}

/** Tiles side by side: of each place what lies there, of loose pieces each kind.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function tilesPart(part, ctx) {
  return part.zones.map((shown) => {
    const title = shown.title ?? part.title;
    if (isBare(shown, ctx)) return emptyLine({ ...shown, title }, ctx);
    const number = tilesIn(shown, ctx);
    const columns = captioned(shown, ctx) || ctx.width < 240 ? 3 : Math.max(3, Math.min(number, number === 6 ? 6 : 5));
    const room = (Math.min(ctx.width, 110 * columns) - 5 * (columns - 1)) / columns - 6;
    return [heading({ ...part, title, zones: [shown] }, ctx), tilesRow(tilesOf(shown, ctx, room), columns, shown, ctx)];
  });
}

/** Whether the tiles have words below their signs.
    @param {Shown} shown
    @param {Context} ctx */
function captioned(shown, ctx) {
  const contents = ctx.view[shown.zone];
  return Object.values(contents.at ?? {}).concat(Object.keys(contents.count ?? {})).some((label) => label && hasCaption(meaning(label, ctx, shown.zone)));
}

/** @param {Meaning} said */
const hasCaption = (said) => !said.brings && said.tile?.includes(" ") && !said.colour;

/** Nobody knows which of several loose pieces came or went: then all of them together have the ring.
    @param {Shown} shown
    @param {Context} ctx */
function tilesRow(tiles, columns, shown, ctx) {
  return h("div", { class: `tiles-row ${ctx.view[shown.zone].type === "pieces" && shown.zone in ctx.changed ? "target is-changed" : ""}`, style: { "--n": columns } }, tiles);
}

/** @param {Shown} shown
    @param {Context} ctx */
function tilesIn({ zone, cells }, ctx) {
  const contents = ctx.view[zone];
  return contents.type === "cells" ? cells?.length || Object.keys(contents.at).length : Object.values(contents.count).filter(Boolean).length;
}

/** @param {Shown} shown
    @param {Context} ctx */
export function tilesOf(shown, ctx, room = 44) {
  const contents = ctx.view[shown.zone];
  if (contents.type === "cells") {
    const cells = Object.entries(contents.at).filter(([cell]) => !shown.cells?.length || shown.cells.includes(cell));
    return cells.map(([cell, label]) => tile(shown, cell, label, 1, ctx, room));
  }
  const found = Object.entries(contents.count ?? {}).filter(([, number]) => number);
  return found.map(([label, number]) => tile(shown, label, label, number, ctx, room));
}

/** @param {Shown} shown
    @param {Context} ctx */
function isBare(shown, ctx) {
  return !isFilled(shown, ctx) || (shown.cells?.length > 0 && shown.cells.every((cell) => !ctx.view[shown.zone].at?.[cell]));
}

/** @param {Shown} shown
    @param {Context} ctx */
function emptyLine(shown, ctx) {
  return ctx.target(h("div", { class: "empty-line" }, `${nameOf(shown, ctx.layout)}: ${t("table.nothing")}`), {
    zone: shown.zone,
    spot: "",
    says: nameOf(shown, ctx.layout),
  });
}

/** @param {Shown} shown
    @param {string} spot
    @param {string} label
    @param {Context} ctx */
function tile(shown, spot, label, number, ctx, room) {
  const says = ctx.placeWords(shown.zone, spot);
  if (!label) return ctx.target(h("div", { class: "tile-box bare" }, "–"), { zone: shown.zone, spot, says });
  const said = meaning(label, ctx, shown.zone);
  const price = ctx.layout.printed?.[`${shown.zone} ${spot}`];
  return ctx.target(
    h("div", { class: `tile-box ${said.brings ? "brings" : ""}` }, boxed(said, shown, ctx, room), price && h("small", { class: "tile-price" }, t("table.costs", { price })), number > 1 && h("b", { class: "times" }, number)),
    { zone: shown.zone, spot, says, loose: ctx.view[shown.zone].type === "pieces" },
  );
}

/** @param {Meaning} said
    @param {Shown} shown
    @param {Context} ctx */
function boxed(said, shown, ctx, room) {
  if (said.brings) return gainsToken(said, ctx, 22, room);
  const caption = hasCaption(said) && h("small", { class: "tile-caption" }, softened(said.name));
  return [token(said, shown.zone, ctx, 28), caption];
}

/** Places where a piece stands, by their names.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function nodesPart(part, ctx) {
  const here = part.nodes.filter((zone) => ctx.view[zone].count?.[part.label]);
  const left = part.left ? (ctx.view[part.left].count?.[part.label] ?? 0) : null;
  return [
    heading(part, ctx, left === null ? "" : t("table.built_left", { number: here.length, left })),
    here.length > 0 && h(
      "div",
      { class: "chips-row" },
      here.map((zone) =>
        ctx.target(h("div", { class: "node-box" }, token(part.label, zone, ctx, 26), h("b", {}, nameOf({ zone }, ctx.layout))), {
          zone,
          spot: "",
          says: nameOf({ zone }, ctx.layout),
          whole: true,
        }),
      ),
    ),
  ];
}

/** Cards with their name, and what they cost and bring.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function cardsPart(part, ctx) {
  const folded = Array.isArray(part.fold) ? part.fold : [];
  return part.zones.map((shown) => {
    const contents = ctx.view[shown.zone];
    const all = contents.type === "cells" ? Object.entries(contents.at).filter(([, label]) => label) : Object.entries(contents.count ?? {}).flatMap(([label, number]) => Array(number).fill([label, label]));
    const away = all.filter(([, label]) => folded.includes(label));
    const open = all.filter(([, label]) => !folded.includes(label));
    const named = { ...shown, title: shown.title ?? part.title };
    if (!open.length && !away.length) return emptyLine(named, ctx);
    return [
      heading({ ...part, title: named.title, zones: [shown] }, ctx, String(open.length)),
      open.length > 0 && h("div", { class: `cards-row ${open.some(([, label]) => meaning(label, ctx, shown.zone).letters) ? "of-places" : ""}` }, open.map(([spot, label]) => card(shown, spot, label, ctx))),
      away.length > 0 && ctx.target(h("div", { class: "folded-line" }, `${meaning(away[0][1], ctx, shown.zone).name}: ${away.length}`), { zone: shown.zone, spot: away[0][0], says: nameOf(shown, ctx.layout) }),
    ];
  });
}

/** One card: places by their full names with the badges that short forms use elsewhere, or its name; then its signs.
    @param {Shown} shown
    @param {string} spot
    @param {string} label
    @param {Context} ctx */
export function card(shown, spot, label, ctx) {
  const said = meaning(label, ctx, shown.zone);
  const places = [...(said.letters ?? "")].map((letter) => placeLine(letter, ctx));
  return ctx.target(
    h(
      "div",
      { class: "card-box" },
      places.length ? places : h("b", { class: "card-name" }, softened(said.ribbon ? said.name.split(":").at(-1).trim() : said.brings ? nameBefore(said.name) : said.name)),
      said.brings ? h("span", { class: "card-brings" }, known(said.brings).map(([word, number]) => amount(word, number, 22))) : (said.figure || said.back || said.ribbon || lookOf(said.tile)) && h("span", { class: "card-brings" }, token(said, shown.zone, ctx, 30)),
    ),
    { zone: shown.zone, spot, says: ctx.placeWords(shown.zone, spot) },
  );
}

/** @param {Context} ctx */
function placeLine(letter, ctx) {
  const zone = Object.keys(ctx.layout.printed ?? {}).find((name) => name in ctx.view && name.endsWith(` ${letter}`));
  if (!zone) return h("b", { class: "card-name" }, letter);
  const there = Object.keys(ctx.view[zone]?.count ?? {});
  return h(
    "span",
    { class: "card-place" },
    ctx.badge(letter, 20),
    h("b", {}, nameOf({ zone }, ctx.layout)),
    h("span", { class: "card-there" }, there.length ? there.map((label) => token(label, zone, ctx, 24)) : t("table.empty_place")),
  );
}

/** Several zones in one line, each with a few words before it.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function rowPart(part, ctx) {
  return h(
    "div",
    { class: "row-part" },
    part.zones.map((shown) =>
      ctx.target(h("div", { class: `row-item ${shown.as ?? ""}` }, h("span", { class: "row-name" }, nameOf(shown, ctx.layout)), h("div", { class: "row-things" }, inside(shown, ctx, 20))), {
        zone: shown.zone,
        spot: "",
        says: nameOf(shown, ctx.layout),
        whole: true,
        quiet: shown.as !== "balcony",
      }),
    ),
  );
}

/** One column for each group, below the same groups of a graph.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function columnsPart(part, ctx, room) {
  const groups = Object.keys(part.groups ?? {});
  const share = room.shares ?? groups.map(() => 1);
  const all = share.reduce((sum, one) => sum + one, 0);
  const one = (group, i) =>
    part.rows
      .filter(({ zone }) => belongs(zone, group, groups))
      .map((shown) => columnItem(shown, group, ctx, (room.width * share[i]) / all - 6));
  return h(
    "div",
    { class: "columns-part", style: { "grid-template-columns": share.map((number) => `${number}fr`).join(" ") } },
    groups.map((group, i) => h("div", { class: `group-column tint-${i % 5}` }, one(group, i))),
  );
}

/** @param {string} zone */
function belongs(zone, group, groups) {
  return !groups.some((other) => zone.endsWith(` ${other}`)) || zone.endsWith(` ${group}`);
}

/** @param {Shown} shown
    @param {Context} ctx */
function columnItem(shown, group, ctx, width) {
  if (shown.as === "balcony") return balconyTarget(shown, ctx, width);
  const at = ctx.view[shown.zone].at ?? {};
  const mine = Object.keys(at).filter((cell) => cell === group || cell.startsWith(`${group} `));
  return h("div", { class: "column-tiles" }, tilesOf({ ...shown, cells: mine }, ctx));
}

/** @param {Shown} shown
    @param {Context} ctx */
function balconyTarget(shown, ctx, width) {
  return ctx.target(h("div", { class: "balcony-box" }, balcony(shown.zone, ctx, width)), {
    zone: shown.zone,
    spot: "",
    says: `${nameOf(shown, ctx.layout)}: ${ctx.placeWords(shown.zone, "")}`,
    whole: true,
  });
}

/** A track as a strip of dots, with the markers above.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function stripPart(part, ctx, room) {
  return part.zones.map((shown) => {
    const field = ctx.view[shown.zone].field ?? {};
    const names = Object.keys(ctx.layout.zones[shown.zone].cells).sort((a, b) => Number(a) - Number(b));
    const title = heading({ ...part, title: shown.title ?? part.title, zones: [shown] }, ctx);
    const body = names.length > LONGEST ? h("div", { class: "chips-row" }, chipOf(shown, ctx)) : strip(shown, names, field, ctx, room.width);
    return [title, body];
  });
}

/** @param {Shown} shown
    @param {Context} ctx */
function strip(shown, names, field, ctx, width) {
  const [first, last] = [names[0], names.at(-1)];
  const label = (name, i) => i === 0 || i === names.length - 1 || (Number(name) % 5 === 0 && i > 1 && i < names.length - 2);
  const step = (width - 18) / names.length;
  /** @type {[string, number][]} */
  const found = Object.entries(field).map(([one, place]) => [one, (names.indexOf(String(place)) + 0.5) * step]);
  const markers = found.sort((a, b) => a[1] - b[1]);
  const at = apart(markers.map(([, x]) => x), Math.min(25, (width - 40) / markers.length), 13, width - 31);
  const taken = new Set(Object.values(field).map(String));
  return ctx.target(
    h(
      "div",
      { class: "strip", style: { "--fields": names.length } },
      h("div", { class: "strip-markers" }, markers.map(([one], i) => h("span", { style: { left: `${at[i].toFixed(1)}px` } }, token(one, shown.zone, ctx, 24)))),
      names.map((name, i) => h("span", { class: `strip-field ${taken.has(name) ? "taken" : ""}` }, h("i", {}), h("small", {}, label(name, i) ? name : ""))),
    ),
    { zone: shown.zone, spot: "", says: `${nameOf(shown, ctx.layout)}, ${first}–${last}: ${ctx.placeWords(shown.zone, "")}`, whole: true },
  );
}

/** These places in order, moved so that no two are nearer than that. */
function apart(places, least, from, to) {
  const found = [...places];
  for (let i = 0; i < found.length; i++) found[i] = Math.max(found[i], i ? found[i - 1] + least : from);
  for (let i = found.length - 1; i >= 0; i--) found[i] = Math.min(found[i], i < found.length - 1 ? found[i + 1] - least : to);
  return found;
}

/** Dice side by side.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function dicePart(part, ctx) {
  return part.zones.map((shown) => [
    heading({ ...part, zones: [shown] }, ctx),
    ctx.target(
      h("div", { class: "dice-row" }, counts(shown.zone, ctx.view[shown.zone], ctx).flatMap(([said, number]) => Array.from({ length: number }, () => token(said, shown.zone, ctx, 32)))),
      { zone: shown.zone, spot: "", says: nameOf(shown, ctx.layout), whole: true },
    ),
  ]);
}

/** What a column beside a board has: each zone in a small box with its name.
    @param {ResolvedPart} part
    @param {Context} ctx */
export function sidePart(part, ctx) {
  return part.zones.map((shown) =>
    ctx.target(h("div", { class: `side-box ${shown.as ?? ""}` }, h("span", { class: "side-title" }, nameOf(shown, ctx.layout)), h("div", { class: "side-things" }, inside(shown, ctx, 20))), {
      zone: shown.zone,
      spot: "",
      says: nameOf(shown, ctx.layout),
      whole: true,
      quiet: true,
    }),
  );
}
