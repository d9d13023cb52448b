// What the camera sees of a place, beside the question about it: people compare, and nobody has to lean over.

import { h, svg } from "../core/dom.js";
import { t } from "../core/words.js";

const MARGIN = 6; // mm that the camera's picture of a zone shows of what is around it

/** The part of the table that all answers are about, or null if that is not one place, or nothing looks at it.
    @param {App} app
    @param {Choices} choices */
export function placePicture(app, choices) {
  const where = choices.where ?? [];
  const name = where[0]?.[0];
  const zone = app.layout?.zones[name];
  if (!zone || where.some((place) => place[0] !== name)) return null;
  const figure = h(
    "figure",
    { class: "place-picture" },
    picture(name, zone, where, () => figure.remove()),
  );
  figure.append(h("figcaption", {}, t("move_choice.camera_picture")));
  return figure;
}

/** @param {string} name
    @param {Zone} zone
    @param {[string, string][]} where */
function picture(name, zone, where, gone) {
  const cells = where.map((place) => place[1]);
  const several = cells.length > 1 && zone.area && !zone.angle && cells.every((cell) => zone.cells?.[cell]);
  if (several) return cutOut(name, zone, cells, gone);
  const cell = cells.length === 1 ? cells[0] : "";
  const image = h("img", { src: address(name, cell), alt: t("move_choice.camera_picture") });
  image.addEventListener("error", gone);
  return image;
}

/** Several cells are one part of the zone's picture.
    @param {string} name
    @param {Zone} zone
    @param {string[]} cells */
function cutOut(name, zone, cells, gone) {
  const [left, top, width, height] = grown(zone.area);
  const image = svg("image", { href: address(name), x: left, y: top, width, height, preserveAspectRatio: "none" });
  image.addEventListener("error", gone);
  const boxes = cells.map((cell) => zone.cells[cell]);
  const [x, y] = [0, 1].map((axis) => Math.min(...boxes.map((box) => box[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...boxes.map((box) => box[axis] + box[axis + 2])));
  const viewBox = grown([x, y, right - x, bottom - y]).join(" ");
  return svg("svg", { viewBox, role: "img", "aria-label": t("move_choice.camera_picture") }, image);
}

/** @param {number[]} box */
function grown([x, y, width, height]) {
  return [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN];
}

/** @param {string} zone */
function address(zone, cell = "") {
  return `/camera.jpg?${new URLSearchParams({ zone, ...(cell ? { cell } : {}), t: String(Date.now()) })}`;
}
