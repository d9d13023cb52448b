// Tapping the table's corners, for a rig whose markers are missing or hidden.

import { button, clear, h, svg } from "../core/dom.js";
import { t } from "../core/words.js";
import { Aim } from "./loupe.js";

const NEAR = 0.06; // of the picture: a tap so close to a corner takes hold of it

/** @param {App} app */
export function corners(app, live, stage, end) {
  let points = [];
  let held = null; // the corner that is being moved
  const drawing = svg("svg", {
    class: "quad",
    viewBox: "0 0 1 1",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const aim = new Aim(live.node, live.picture, { moved, taken });
  live.node.insertBefore(drawing, aim.layer);
  live.start(false);

  function moved(point) {
    held ??= points.length < 4 ? points.length : nearest(points, point);
    if (held === null) return;
    points[held] = point;
    draw();
  }

  function taken(point) {
    moved(point);
    held = null;
    show();
  }

  function draw() {
    clear(
      drawing,
      points.length > 1 &&
        svg("path", {
          d: `M${points.map((point) => point.join(" ")).join("L")}${points.length === 4 ? "z" : ""}`,
        }),
      points.map(([x, y]) => svg("path", { class: "dot", d: `M${x} ${y}h0` })),
    );
  }

  function show() {
    const whole = points.length === 4;
    const words = whole ? t("camera.corners_ready") : t(`camera.corner_${points.length + 1}`);
    aim.layer.setAttribute("aria-label", words);
    clear(
      stage,
      h("div", { class: "task", role: "status" }, h("h2", {}, words), !whole && h("p", {}, t("camera.corner_how"))),
      !points.length && h("p", { class: "note" }, t("camera.corners_why")),
      whole && button(t("camera.corners_use"), use, { kind: "primary big", dataset: { act: "use" } }),
      h(
        "div",
        { class: "row" },
        points.length > 0 && button(t("camera.corners_anew"), anew),
        !points.length && button(t("camera.corners_back"), back),
        button(t("camera.cancel"), () => end(), { kind: "quiet" }),
      ),
    );
  }

  function anew() {
    points = [];
    draw();
    show();
  }

  async function use() {
    if (await app.post("/api/camera/corners", { points })) end(t("camera.corners_kept"));
  }

  async function back() {
    if (await app.post("/api/camera/corners", { points: [] })) end(t("camera.markers_kept"));
  }

  show();
  return {
    stop() {
      aim.stop();
      drawing.remove();
    },
  };
}

function nearest(points, [x, y]) {
  const apart = points.map((point) => Math.hypot(point[0] - x, point[1] - y));
  const least = Math.min(...apart);
  return least < NEAR ? apart.indexOf(least) : null;
}
