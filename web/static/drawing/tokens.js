// Pieces as the panels show them: signs with numbers in the size of the text, dice, figures of a seat with its letter.

import { h, svg } from "../core/dom.js";
import { COLOURS, paint, shape, shortest } from "../core/seats.js";
import { both } from "../core/words.js";
import { LOOKS } from "./looks.js";
import { fitted } from "./names.js";
import { labelWord, PIPS, read } from "./pieces.js";

// What figures of a colour look like, on a field from -12 to 12.
const SOLIDS = {
  house: shape("house"),
  pawn: "M0-12a5 5 0 0 1 3 9c5 1 7 4 8 14h-22c1-10 3-13 8-14a5 5 0 0 1 3-9z",
  meeple: "M0-12a4.5 4.5 0 0 1 4 6l8 3v5l-6 1 4 9H-10l4-9-6-1v-5l8-3a4.5 4.5 0 0 1 4-6z",
  statue: "M-8-12H8v5H6V7h2v5H-8V7h2V-7h-2z",
  disc: shape("circle"),
  cube: shape("square"),
};
const BRINGS = /^(?:([^:]+):\s*)?((?:[A-Z]{1,4}\s)?)(.*)$/;
const BACKS = ["back", "hidden", "used"];

/** What a label says of its piece: {colour, solid, tile, name, letters, brings: [[word, number]], die, back, times}.
    @returns {Meaning}
    @param {string} label
    @param {Context} ctx
    @param {string} zone */
export function meaning(label, ctx, zone) {
  const { stem, number, colour, times, not } = read(label);
  const single = label.replace(/ x\d+$/, "");
  const family = ctx.layout.pieces?.[ctx.layout.zones[zone]?.holds];
  const printed = ctx.layout.printed?.[single];
  const look = /[a-z]\d/.test(printed ?? "") ? printed : (family?.looks?.[single] ?? single);
  const base = { label: single, times, colour, not, name: plainWord(single, ctx.layout) };
  if (single === "unknown") return { ...base, unknown: true };
  if (BACKS.includes(stem)) return { ...base, back: true };
  if (stem === "die" || ctx.layout.zones[zone]?.kind === "dice") return { ...base, ...die(single, look, colour, number) };
  const script = /^(\S+) (\d+) (.+)$/.exec(look);
  if (script && script[1] in COLOURS) return { ...base, ribbon: true, colour: script[1], number: Number(script[2]), tile: script[3] };
  const seen = read(look);
  const own = stem.replace(/_/g, " ");
  if (colour && LOOKS[own] && (LOOKS[own].tile || !SOLIDS[seen.stem])) return { ...base, tile: own };
  if (seen.colour && seen.number === null && (!seen.stem || SOLIDS[seen.stem])) {
    const solid = seen.stem === "pawn" && SOLIDS[own] ? own : seen.stem;
    return { ...base, colour: seen.colour, solid, figure: true };
  }
  const found = gains(look);
  if (found) return { ...base, ...found };
  return { ...base, tile: own || single, number };
}

/** @param {string} label
    @param {string} colour */
function die(label, look, colour, number) {
  const seen = read(look);
  return { die: true, pips: number, colour: seen.colour ?? colour, good: label.replace(/ \d+$/, "") };
}

/** "AB gold3 cards1" or "tinker: cleric1 silver2": letters or a kind, and what it brings; null for another look.
    @returns {{letters: string, kind: string, brings: Gains} | null} */
export function gains(look) {
  const [, kind, letters, rest] = BRINGS.exec(look) ?? [];
  /** @type {Gains} */
  const brings = [...(rest ?? "").matchAll(/([a-z]+?)(\d+)(?=[\s_]|$)/g)].map(([, word, count]) => [word, Number(count)]);
  const said = (rest ?? "").replace(/([a-z]+?)(\d+)(?=[\s_]|$)/g, "").replace(/[\s_]/g, "");
  if (!brings.length || (said && brings.length > 1 && kind)) return null;
  const lead = said ? (rest ?? "").trim().split(/[\s_]/)[0] : "";
  if (!kind && !letters.trim() && brings.length === 1 && !lead) return null;
  return { letters: letters.trim(), kind: kind ?? lead, brings };
}

