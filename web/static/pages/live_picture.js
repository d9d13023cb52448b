// The live picture: about one a second, and none at all while nobody looks at it.

import { h, once } from "../core/dom.js";
import { both, t } from "../core/words.js";

const EVERY = 1000; // ms between two pictures

export class Live {
  constructor(words) {
    this.picture = h("img", { alt: words, class: "live" });
    this.age = h("figcaption", { class: "age", hidden: true });
    this.names = h("div", { class: "names", "aria-hidden": "true" });
    this.node = h("figure", { class: "view" }, this.picture, this.names, this.age);
    this.address = "";
    this.timer = null;
    this.running = false;
    this.wake = () => !document.hidden && this.running && this.next(0);
    document.addEventListener("visibilitychange", this.wake);
  }

  /** Show what the camera sees; with the overlay what is read too. `zone` is a part of it. */
  start(overlay, zone = "") {
    const query = new URLSearchParams({ ...(overlay ? { overlay: "1" } : {}), ...(zone ? { zone } : {}) });
    const address = `/camera.jpg?${query}`;
    const same = this.running && address === this.address;
    this.address = address;
    this.running = true;
    if (!same) this.next(0);
  }

  /** Write over the picture what its zones are called; null: nothing. Names that would lie on others are left out:
   * all of them stand in the list below.
      @param {Layout} layout */
  name(zones, layout) {
    const named = Object.entries(zones ?? {}).filter(([zone, { at }]) => at && layout?.zones[zone]);
    once(this.names, [named.map(([zone, { at, state }]) => [zone, at, state])], () =>
      named.map(([zone, { at: [x, y], state }]) =>
        h(
          "span",
          { dataset: { state }, style: { left: `${100 * x}%`, top: `${100 * y}%` } },
          both(layout.zones[zone].says),
        ),
      ),
    );
    const whole = this.names.getBoundingClientRect();
    const placed = [];
    for (const node of this.names.children) {
      const box = node.getBoundingClientRect();
      const inside = box.left >= whole.left && box.right <= whole.right;
      node.classList.toggle("left-out", !inside || placed.some((other) => overlap(box, other)));
      if (!node.classList.contains("left-out")) placed.push(box);
    }
  }

  /** The picture is so many seconds old; undefined while it is a live one. */
  grow(age) {
    const old = age !== undefined;
    this.node.classList.toggle("old", old);
    this.age.hidden = !old;
    const minutes = Math.floor(age / 60);
    if (old) this.age.textContent = minutes ? t("camera.minutes_old", { minutes }) : t("camera.seconds_old", { age });
  }

  stop() {
    this.running = false;
    clearTimeout(this.timer);
  }

  next(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetch(), wait);
  }

  // The next picture is asked for when the last one is there: a slow line gets fewer, and none pile up.
  fetch() {
    if (!this.running || document.hidden || !this.picture.isConnected) return this.running && this.next(EVERY);
    const address = this.address;
    const picture = new Image();
    picture.onload = () => {
      if (address === this.address) this.picture.src = picture.src;
      if (this.running) this.next(EVERY);
    };
    picture.onerror = () => this.running && this.next(2 * EVERY);
    picture.src = `${address}&t=${Date.now()}`;
  }
}

function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
