// The chart of a game: a line a seat, told apart by colour, by its pattern and by the letter at its end.

import { h, svg } from "../core/dom.js";
import { mark, markGroup, paint, seatName } from "../core/seats.js";
import { t } from "../core/words.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [340, 190, 24, 34, 12, 22];
const PATTERNS = ["", "7 4", "2 4", "10 3 2 3", "4 2", "1 3"];
const APART = 1.4; // lines that run together stay visible side by side
const LETTER = 15; // the least height between the letters at the ends

/** `marks` are the seats' letters.
    @param {Seat[]} seats
    @param {Layout} layout */
export function chart(points, seats, marks, layout) {
  if (points.length < 2) return null;
  const last = points.at(-1);
  const most = Math.max(4, ...last.totals, ...points.map((point) => Math.max(...point.totals)));
  const from = points[0].event;
  const x = (event) => LEFT + ((event - from) / Math.max(1, last.event - from)) * (WIDTH - LEFT - RIGHT);
  const y = (total) => HEIGHT - BOTTOM - (total / most) * (HEIGHT - TOP - BOTTOM);
  const ends = spread(last.totals.map(y));
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": summary(last, seats, layout) },
    rungs(most).map((total) => rung(total, y(total))),
    seats.map((seat, index) => [
      svg("path", {
        class: "run",
        d: run(points, index, x, (total) => y(total) + (index - (seats.length - 1) / 2) * APART),
        style: { "--seat": paint(seat.colour).fill },
        "stroke-dasharray": PATTERNS[index % PATTERNS.length],
      }),
      svg(
        "g",
        { transform: `translate(${WIDTH - RIGHT + 16} ${ends[index]}) scale(.62)` },
        markGroup(seat.colour, marks[index]),
      ),
    ]),
  );
  return h("section", { class: "chart" }, h("h2", {}, t("scores.chart")), drawing, key(seats, marks, layout));
}

/** Points come in steps, not in slopes.
    @param {number} seat */
function run(points, seat, x, y) {
  const [first, ...rest] = points;
  const steps = rest.map((point) => `H${x(point.event).toFixed(1)}V${y(point.totals[seat]).toFixed(1)}`);
  return `M${x(first.event).toFixed(1)} ${y(first.totals[seat]).toFixed(1)}${steps.join("")}`;
}

function rungs(most) {
  const step = most > 40 ? 20 : most > 16 ? 5 : most > 8 ? 4 : 2;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

function rung(total, y) {
  return svg(
    "g",
    { class: "rung" },
    svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
    svg("text", { x: LEFT - 6, y: y + 3.5 }, total),
  );
}

// Letters of equal totals would lie on each other: they move apart as little as needed.
function spread(heights) {
  const order = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height);
  for (let i = 1; i < order.length; i++) order[i].height = Math.max(order[i].height, order[i - 1].height + LETTER);
  const over = Math.max(0, (order.at(-1)?.height ?? 0) - (HEIGHT - BOTTOM + 6));
  for (const one of order) one.height -= over;
  return order.reduce((ends, one) => ((ends[one.index] = one.height), ends), []);
}

/** @param {Seat[]} seats
    @param {Layout} layout */
function key(seats, marks, layout) {
  const sample = (seat, index) =>
    h(
      "li",
      {},
      svg(
        "svg",
        { viewBox: "0 0 28 8", class: "sample", "aria-hidden": "true" },
        svg("path", {
          class: "run",
          d: "M1 4H27",
          style: { "--seat": paint(seat.colour).fill },
          "stroke-dasharray": PATTERNS[index % PATTERNS.length],
        }),
      ),
      mark(seat.colour, marks[index]),
      seatName(seats, index, layout),
    );
  return h("ul", { class: "key" }, seats.map(sample));
}

/** @param {Seat[]} seats
    @param {Layout} layout */
function summary(last, seats, layout) {
  const totals = seats.map((_, index) => `${seatName(seats, index, layout)} ${last.totals[index]}`);
  return `${t("scores.chart")}: ${totals.join(", ")}`;
}
