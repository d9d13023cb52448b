// Any piece of any game, drawn from its label: colours become figures, numbers pips, known words signs, others letters.

import { svg } from "../core/dom.js";
import { LOOKS } from "./looks.js";
import { COLOURS, markGroup, paint, shortest } from "../core/seats.js";
import { both } from "../core/words.js";

export const PIPS = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};
const RANGE = /\d+-\d+$/; // numbers that a piece shows, such as a part of a board
const BACKS = ["back", "hidden", "used"];
const GAINS = /^(?:([A-Z]{1,4}) )?([a-z]+\d+(?:[ _][a-z]+\d+)+|(?<=[A-Z] )[a-z]+\d+)$/;
const GROUNDS = ["#cfe0ee", "#ead7e6", "#dfe8c8", "#f1dcc6", "#d6dff5", "#cfe8e0", "#efe3b9", "#e6d3cf"];

/** What a label is made of: "blue x2" is {stem: "blue", times: 2}, "bread3" {stem: "bread", number: 3},
    "no_mercy" {stem: "mercy", not: true}, "red 5" {colour: "red", number: 5}; "board 1-2" has no number.
    @param {string} label */
export function read(label) {
  const [, base, times] = /^(.*?)(?: x(\d+))?$/.exec(label);
  const words = base.split(/[ _]+|-(?!\d)/).filter(Boolean);
  const not = words.length > 1 && words[0] === "no";
  if (not) words.shift();
  const colour = words.find((word) => word in COLOURS) ?? null;
  const rest = words.filter((word) => word !== colour).join(" ");
  const [, stem, number] = RANGE.test(rest) ? [null, rest, null] : /^(.*?)(\d+)?$/.exec(rest);
  return { stem: stem.trim(), number: number ? Number(number) : null, colour, times: times ? Number(times) : 1, not };
}

const SOLID = ["house", "pawn", "disc", "cube", "statue", "meeple"]; // words for figures of any colour

/** Whether a label, or how it looks in words, is a figure of one colour. */
export function isFigure(look) {
  const { stem, colour, number } = read(look);
  return colour !== null && number === null && (!stem || SOLID.includes(stem));
}

/** A label's word in the language spoken now.
    @param {string} label
    @param {Layout} layout */
export function labelWord(label, layout) {
  const { stem, colour, times } = read(label);
  const known = (name) => both(layout?.labels?.[name] ?? layout?.colours?.[name] ?? layout?.labels?.[`${name}1`]);
  const single = label.replace(/ x\d+$/, "");
  const word =
    known(single) || [colour && (known(colour) || colour), stem && (known(stem) || stem)].filter(Boolean).join(" ");
  return times > 1 ? `${times} × ${word}` : word || single;
}

/** The name in a piece's word: what is quoted in it («1 bread»), else all of it. */
function quoted(word) {
  return (/«(.+)»/.exec(word)?.[1] ?? word).replace(/^[\d\s×]+/, "");
}

/** The letter that goes with a piece's colour or sign; more where another piece of its family begins with it.
    @param {string} label
    @param {Layout} layout */
function letterOf(label, layout) {
  const name = (one) => {
    const word = quoted(labelWord(one, layout));
    return word.charAt(0).toUpperCase() + word.slice(1);
  };
  const labels = Object.values(layout?.pieces ?? {}).find((family) => family.labels.includes(label))?.labels ?? [];
  const names = [...new Set([name(label), ...labels.map(name)])];
  return shortest(names)[0];
}

/** A piece around (0, 0), so wide and so high. `how`: round, dice (a die, not a tile), letter (of a seat's colour),
    look (in words, where its label does not say it: "black pawn", or "AB gold3" for letters and what they bring),
    blank (a die of which only the colour matters).
    @param {string} label
    @param {Layout} layout */
export function piece(label, width, height, layout, how = {}) {
  const parts = read(label);
  const node = svg("g", { class: "piece" }, drawn(label, parts, width, height, layout, how));
  if (parts.times > 1) node.append(badge(parts.times, width, height));
  return node;
}

/** @param {string} label
    @param {Layout} layout */
function drawn(label, parts, width, height, layout, how) {
  if (label === "unknown") return unknown(width, height);
  const look = how.look ?? label;
  if (isFigure(look)) return figure(look, label, Math.min(width, height), layout, how);
  if (GAINS.test(look)) return gains(look, label, width, height, layout, how);
  if (BACKS.includes(parts.stem)) return back(width, height, how.round, parts.colour);
  const seen = look === label ? parts : read(look);
  if (how.dice || parts.stem.split(" ")[0] === "die") return die(seen, Math.min(width, height), how.blank);
  return tile(label, seen, width, height, layout, how);
}

/** @param {string} label
    @param {Layout} layout */
function figure(look, label, size, layout, how) {
  const { colour } = read(look);
  const own = label.replace(/ x\d+$/, "");
  const word = own === colour ? both(layout?.colours?.[colour]) || colour : letterOf(own, layout);
  const letter = how.letters?.[own] ?? word[0].toUpperCase();
  const mark = markGroup(colour, letter);
  mark.setAttribute("transform", `scale(${size / 26})`);
  return mark;
}

/** Letters, if there are any, and below them what a piece brings.
    @param {string} label
    @param {Layout} layout */
