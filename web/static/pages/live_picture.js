// The live picture: about one a second, and none at all while nobody looks at it.

import { h } from "../core/dom.js";

const EVERY = 1000; // ms between two pictures

export class Live {
  constructor(words) {
    this.picture = h("img", { alt: words, class: "live" });
    this.node = h("figure", { class: "view" }, this.picture);
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
