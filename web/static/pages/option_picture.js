// The picture of an option: the pieces it is about, or whose it is.

import { h, svg } from "../core/dom.js";
import { piece } from "../drawing/pieces.js";
import { letters, mark } from "../core/seats.js";

const MOST = 8; // more pieces than this are told in words
const TALL = 26; // the height of a picture in its own measure

/** @param {App} app */
export function optionPicture(app, option) {
  const seats = app.standing?.table.seats ?? [];
  if (Number.isInteger(option.seat) && seats[option.seat]) {
    return mark(seats[option.seat].colour, letters(seats, app.layout)[option.seat]);
  }
  if (option.looks?.length > 1) return lookPicture(app, option.looks);
  const labels = pictured(option);
  if (!labels.length || labels.length > MOST) return null;
  return h(
    "span",
    { class: "pieces", "aria-hidden": "true" },
    labels.map((label) => piecePicture(app, label)),
  );
}

/** The pieces that an option is about: its own, or the one that would lie in the place that is asked about. */
export function pictured({ label, labels, looks }) {
  if (labels?.length) return labels;
  return [label ?? (looks?.length === 1 ? looks[0][2] : null)].filter(Boolean);
}

/** Several cells as they would look, side by side as they lie: what a board shows.
    @param {App} app */
function lookPicture(app, looks) {
  const found = looks.map(([zone, cell, label]) => {
    const { cells, holds } = app.layout?.zones[zone] ?? {};
    return { box: cells?.[cell], label, look: app.layout?.pieces?.[holds]?.looks?.[label] };
  });
  const cells = found.filter((one) => one.box);
  if (!cells.length) return null;
  const [left, top] = [0, 1].map((axis) => Math.min(...cells.map(({ box }) => box[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...cells.map(({ box }) => box[axis] + box[axis + 2])));
  const drawn = cells.map(({ box: [x, y, w, h], label, look }) => {
    const one = piece(label, w * 0.98, h * 0.98, app.layout, { look });
    one.setAttribute("transform", `translate(${x + w / 2} ${y + h / 2})`);
    return one;
  });
  const viewBox = `${left} ${top} ${right - left} ${bottom - top}`;
  return svg("svg", { class: "look-picture", viewBox, "aria-hidden": "true" }, drawn);
}

/** One piece as a small picture, in the shape it has in the box.
    @param {App} app */
export function piecePicture(app, label) {
  const kind = Object.values(app.layout?.pieces ?? {}).find((one) => one.labels?.includes(label));
  const [wide, high] = kind?.size ?? [1, 1];
  const width = (TALL * wide) / high;
  const box = `${-width / 2 - 1} ${-TALL / 2 - 1} ${width + 2} ${TALL + 2}`;
  const how = { round: kind?.round, letters: byColour(app), look: kind?.looks?.[label] };
  const drawn = piece(label, width, TALL, app.layout, how);
  return svg("svg", { class: "piece-picture", viewBox: box }, drawn);
}

/** @param {App} app */
function byColour(app) {
  const seats = app.standing?.table.seats ?? [];
  const found = letters(seats, app.layout);
  return Object.fromEntries(seats.map((seat, index) => [seat.colour, found[index]]));
}
