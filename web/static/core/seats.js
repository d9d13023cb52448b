// Seats as people see them: a colour, always with a shape and a letter of its own.

import { h, svg } from "./dom.js";
import { both, t } from "./words.js";

/** Colours that pieces come in. `ink` is what can be read on them. */
export const COLOURS = {
  blue: { fill: "#2b68c8", ink: "#ffffff", shape: "circle" },
  yellow: { fill: "#f3c22f", ink: "#2b2200", shape: "triangle" },
  purple: { fill: "#8246b4", ink: "#ffffff", shape: "diamond" },
  grey: { fill: "#9aa2a6", ink: "#14191b", shape: "square" },
  red: { fill: "#c93a32", ink: "#ffffff", shape: "pentagon" },
  green: { fill: "#2a7d45", ink: "#ffffff", shape: "hexagon" },
  orange: { fill: "#ee8a2c", ink: "#2b1600", shape: "star" },
  black: { fill: "#262b2e", ink: "#ffffff", shape: "cross" },
  white: { fill: "#f8f7f2", ink: "#1d2528", shape: "shield" },
  brown: { fill: "#83552f", ink: "#ffffff", shape: "house" },
  pink: { fill: "#ee9bc0", ink: "#3a0d22", shape: "drop" },
  turquoise: { fill: "#1f9e9a", ink: "#001f1e", shape: "leaf" },
  natural: { fill: "#d9b784", ink: "#2e1f08", shape: "circle" },
};
COLOURS.gray = COLOURS.grey;
COLOURS.violet = COLOURS.purple;
COLOURS.wood = COLOURS.natural;

const NOBODY = { fill: "#7d8689", ink: "#ffffff", shape: "circle" };

// Each on a field from -12 to 12, all of about the same weight to the eye.
const SHAPES = {
  circle: "M0-11a11 11 0 1 1 0 22a11 11 0 1 1 0-22z",
  triangle: "M0-12L12.5 10H-12.5z",
  diamond: "M0-13L12 0L0 13L-12 0z",
  square: "M-10-10H10V10H-10z",
  pentagon: "M0-12L12-3L7.5 11H-7.5L-12-3z",
  hexagon: "M-6-11H6L12 0L6 11H-6L-12 0z",
  star: "M0-13L3.8-4.5L13-4L6 2.5L8.5 12L0 7L-8.5 12L-6 2.5L-13-4L-3.8-4.5z",
  cross: "M-5-11H5V-5H11V5H5V11H-5V5H-11V-5H-5z",
  shield: "M-10-11H10V1C10 7 4 11 0 12.5C-4 11-10 7-10 1z",
  house: "M0-12L11-3V11H-11V-3z",
  drop: "M0-13C6-5 10-1 10 4A10 9 0 0 1-10 4C-10-1-6-5 0-13z",
  leaf: "M-11-11H3A8 8 0 0 1 11-3V11H-3A8 8 0 0 1-11 3z",
};

/** How a colour is drawn. */
export function paint(colour) {
  return COLOURS[colour] ?? NOBODY;
}

export function shape(name) {
  return SHAPES[name] ?? SHAPES.circle;
}

/** A colour's word: the game's own where it has one.
    @param {Named} layout */
export function colourWord(colour, layout) {
  return both(layout?.colours?.[colour] ?? layout?.labels?.[colour]) || t(`colour.${colour}`);
}

/** A letter for every seat, or more where colours begin alike.
    @param {{colour: string, name?: string}[]} seats
    @param {Named} layout
    @param {Seat[]} seats */
export function letters(seats, layout) {
  return shortest(seats.map((seat) => colourWord(seat.colour, layout)));
}

/** The first letter of each word, with another of its letters where words begin alike: "Pu" and "Pi", "Bu" and "Ba". */
export function shortest(words) {
  const large = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return large.map((word, i) => {
    const alike = large.filter((other, j) => j !== i && other !== word && other[0] === word[0]);
    if (!alike.length) return word.slice(0, 1);
    const apart = [...word].findIndex((letter, at) => at > 0 && alike.every((other) => other[at] !== letter));
    return apart < 0 ? word.slice(0, 3) : word[0] + word[apart];
  });
}

/** What a seat is called: its person's name, or its colour.
    @param {{colour: string, name?: string}[]} seats
    @param {Named} layout
    @param {Seat[]} seats */
export function seatName(seats, number, layout) {
  const seat = seats?.[number];
  return seat ? seat.name || colourWord(seat.colour, layout) : "";
}

/** A colour's shape with its letter, as a group around (0, 0), 24 wide. */
export function markGroup(colour, letter) {
  const { fill, ink, shape: name } = paint(colour);
  const two = letter.length > 1;
  const low = name === "triangle" ? 8 : name === "drop" ? 7 : 4.5;
  return svg(
    "g",
    { class: "mark" },
    svg("path", { d: shape(name), fill, class: "mark-shape" }),
    svg("text", { y: low, fill: ink, class: `mark-letter ${two ? "two" : ""}`, textLength: two ? 15 : null, lengthAdjust: two ? "spacingAndGlyphs" : null }, letter),
  );
}

/** The same as a small picture. */
export function mark(colour, letter) {
  return svg("svg", { class: "seat-mark", viewBox: "-14 -14 28 28", "aria-hidden": "true" }, markGroup(colour, letter));
}

/** A seat as a chip: mark and name.
    @param {{colour: string, name?: string}[]} seats
    @param {Named} layout
    @param {Seat[]} seats */
export function chip(seats, number, layout, { short = false, ...props } = {}) {
  const seat = seats[number];
  const letter = letters(seats, layout)[number];
  return h(
    "span",
    { class: "chip", title: colourWord(seat.colour, layout), ...props },
    mark(seat.colour, letter),
    h("span", { class: short ? "visually-hidden" : "chip-name" }, seatName(seats, number, layout)),
  );
}
