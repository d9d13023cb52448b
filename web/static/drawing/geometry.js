// Rectangles on the table, [x, y, width, height] in millimetres: turned, grown, packed, drawn.

import { svg } from "../core/dom.js";

/** The table turned by quarters clockwise; pieces stay upright. */
export function turning({ width, height }, quarter) {
  const point = [
    (x, y) => [x, y],
    (x, y) => [height - y, x],
    (x, y) => [width - x, height - y],
    (x, y) => [y, width - x],
  ][quarter];
  /** @param {number[]} box */
  const turned = ([x, y, w, h]) => {
    const [[x1, y1], [x2, y2]] = [point(x, y), point(x + w, y + h)];
    return [Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)];
  };
  return { quarter, point, rect: turned };
}

/** How the table looks from a seat: turned by a half, two quarters, if that seat's things lie at the far side.
    @param {Layout} layout */
export function facing(layout, seat) {
  if (seat === null || seat === undefined) return 0;
  const own = Object.values(layout.zones).filter((zone) => zone.seat === seat && zone.rect);
  const middle = own.reduce((sum, { rect: [, y, , h] }) => sum + y + h / 2, 0) / (own.length || 1);
  return own.length && middle < layout.area.height / 2 ? 2 : 0;
}

/** In how many columns so many things, each so wide and high, become largest; never beyond `most` times their size. */
export function packed(number, width, height, w, h, most) {
  let best = { columns: 1, scale: 0 };
  for (let columns = 1; columns <= number; columns++) {
    const scale = Math.min(width / (columns * w), height / (Math.ceil(number / columns) * h), most);
    if (scale > best.scale + 1e-9) best = { columns, scale };
  }
  return best;
}

/** @param {number[]} box */
export function rect([x, y, width, height], kind, angle = 0) {
  const transform = angle ? `rotate(${angle} ${x + width / 2} ${y + height / 2})` : null;
  return svg("rect", { class: kind, x, y, width, height, rx: 5, transform });
}

/** An arrow that can be seen on any ground. */
export function arrow(x1, y1, x2, y2) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = (side) => `L${x2 - ux * 26 + side * uy * 15} ${y2 - uy * 26 - side * ux * 15}`;
  return [
    svg("path", { class: "carry-under", d: `M${x1} ${y1}L${x2} ${y2}` }),
    svg("path", { class: "carry", d: `M${x1} ${y1}L${x2 - ux * 18} ${y2 - uy * 18}` }),
    svg("path", { class: "carry-head", d: `M${x2} ${y2}${head(1)}${head(-1)}z` }),
  ];
}

/** @param {number[]} box */
export function grown([x, y, w, h], by) {
  return [x - by, y - by, w + 2 * by, h + 2 * by];
}

/** The rectangle around all of these.
    @param {number[][]} boxes */
export function hull(boxes) {
  const [left, top] = [Math.min(...boxes.map((b) => b[0])), Math.min(...boxes.map((b) => b[1]))];
  const right = Math.max(...boxes.map((b) => b[0] + b[2]));
  return [left, top, right - left, Math.max(...boxes.map((b) => b[1] + b[3])) - top];
}
