// Aiming in a picture with a finger that covers what it points at: a loupe above it, and keys for those without one.

import { h, svg } from "../core/dom.js";

const LOUPE = 132; // px across
const TIMES = 4; // larger than on the page
const STEP = 0.004; // of the picture, for one press of a key

/** Calls `moved([x, y])` while a finger aims, and `taken([x, y])` when it is let go, in fractions of the picture. */
export class Aim {
  /** @param {HTMLElement} figure
      @param {HTMLImageElement} picture
      @param {{moved?: (point: number[]) => unknown, taken: (point: number[]) => unknown}} told */
  constructor(figure, picture, { moved = () => {}, taken }) {
    this.figure = figure;
    this.picture = picture;
    this.told = { moved, taken };
    this.point = [0.5, 0.5];
    this.loupe = h("div", { class: "loupe", hidden: true }, cross());
    this.layer = svg("svg", {
      class: "aim",
      viewBox: "0 0 1 1",
      preserveAspectRatio: "none",
      tabindex: "0",
      role: "application",
    });
    this.layer.addEventListener("pointerdown", (event) => this.down(event));
    this.layer.addEventListener("pointermove", (event) => this.pressed && this.move(event));
    this.layer.addEventListener("pointerup", (event) => this.up(event));
    this.layer.addEventListener("pointercancel", () => this.lift());
    this.layer.addEventListener("keydown", (event) => this.key(event));
    this.layer.addEventListener("focus", () => this.layer.matches(":focus-visible") && this.show());
    this.layer.addEventListener("blur", () => this.lift());
    figure.append(this.layer, this.loupe);
  }

  stop() {
    this.layer.remove();
    this.loupe.remove();
  }

  down(event) {
    event.preventDefault();
    this.pressed = true;
    this.layer.setPointerCapture(event.pointerId);
    this.move(event);
  }

  move(event) {
    const box = this.picture.getBoundingClientRect();
    const within = (value) => Math.min(1, Math.max(0, value));
    this.point = [within((event.clientX - box.left) / box.width), within((event.clientY - box.top) / box.height)];
    this.show();
    this.told.moved(this.point);
  }

  up(event) {
    if (!this.pressed) return;
    this.move(event);
    this.lift();
    this.told.taken(this.point);
  }

  lift() {
    this.pressed = false;
    this.loupe.hidden = true;
  }

  key(event) {
    const step = event.shiftKey ? 10 * STEP : STEP;
    const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const way = ways[event.key];
    if (way) this.point = this.point.map((value, axis) => Math.min(1, Math.max(0, value + way[axis])));
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    this.show();
    if (way) this.told.moved(this.point);
    else this.told.taken(this.point);
  }

  // The loupe stands above the finger, and below it where there is no room.
  show() {
    const box = this.picture.getBoundingClientRect();
    const [x, y] = [this.point[0] * box.width, this.point[1] * box.height];
    const above = y - LOUPE - 28;
    const { style } = this.loupe;
    this.loupe.hidden = false;
    style.left = `${Math.min(Math.max(x - LOUPE / 2, 0), box.width - LOUPE)}px`;
    style.top = `${above > -LOUPE / 2 ? above : y + 36}px`;
    style.backgroundImage = `url("${this.picture.currentSrc || this.picture.src}")`;
    style.backgroundSize = `${box.width * TIMES}px ${box.height * TIMES}px`;
    style.backgroundPosition = `${LOUPE / 2 - x * TIMES}px ${LOUPE / 2 - y * TIMES}px`;
  }
}

function cross() {
  return svg(
    "svg",
    { viewBox: "0 0 132 132", "aria-hidden": "true" },
    svg("path", { class: "under", d: "M66 30V60M66 72V102M30 66H60M72 66H102" }),
    svg("path", { d: "M66 30V60M66 72V102M30 66H60M72 66H102" }),
  );
}
