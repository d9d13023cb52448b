// The part of the table that a choice is about, with the places that can be chosen: tap one instead of its name.

import { h, svg } from "../core/dom.js";
import { facing, turning } from "../drawing/geometry.js";
import { TableMap } from "../drawing/map.js";
import { t } from "../core/words.js";

const THUMB = 44; // px that a place must have at the least to be hit
const INSET = 0.04; // of a place, between its edge and its frame
const AROUND = 8; // mm around what is shown

/** A map of the options' places, or null if they are nowhere. The list beside it says the same: it is only a help.
    @param {App} app */
export function placeMap(app, options, pick) {
  const { view, seats } = app.standing?.table ?? {};
  const placed = options.filter((option) => option.places?.length);
  if (!app.layout || !view || placed.length < 2) return null;
  const map = new TableMap({ still: true });
  map.draw({ layout: app.layout, view, seats, me: app.me.seat });
  const spots = placed.flatMap((option) => spotsOf(map, option));
  if (!spots.length) return null;
  const [x, y, width, height] = frame(spots.map((spot) => spot.box));
  const least = Math.min(...spots.map(({ box }) => Math.min(box[2], box[3]))) * (1 - 2 * INSET);
  const shade = `M-9e3-9e3H9e3V9e3H-9e3z${spots.map(({ box }) => hole(box)).join("")}`;
  map.root.append(
    svg("path", { class: "shade", d: shade }),
    svg(
      "g",
      {},
      spots.map((spot) => rect(spot, pick)),
    ),
  );
  map.root.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  map.root.setAttribute("aria-hidden", "true");
  map.root.style.minWidth = `${Math.min(900, Math.ceil((width * THUMB) / least))}px`;
  const words = h("figcaption", {}, t("move_choice.map"));
  return h("figure", { class: "places-map" }, h("div", { class: "scroller" }, map.root), words);
}

/** Options that are fields of one board in the order in which they lie there, as it is turned for this phone; others as
    they are.
    @param {App} app
    @param {Answer[]} options */
export function inMapOrder(app, options) {
  const { layout } = app;
  const zone = layout?.zones[options[0]?.places?.[0]?.[0]];
  const boxes = options.map(({ places }) => (places?.length === 1 && zone?.kind === "grid" && layout.zones[places[0][0]] === zone ? zone.cells[places[0][1]] : null));
  if (!boxes.every(Boolean)) return options;
  const turn = turning(layout.area, facing(layout, app.me.seat));
  const at = new Map(options.map((option, i) => [option, turn.rect(boxes[i])]));
  const row = (option) => Math.round(at.get(option)[1] / at.get(option)[3]);
  return [...options].sort((a, b) => row(a) - row(b) || at.get(a)[0] - at.get(b)[0]);
}

function spotsOf(map, option) {
  const boxes = option.places.map(([zone, cell]) => map.spot({ zone, cell }));
  return boxes.filter(Boolean).map((box) => ({ option, box }));
}

function rect({ option, box: [x, y, width, height] }, pick) {
  const [inset, rx] = [Math.min(width, height) * INSET, Math.min(width, height) / 6];
  return svg("rect", {
    class: "spot",
    x: x + inset,
    y: y + inset,
    width: width - 2 * inset,
    height: height - 2 * inset,
    rx,
    dataset: { option: option.id },
    on: { click: () => pick(option) },
  });
}

// What cannot be chosen is dimmed: everything but the places.
function hole([x, y, width, height]) {
  return `M${x} ${y}v${height}h${width}v${-height}z`;
}

function frame(boxes) {
  const left = Math.min(...boxes.map((box) => box[0])) - AROUND;
  const top = Math.min(...boxes.map((box) => box[1])) - AROUND;
  const right = Math.max(...boxes.map((box) => box[0] + box[2])) + AROUND;
  const bottom = Math.max(...boxes.map((box) => box[1] + box[3])) + AROUND;
  return [left, top, right - left, bottom - top];
}
