// Names where there is little room: how wide they are, where long ones may break, and lines that fit.

import { svg } from "../core/dom.js";

const SIZE = 12; // px, as small as text may be
const LINE = 14; // px from line to line
const LONG = 10; // letters of a word that may be broken
const LEAST = 0.72; // of its natural width, before a line is broken
const MORE = 1.04; // a drawing takes so much more than a measured line
const BREAK = "\u00ad";

let canvas = null;

/** How wide a text is in px. */
export function textWidth(words, font) {
  canvas ??= document.createElement("canvas").getContext("2d");
  canvas.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  return canvas.measureText(words).width;
}

/** The same words with places where a long German compound may be broken. */
export function softened(words) {
  return words.replace(/\p{L}+/gu, (word) => (word.length < LONG ? word : word.replace(/^(\p{L}+?(?:ens|ungs|nst|old|en))(?=\p{L}{4})/u, `$1${BREAK}`)));
}

/** The attributes of an SVG text that fits: bold if there is room for that, else drawn a little closer together. */
export function within(words, room, size = SIZE) {
  for (const large of [size, SIZE]) {
    const bold = textWidth(words, `650 ${large}px`) * MORE + 1;
    if (bold <= room) return { width: bold, "font-size": large };
  }
  const plain = textWidth(words, `500 ${SIZE}px`) * MORE + 1;
  const tight = plain > room;
  const width = Math.min(plain, room);
  return { width, "font-size": SIZE, class: "light", textLength: tight ? width.toFixed(1) : null, lengthAdjust: tight ? "spacingAndGlyphs" : null };
}

/** A name in as many lines as it needs to be read. */
export function fitted(words, room) {
  const lines = linesOf(words, room).map((line) => ({ line, ...within(line, room) }));
  const width = Math.max(...lines.map((one) => one.width));
  const height = LINE * lines.length + 2;
  return svg(
    "svg",
    { class: "fitted", viewBox: `0 0 ${width.toFixed(1)} ${height}`, width: width.toFixed(1), height },
    lines.map(({ line, width: own, ...look }, i) => svg("text", { ...look, x: ((width - own) / 2).toFixed(1), y: 12 + LINE * i }, line)),
  );
}

function linesOf(words, room) {
  const fits = (line) => room / textWidth(line, `500 ${SIZE}px`) >= LEAST;
  if (fits(words)) return [words];
  const pieces = words.split(" ").flatMap((word) => (fits(word) ? [word] : softened(word).split(BREAK).map((one, i, all) => (i < all.length - 1 ? `${one}-` : one))));
  const lines = [];
  for (const piece of pieces) {
    const longer = `${lines.at(-1)} ${piece}`;
    if (lines.length && !lines.at(-1).endsWith("-") && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(piece);
  }
  return lines;
}
