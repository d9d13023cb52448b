// Looking closer at a drawing: two fingers, a wheel, keys; one finger moves it once it is larger than its frame.

const CLOSEST = 7; // times

/** The part of an SVG drawing that is shown. */
export class Window {
  constructor(root, frame) {
    this.root = root;
    this.frame = frame;
    this.whole = [0, 0, 100, 60];
    this.box = this.whole;
    this.fingers = new Map();
    this.moved = false;
    frame.tabIndex = 0;
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"])
      root.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    // Two fingers belong to the drawing; one scrolls the page until the drawing is large.
    root.addEventListener("touchstart", (event) => event.touches.length > 1 && event.preventDefault(), {
      passive: false,
    });
    root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    frame.addEventListener("keydown", (event) => this.key(event));
  }

  /** Show a drawing of this size; a closer look stays where it is as long as the size does. */
  show(whole) {
    const same = whole.every((value, i) => Math.abs(value - this.whole[i]) < 1);
    this.whole = whole;
    this.set(same ? this.box : whole);
  }

  near(box) {
    this.set(box);
  }

  all() {
    this.set(this.whole);
  }

  get zoom() {
    return this.whole[2] / this.box[2];
  }

  /** @param {number[]} box */
  set([x, y, w, h]) {
    const [left, top, width, height] = this.whole;
    // The part keeps the shape of the whole, or the drawing would jump within its frame.
    const scale = Math.min(1, Math.max(w / width, h / height, 1 / CLOSEST));
    const [nw, nh] = [width * scale, height * scale];
    const within = (value, least, most) => Math.min(Math.max(value, least), most);
    const nx = within(x + (w - nw) / 2, left, left + width - nw);
    const ny = within(y + (h - nh) / 2, top, top + height - nh);
    this.box = [nx, ny, nw, nh];
    this.root.setAttribute("viewBox", this.box.map((value) => value.toFixed(2)).join(" "));
    this.root.classList.toggle("near", this.zoom > 1.6);
    this.frame.classList.toggle("zoomed", this.zoom > 1.02);
    this.frame.dispatchEvent(new CustomEvent("zoomed", { detail: this.zoom }));
  }

  by(factor, x, y) {
    const [left, top, w, h] = this.box;
    const scale = Math.min(this.whole[2] / w, Math.max(this.whole[2] / CLOSEST / w, 1 / factor));
    this.set([x - (x - left) * scale, y - (y - top) * scale, w * scale, h * scale]);
  }

  step(factor) {
    const [x, y, w, h] = this.box;
    this.by(factor, x + w / 2, y + h / 2);
  }

  // A point of the screen, in the drawing's own measure.
  point(event) {
    const matrix = this.root.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : { x: 0, y: 0 };
  }

  down(event) {
    this.fingers.set(event.pointerId, event);
    if (this.fingers.size === 1) this.moved = false;
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    if (this.fingers.size === 2) {
      this.pinch(event);
    } else if (this.zoom > 1.02 && this.fingers.size === 1) {
      const [was, now] = [this.point(before), this.point(event)];
      if (Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < 4 && !this.moved) return;
      this.moved = true;
      this.set([this.box[0] + was.x - now.x, this.box[1] + was.y - now.y, this.box[2], this.box[3]]);
    }
    this.fingers.set(event.pointerId, event);
  }

  pinch(event) {
    this.moved = true;
    const other = [...this.fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
    const before = this.fingers.get(event.pointerId);
    const apart = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1;
    const middle = (a) =>
      this.point({ clientX: (a.clientX + other.clientX) / 2, clientY: (a.clientY + other.clientY) / 2 });
    const [was, now] = [middle(before), middle(event)];
    this.set([this.box[0] + was.x - now.x, this.box[1] + was.y - now.y, this.box[2], this.box[3]]);
    const { x, y } = middle(event);
    this.by(apart(event, other) / apart(before, other), x, y);
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey && this.zoom <= 1.02) return; // then it scrolls the page
    event.preventDefault();
    const { x, y } = this.point(event);
    this.by(event.deltaY < 0 ? 1.2 : 1 / 1.2, x, y);
  }

  key(event) {
    const [x, y, w, h] = this.box;
    const acts = {
      "+": () => this.step(1.4),
      "-": () => this.step(1 / 1.4),
      0: () => this.all(),
      ArrowLeft: () => this.set([x - w / 8, y, w, h]),
      ArrowRight: () => this.set([x + w / 8, y, w, h]),
      ArrowUp: () => this.set([x, y - h / 8, w, h]),
      ArrowDown: () => this.set([x, y + h / 8, w, h]),
    };
    if (event.key in acts && (this.zoom > 1.02 || !event.key.startsWith("Arrow"))) {
      event.preventDefault();
      acts[event.key]();
    }
  }
}