/** The name in a piece's word: what is quoted in it, or all of it.
    @param {string} label
    @param {Layout} layout */
export function plainWord(label, layout) {
  const word = labelWord(label, layout);
  return (/[«“"](.+)[»”"]/.exec(word)?.[1] ?? word).trim();
}

export function lookOf(word) {
  if (!word) return null;
  const single = word.replace(/s$/, "");
  return LOOKS[word] ?? LOOKS[single] ?? LOOKS[word.split(" ")[0]] ?? null;
}

/** The sign of a word as a small picture; null if it has none. */
export function sign(word, size = 20, ink = null) {
  const look = lookOf(word);
  return look && svg("svg", { class: "sign", viewBox: "-13 -13 26 26", width: size, height: size, "aria-hidden": "true" }, signPath(look, ink ?? look.ink));
}

export function signPath(look, ink) {
  const line = { fill: "none", stroke: ink, "stroke-width": 2.6, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return svg("path", { d: look.sign, "fill-rule": "evenodd", ...(look.line ? line : { fill: ink }) });
}

/** A sign on a disc of its ground, and a number: what something brings or costs. */
export function amount(word, number, size = 18) {
  const look = lookOf(word);
  const disc =
    look &&
    svg(
      "svg",
      { class: "disc-sign", viewBox: "-18 -18 36 36", width: size, height: size, "aria-hidden": "true" },
      svg("circle", { r: 17, fill: look.fill, stroke: look.ink, "stroke-width": 1.6 }),
      signPath(look, look.ink),
    );
  const words = disc ? null : h("span", { class: "amount-word" }, word);
  return h("span", { class: "amount" }, disc ?? words, number === null ? null : h("b", {}, number));
}

/** The letters by which pieces of a family are told apart where only their colour differs.
    @param {string} zone
    @param {Context} ctx */
export function initials(zone, ctx) {
  const family = ctx.layout.pieces?.[ctx.layout.zones[zone]?.holds]?.labels ?? [];
  const all = family.map((label) => plainWord(label, ctx.layout).split(/[\s:()]+/).filter(Boolean));
  const alike = new Set(all.map(([first]) => first)).size === 1;
  const words = all.map((parts) => (alike ? parts.at(-1) : parts[0]) ?? "");
  const short = shortest(words);
  return Object.fromEntries(family.map((label, i) => [label, short[i]]));
}

/** @param {string} label
    @param {string} zone
    @param {Context} ctx */
export function letterFor(label, zone, ctx) {
  const { colour } = read(ctx.layout.pieces?.[ctx.layout.zones[zone]?.holds]?.looks?.[label] ?? label);
  return ctx.letters[colour] ?? initials(zone, ctx)[label] ?? (plainWord(label, ctx.layout)[0] ?? "?").toUpperCase();
}

/** A figure as part of an SVG drawing, around (0, 0); its letter is never smaller than text may be.
    @param {Meaning} said
    @param {string} zone
    @param {Context} ctx */
export function figure(said, zone, ctx, size) {
  const letter = letterFor(said.label, zone, ctx);
  const { fill, ink, shape: own } = paint(said.colour);
  const king = !ctx.letters[said.colour] && said.solid && lookOf(said.label);
  const shaped = king ? "disc" : said.solid || (ctx.letters[said.colour] ? own : "disc");
  return svg(
    "g",
    { class: "figure" },
    svg("path", { class: "figure-shape", d: SOLIDS[shaped] ?? shape(shaped), fill, transform: `scale(${round(size / 26)})` }),
    king
      ? svg("g", { transform: `scale(${round(size / 40)})` }, signPath(king, "#f6d25a"))
      : letterOn(letter, ink, size, LOW[shaped] ?? 0),
  );
}

// Units by which the letter of a shape stands below its middle.
const LOW = { triangle: 4, drop: 3, house: 2, pawn: 5, meeple: 5, pentagon: 1 };
const SMALLEST = 12; // px of any text

function letterOn(letter, ink, size, low) {
  const font = Math.max(SMALLEST, size * (letter.length > 1 ? 0.42 : 0.5));
  const most = size * (letter.length > 2 ? 0.8 : 0.66);
  const tight = letter.length > 1 && font * 0.62 * letter.length > most;
  return svg("text", { class: "figure-letter", y: round((low * size) / 26 + font * 0.36), fill: ink, "font-size": round(font), textLength: tight ? round(most) : null, lengthAdjust: tight ? "spacingAndGlyphs" : null }, letter);
}

/** A seat's shape with a number instead of its letter.
    @param {string} colour */
export function numbered(colour, number, size) {
  const { fill, ink, shape: own } = paint(colour);
  return svg("g", { class: "figure" }, svg("path", { class: "figure-shape", d: shape(own), fill, transform: `scale(${round(size / 26)})` }), letterOn(String(number), ink, size, LOW[own] ?? 0));
}

function round(number) {
  return Math.round(number * 100) / 100;
}

/** The mark of a seat as a small picture in the size of the text.
    @param {string} colour */
export function seatPicture(colour, letter, size) {
  const { fill, ink, shape: own } = paint(colour);
  const r = size / 2 + 1;
  return svg(
    "svg",
    { class: "seat-mark", viewBox: `${-r} ${-r} ${2 * r} ${2 * r}`, style: { width: `${2 * r}px`, height: `${2 * r}px` }, "aria-hidden": "true" },
    svg("path", { class: "figure-shape", d: shape(own), fill, transform: `scale(${round(size / 26)})` }),
    letterOn(letter, ink, size, LOW[own] ?? 0),
  );
}

/** A die as part of an SVG drawing, around (0, 0), with the sign of what it stands for.
    @param {Meaning} said
    @param {Context} ctx */
export function dieGroup(said, ctx, size, { blank = false } = {}) {
  const { fill, ink } = paint(said.colour ?? "white");
  const pips = blank ? [] : (PIPS[said.pips] ?? []);
  const good = lookOf(ctx.goods?.[said.good]);
  const r = size * 0.29;
  return svg(
    "g",
    { class: "die" },
    svg("rect", { class: "die-body", x: -size / 2, y: -size / 2, width: size, height: size, rx: size * 0.2, fill }),
    pips.map(([x, y]) => svg("circle", { cx: x * size * 0.26, cy: y * size * 0.26, r: size * 0.085, fill: ink })),
    good &&
      svg(
        "g",
        { transform: blank ? `scale(${size / 36})` : `translate(${size * 0.4} ${size * 0.4}) scale(${r / 17})` },
        !blank && svg("circle", { r: 18, fill: good.fill, stroke: good.ink, "stroke-width": 2 }),
        signPath(good, blank ? ink : good.ink),
      ),
  );
}

function picture(size, room, ...inside) {
  return svg("svg", { class: "token-picture", viewBox: `${-room} ${-room} ${2 * room} ${2 * room}`, width: size, height: size, "aria-hidden": "true" }, inside);
}

/** Any piece, about `size` pixels high, as it stands in a line of text.
    @param {string | Meaning} label
    @param {string} zone
    @param {Context} ctx */
export function token(label, zone, ctx, size = 26) {
  const said = typeof label === "string" ? meaning(label, ctx, zone) : label;
  const drawn = drawnToken(said, zone, ctx, size);
  return said.times > 1 ? h("span", { class: "several" }, drawn, h("b", { class: "times" }, said.times)) : drawn;
}

/** @param {Meaning} said
    @param {string} zone
    @param {Context} ctx */
function drawnToken(said, zone, ctx, size) {
  if (said.unknown) return h("span", { class: "token unknown" }, "?");
  if (said.back) return backToken(said, size);
  if (said.die) return picture(size * 1.25, size * 0.72, dieGroup(said, ctx, size));
  if (said.figure) return picture(size + 2, size / 2 + 1, figure(said, zone, ctx, size));
  if (said.ribbon) return ribbon(said, zone, ctx);
  if (said.brings) return gainsToken(said, ctx, size);
  return tileToken(said, zone, ctx, size);
}

/** A book with what it costs, and the ribbon of its colour.
    @param {Meaning} said
    @param {string} zone
    @param {Context} ctx */
export function ribbon(said, zone, ctx) {
  const { fill, ink } = paint(said.colour);
  return h(
    "span",
    { class: "token book", title: said.name },
    sign("manuscript", 20),
    h("b", {}, said.number),
    svg(
      "svg",
      { class: "token-picture", viewBox: "-10 -12 20 24", width: 20, height: 24, "aria-hidden": "true" },
      svg("path", { class: "figure-shape", d: "M-9-11H9V11L0 5L-9 11z", fill }),
      letterOn(initials(zone, ctx)[said.label] ?? "", ink, 21, -4),
    ),
  );
}

function backToken({ colour, name }, size) {
  const { fill, ink } = colour ? paint(colour) : { fill: "#7a6a58", ink: "#e9dcc5" };
  return svg(
    "svg",
    { class: "token-picture", viewBox: "-13 -13 26 26", width: size, height: size, role: "img", "aria-label": name },
    svg("rect", { class: "die-body", x: -12, y: -12, width: 24, height: 24, rx: 4, fill }),
    svg("path", { d: "M0-6L6 0L0 6L-6 0z", fill: "none", stroke: ink, "stroke-width": 1.6 }),
  );
}

/** What letters stand for is told by badges of the places they begin.
    @param {Meaning} said
    @param {Context} ctx */
export function gainsToken(said, ctx, size, room = 200) {
  return h(
    "span",
    { class: `token gains ${said.kind ? "named" : ""}` },
    said.letters && h("span", { class: "token-letters" }, [...said.letters].map((letter) => badge(letter, ctx, size * 0.62))),
    said.kind && fitted(nameBefore(said.name), room),
    h("span", { class: "token-brings" }, known(said.brings).map(([word, number]) => amount(word, number, size * 0.7))),
  );
}

/** Only what has a sign is drawn; all of it is told on a tap. */
export function known(brings) {
  const found = brings.filter(([word]) => lookOf(word));
  return found.length ? found : brings.slice(0, 1);
}

/** "banker: 2 iron" and "Tinker (ink)" are said by their first word, for the rest is drawn. */
export function nameBefore(name) {
  const word = name.split(/[:(]/)[0].trim();
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** @param {Meaning} said
    @param {string} zone
    @param {Context} ctx */
function tileToken(said, zone, ctx, size) {
  const look = lookOf(said.tile);
  const colours = said.colour ? paint(said.colour) : (look ?? { fill: "#e6ead9", ink: "#1d2528" });
  const letter = said.colour && letterFor(said.label, zone, ctx);
  const number = said.number ?? ctx.layout.printed?.[said.label] ?? null;
  return h(
    "span",
    {
      class: `token tile ${said.not ? "not" : ""}`,
      style: { "--fill": colours.fill, "--ink-on": colours.ink, "--size": `${size}px` },
      title: said.name,
    },
    letter && h("b", {}, letter),
    look
      ? sign(said.tile, size * 0.72, colours.ink)
      : h("span", { class: "token-name" }, said.colour ? `${said.tile}${number ?? ""}` : said.name),
    look && number !== null ? h("b", {}, number) : null,
  );
}

// Badges of places: the initial of each on the colour and shape that it is printed in.

const METALS = {
  iron: { fill: "#9db7d8", ink: "#14233a", shape: "diamond" },
  bronze: { fill: "#d3935c", ink: "#2f1600", shape: "hexagon" },
  silver: { fill: "#d5d9dc", ink: "#1d2528", shape: "square" },
  gold: { fill: "#f2cc4d", ink: "#332500", shape: "circle" },
  purple: { fill: "#b899dd", ink: "#260b47", shape: "pentagon" },
};

export function badgeGroup(letter, metal, size) {
  const look = METALS[metal] ?? (COLOURS[metal] && { ...paint(metal) }) ?? { fill: "#e3e0d6", ink: "#1d2528", shape: "circle" };
  return svg(
    "g",
    { class: "place-badge" },
    svg("path", { d: shape(look.shape), fill: look.fill, transform: `scale(${size / 24})` }),
    svg("text", { y: 4.3, fill: look.ink, "font-size": 12 }, letter),
  );
}

/** The badge of the place whose name begins with a letter.
    @param {Context} ctx */
export function badge(letter, ctx, size) {
  const metal = Object.entries(ctx.layout.printed ?? {}).find(([zone]) => zone in ctx.view && zone.endsWith(` ${letter}`))?.[1];
  const wide = Math.max(size, 15);
  return svg(
    "svg",
    { class: "token-picture", viewBox: `${-wide / 2 - 1} ${-wide / 2 - 1} ${wide + 2} ${wide + 2}`, width: wide + 2, height: wide + 2 },
    badgeGroup(letter, metal, wide),
  );
}

/** What of a zone is counted: [said, number] by label, face-down ones last.
    @param {string} zone
    @param {Contents} contents
    @param {Context} ctx
    @returns {[Meaning, number][]} */
export function counts(zone, contents, ctx) {
  return Object.entries(contents.count ?? {})
    .filter(([, number]) => number)
    .map(([label, number]) => /** @type {[Meaning, number]} */ ([meaning(label, ctx, zone), number]))
    .sort(([a], [b]) => Number(a.back ?? false) - Number(b.back ?? false));
}

/** The same with the numbers on tiles added up: 2 tiles of 3 bread are 6 bread.
    @param {string} zone
    @param {Contents} contents
    @param {Context} ctx */
export function sums(zone, contents, ctx) {
  const found = new Map();
  for (const [said, number] of counts(zone, contents, ctx)) {
    const key = said.back || said.figure ? said.label : `${said.colour ?? ""}${said.tile}`;
    const before = found.get(key) ?? [{ ...said, number: null }, 0];
    found.set(key, [before[0], before[1] + number * (said.number ?? 1)]);
  }
  return [...found.values()];
}

/** @param {string} zone
    @param {Contents} contents
    @param {Context} ctx */
export function sumsOrCounts(zone, contents, ctx, summed) {
  return summed ? sums(zone, contents, ctx) : counts(zone, contents, ctx);
}

/** A pawn of a council, with the letter of its colour, as part of an SVG drawing.
    @param {string} label
    @param {string} zone
    @param {Context} ctx */
export function pawn(label, zone, ctx, width) {
  const said = meaning(label, ctx, zone);
  const { fill, ink } = paint(said.colour ?? "grey");
  const letter = initials(zone, ctx)[said.label] ?? "?";
  return svg(
    "g",
    { class: "pawn" },
    svg("circle", { cy: -15, r: width * 0.27, fill }),
    svg("path", { d: `M${-width / 2} 12V-3Q${-width / 2}-9 ${-width / 4}-9H${width / 4}Q${width / 2}-9 ${width / 2}-3V12z`, fill }),
    svg("text", { y: 6, fill: ink, "font-size": 12 }, letter),
  );
}

/** @param {string} label
    @param {Layout} layout */
export function words(label, layout) {
  return both(layout.labels?.[label]) || labelWord(label, layout);
}