function gains(look, label, width, height, layout, { round }) {
  const [, signs, brings] = GAINS.exec(look);
  const parts = [...brings.matchAll(/([a-z]+?)s?(\d+)/g)];
  const size = Math.min(width, height);
  const step = Math.min(width / Math.max(parts.length, 1), size * 0.5);
  const low = signs ? height * 0.24 : 0;
  return [
    ground(width, height, round, "#f1e6c9"),
    signs && text(signs, 0, -height * 0.2, Math.min(size * 0.46, (width * 1.3) / signs.length), "#1d2528"),
    parts.map(([, word, number], i) => {
      const x = (i - (parts.length - 1) / 2) * step;
      const own = LOOKS[word] ?? { fill: GROUNDS[hash(word) % GROUNDS.length], ink: "#1d2528" };
      return [
        svg("circle", { cx: x, cy: low, r: step * 0.44, fill: own.fill, stroke: own.ink, "stroke-width": step * 0.05 }),
        text(number, x, low, step * 0.6, own.ink),
      ];
    }),
    svg("title", {}, labelWord(label, layout)),
  ];
}

/** @param {string} label
    @param {Layout} layout */
function tile(label, parts, width, height, layout, { round }) {
  const known = LOOKS[parts.stem] ?? LOOKS[parts.stem.replace(/s$/, "")] ?? LOOKS[parts.stem.split(" ")[0]];
  const look = known && parts.colour ? { ...known, ...paint(parts.colour) } : (known ?? letters(label, parts, layout));
  const size = Math.min(width, height);
  return [
    ground(width, height, round, look.fill),
    look.sign ? sign(look, size, parts) : text(look.text, 0, 0, size * 0.42, look.ink),
    parts.not &&
      svg("path", { class: "piece-not", d: `M${-size * 0.36} ${size * 0.36}L${size * 0.36} ${-size * 0.36}` }),
    parts.number !== null && number(parts.number, width, height, look),
    look.sign && text(letterOf(label, layout), -width * 0.34, height * 0.34, size * 0.24, look.ink, "piece-letter"),
    svg("title", {}, labelWord(label, layout)),
  ];
}

/** @param {string} label
    @param {Layout} layout */
function letters(label, parts, layout) {
  const word = parts.colour ? labelWord(parts.stem || label, layout).trim() : quoted(labelWord(label, layout));
  const ground = parts.colour
    ? paint(parts.colour)
    : { fill: GROUNDS[hash(parts.stem || label) % GROUNDS.length], ink: "#1d2528" };
  return { ...ground, text: RANGE.exec(label)?.[0] ?? word.slice(0, 2) };
}

function hash(word) {
  return [...word].reduce((sum, char) => (sum * 31 + char.codePointAt(0)) >>> 0, 7);
}

function ground(width, height, round, fill) {
  if (round) return svg("ellipse", { class: "piece-ground", rx: width / 2, ry: height / 2, fill });
  return svg("rect", {
    class: "piece-ground",
    x: -width / 2,
    y: -height / 2,
    width,
    height,
    rx: Math.min(width, height) * 0.12,
    fill,
  });
}

function sign(look, size, { number }) {
  const lift = number === null ? 0 : -size * 0.08;
  const scale = (size / 24) * (number === null ? 0.72 : 0.62);
  return svg("path", {
    d: look.sign,
    "fill-rule": "evenodd",
    transform: `translate(${number === null ? 0 : -size * 0.08} ${lift}) scale(${scale})`,
    ...(look.line
      ? { fill: "none", stroke: look.ink, "stroke-width": 2.4, "stroke-linecap": "round" }
      : { fill: look.ink }),
  });
}

function number(value, width, height, look) {
  const size = Math.min(width, height);
  const r = size * 0.21;
  const [x, y] = [width / 2 - r * 1.15, height / 2 - r * 1.15];
  return [svg("circle", { cx: x, cy: y, r, fill: look.ink }), text(value, x, y, String(value).length > 1 ? r * 1.2 : r * 1.6, look.fill)];
}

function badge(times, width, height) {
  const r = Math.min(width, height) * 0.26;
  const [x, y] = [width / 2 - r * 0.6, height / 2 - r * 0.6];
  return svg("g", { class: "badge" }, svg("circle", { cx: x, cy: y, r }), text(times, x, y, r * 1.5, null));
}

function die({ number: value, colour }, size, blank = false) {
  const { fill, ink } = paint(colour ?? "white");
  const pips = PIPS[value];
  return [
    svg("rect", {
      class: "piece-ground",
      x: -size / 2,
      y: -size / 2,
      width: size,
      height: size,
      rx: size * 0.2,
      fill,
    }),
    !blank && pips
      ? pips.map(([x, y]) => svg("circle", { cx: x * size * 0.26, cy: y * size * 0.26, r: size * 0.1, fill: ink }))
      : !blank && text(value ?? "?", 0, 0, size * 0.6, ink),
  ];
}

/** @param {string} colour */
function back(width, height, round, colour) {
  const { fill, ink } = colour ? paint(colour) : { fill: "#7a6a58", ink: "#cdbfa9" };
  const size = Math.min(width, height);
  return [
    ground(width, height, round, fill),
    svg("path", {
      class: "piece-back",
      stroke: ink,
      d: `M0 ${-size * 0.28}L${size * 0.28} 0L0 ${size * 0.28}L${-size * 0.28} 0z`,
    }),
  ];
}

function unknown(width, height) {
  return [
    svg("rect", {
      class: "piece-unknown",
      x: -width / 2,
      y: -height / 2,
      width,
      height,
      rx: Math.min(width, height) * 0.12,
    }),
    text("?", 0, 0, Math.min(width, height) * 0.6, null, "piece-question"),
  ];
}

/** A text whose middle is at a point. */
export function text(value, x, y, size, fill, kind = "") {
  return svg("text", { class: `piece-text ${kind}`, x, y: y + size * 0.36, "font-size": size, fill }, value);
}
