// A map: places are put down by tapping, moved by dragging, and connected by going from one to the other.

import { button, clear, h, svg } from "../core/dom.js";
import { both, t } from "../core/words.js";
import { choice } from "./fields.js";
import { about, placeSheet } from "./sketch_place.js";

const WIDE = 1000; // of the drawing; places lie in thousandths of it
const EDGE = 110; // around the plan, so that a place at its edge can be tapped and named
const REACH = 84; // so near a tap takes hold of a place: a thumb on a small phone
const FAR = 14; // so far a finger has to go before it moves something
const STEP = 20; // of an arrow key

/** @param {App} app */
export function graphSketch(app, offer, { changed }) {
  const wide = WIDE;
  let high = (WIDE * offer.shape[1]) / offer.shape[0];
  const root = svg("svg", { class: "plan", role: "group" });
  const words = h("ul", { class: "places-in-words" });
  const photo = h("div", { class: "row photo" });
  const modes = h("div", {});
  const task = h("p", { class: "task", role: "status" });
  const node = h("div", { class: "sketch-graph" }, modes, task, root, photo, words);
  let now = { nodes: {}, edges: [] };
  let mode = "places";
  let from = null; // the place that a way begins at
  let held = null; // {name, start, at, moved}
  let picture = null;
  let camera = false; // whether the table's own camera has a picture

  root.addEventListener("pointerdown", down);
  root.addEventListener("pointermove", move);
  root.addEventListener("pointerup", up);
  root.addEventListener("pointercancel", () => (held = null));

  // Drawing

  function draw(drawing) {
    now = drawing;
    if (from && !(from in now.nodes)) from = null;
    root.setAttribute("viewBox", [-EDGE, -EDGE, wide + 2 * EDGE, high + 2 * EDGE].join(" "));
    root.setAttribute("aria-label", both(offer.title));
    const focus = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.place;
    clear(
      root,
      svg("rect", { class: "ground", x: -EDGE, y: -EDGE, width: wide + 2 * EDGE, height: high + 2 * EDGE }),
      picture && svg("image", { class: "photo", href: picture, x: 0, y: 0, width: wide, height: high }),
      now.edges.map((edge) => way(edge)),
      held?.to && svg("path", { class: "way drawn", d: `M${spot(held.name)}L${held.to}` }),
      Object.keys(now.nodes).map(place),
    );
    if (focus) root.querySelector(`[data-place="${CSS.escape(focus)}"]`)?.focus();
    clear(words, Object.keys(now.nodes).map(inWords));
    show();
  }

  function show() {
    const one = both(offer.one);
    const options = ["places", "ways"].map((value) => ({ value, says: t(`sketch.${value}`, named(value)) }));
    clear(
      modes,
      choice(t("sketch.mode"), "mode", options, mode, (value) => {
        mode = value;
        from = null;
        draw(now);
        modes.querySelector("input:checked")?.focus();
      }),
    );
    const placed = Object.keys(now.nodes).length;
    const key = mode === "places" ? "tap_place" : from ? "tap_to" : "tap_from";
    clear(
      task,
      t(`sketch.${key}`, { one, name: from ?? "" }),
      " ",
      h("b", { class: "counted" }, t("sketch.counted", { places: placed, ways: now.edges.length, one, way: both(offer.way) })),
    );
    clear(photo, photoKey(), mode === "places" && addKey());
  }

  const named = (value) => ({ what: both(value === "places" ? offer.one : offer.way) });

  function spot(name) {
    const [x, y] = now.nodes[name].at;
    return [(x / WIDE) * wide, (y / WIDE) * high];
  }

  function way([one, other]) {
    return svg("path", { class: "way", d: `M${spot(one)}L${spot(other)}` });
  }

  function place(name) {
    const [x, y] = held?.name === name && held.at ? held.at : spot(name);
    const ways = now.edges.filter((edge) => edge.includes(name)).length;
    return svg(
      "g",
      {
        class: `place-of ${name === from ? "from" : ""} ${name === offer.home ? "home" : ""} ${ways ? "" : "alone"}`,
        transform: `translate(${x} ${y})`,
        role: "button",
        tabindex: "0",
        "aria-label": t("sketch.place_label", { name, ways }),
        "data-place": name,
        on: { keydown: (event) => key(event, name) },
      },
      svg("circle", { class: "reach", r: REACH }),
      svg("circle", { class: "dot", r: 34 }),
      svg("text", { class: "name", y: 78 }, name),
    );
  }

  function inWords(name) {
    const said = about(offer.form, now.nodes[name].answers);
    const beside = now.edges.filter((edge) => edge.includes(name)).map(([a, b]) => (a === name ? b : a));
    return h(
      "li",
      {},
      button(
        [h("b", {}, name), h("span", { class: "note" }, [said, beside.length && `→ ${beside.join(", ")}`].filter(Boolean).join(" · "))],
        () => edit(name),
        { kind: "thing", dataset: { edit: name } },
      ),
    );
  }

  // A picture to tap on

  app.get("/api/camera", { quiet: true }).then((found) => {
    camera = Boolean(found?.picture);
    if (camera) show();
  });

  function photoKey() {
    const input = h("input", { type: "file", accept: "image/*", class: "visually-hidden", id: "plan-photo" });
    input.addEventListener("change", () => input.files[0] && behind(URL.createObjectURL(input.files[0])));
    if (picture) return button(t("sketch.photo_off"), () => lay(null), { kind: "quiet" });
    const seen = camera && button(t("sketch.camera"), () => behind(`/camera.jpg?at=${Date.now()}`), { kind: "quiet" });
    return [input, h("label", { class: "button quiet", for: "plan-photo" }, t("sketch.photo")), seen];
  }

  /** A photograph stays on this phone. */
  function behind(url) {
    const image = new Image();
    image.onload = () => lay(url, image.naturalHeight / image.naturalWidth);
    image.onerror = () => app.toast(t("sketch.no_photo"), { kind: "warn" });
    image.src = url;
  }

  function lay(url, shape = offer.shape[1] / offer.shape[0]) {
    if (picture) URL.revokeObjectURL(picture);
    picture = url;
    high = wide * Math.min(1.6, Math.max(0.4, shape));
    draw(now);
  }

  function addKey() {
    return button(`+ ${both(offer.one)}`, () => edit(null, free()), { kind: "quiet", dataset: { act: "add" } });
  }

  /** Somewhere with room around it, for whoever does not tap. */
  function free() {
    const taken = Object.values(now.nodes).map((one) => one.at);
    const spots = Array.from({ length: 49 }, (_, i) => [125 + 125 * (i % 7), 125 + 125 * Math.floor(i / 7)]);
    /** @param {number[]} spot */
    const room = ([x, y]) => Math.min(WIDE, ...taken.map(([a, b]) => Math.hypot(a - x, b - y)));
    return spots.reduce((best, one) => (room(one) > room(best) + 1 ? one : best));
  }

  // Fingers

  function point(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM().inverse());
    return [Math.min(wide, Math.max(0, x)), Math.min(high, Math.max(0, y))];
  }

  /** @param {number[]} point */
  function nearest([x, y]) {
    const far = (name) => Math.hypot(spot(name)[0] - x, spot(name)[1] - y);
    const [best] = Object.keys(now.nodes).sort((a, b) => far(a) - far(b));
    return best !== undefined && far(best) <= REACH ? best : null;
  }

  function down(event) {
    const start = point(event);
    held = { name: nearest(start), start, moved: false };
    if (held.name) root.setPointerCapture(event.pointerId);
  }

  function move(event) {
    if (!held?.name) return;
    const here = point(event);
    held.moved ||= Math.hypot(here[0] - held.start[0], here[1] - held.start[1]) > FAR;
    if (!held.moved) return;
    if (mode === "places") held.at = here;
    else held.to = here;
    draw(now);
  }

  function up(event) {
    const was = held;
    held = null;
    if (!was) return;
    const here = point(event);
    if (was.moved && was.name) return mode === "places" ? put(was.name, here) : join(was.name, nearest(here));
    if (mode === "places") return was.name ? edit(was.name) : edit(null, thousandths(here));
    if (was.name) tapped(was.name);
  }

  /** @param {number[]} point */
  const thousandths = ([x, y]) => [Math.round((x / wide) * WIDE), Math.round((y / high) * WIDE)];

  function key(event, name) {
    const by = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (by && mode === "places") put(name, spot(name).map((one, axis) => one + by[axis]));
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (mode === "places") edit(name);
    else tapped(name);
    event.preventDefault();
  }

  // Changes

  function put(name, here) {
    const at = thousandths(here).map((one) => Math.min(WIDE, Math.max(0, one)));
    changed({ ...now, nodes: { ...now.nodes, [name]: { ...now.nodes[name], at } } });
  }

  /** From place to place: a way between the last two, or none any more. */
  function tapped(name) {
    const before = from;
    from = before === name ? null : name;
    if (before && before !== name) join(before, name);
    else draw(now);
  }

  function join(one, other) {
    if (!other || one === other) return draw(now);
    const same = ([a, b]) => (a === one && b === other) || (a === other && b === one);
    const edges = now.edges.some(same) ? now.edges.filter((edge) => !same(edge)) : [...now.edges, [one, other]];
    changed({ ...now, edges });
  }

  function edit(name, at = null) {
    placeSheet(offer, now, name, {
      keep: (called, answers) => changed(renamed(name, called, { at: at ?? now.nodes[name].at, answers })),
      drop: () => changed(without(name)),
    });
  }

  function renamed(name, called, place) {
    const nodes = Object.fromEntries(
      Object.entries(now.nodes).map(([one, there]) => (one === name ? [called, place] : [one, there])),
    );
    if (name === null) nodes[called] = place;
    const edges = now.edges.map((edge) => edge.map((end) => (end === name ? called : end)));
    return { nodes, edges };
  }

  function without(name) {
    const nodes = Object.fromEntries(Object.entries(now.nodes).filter(([one]) => one !== name));
    return { nodes, edges: now.edges.filter((edge) => !edge.includes(name)) };
  }

  return { node, draw, close: () => picture && URL.revokeObjectURL(picture) };
}
