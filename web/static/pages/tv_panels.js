// The drawn table on a television: the same panels as on a phone, twice as large and without anything to tap. The first
// one stays; another shows for a few seconds when something changed there.

import { calm, h, once } from "../core/dom.js";
import { contextOf, panelNodes } from "../drawing/panel.js";
import { panelsOf, zonesOf } from "../drawing/panels.js";
import { sceneOf, withWords } from "./table_panels.js";

const HEIGHT = 540; // px of a screen on which text of 12 px can be read from afar; a larger one is drawn larger
const ASIDE = 6000; // ms that another panel shows
const BURST = 700; // ms in which several changes are one

export class TvPanels {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.panel = h("div", { class: "panel tall" });
    this.title = h("h2", { class: "tv-panel-title" });
    this.node = h("div", { class: "tv-panel" }, this.panel, this.title);
    this.open = null; // the id of a panel that shows for a while
    this.event = undefined;
    this.resized = () => this.app.standing && this.draw(this.app.standing);
    addEventListener("resize", this.resized);
  }

  /** @param {Standing} standing */
  draw({ table }) {
    const { app } = this;
    if (!app.layout || !table.view) return;
    const scene = { ...sceneOf(app, table), me: null, still: true };
    const panels = panelsOf(scene);
    this.follow(table, panels);
    const shown = panels.find(({ id }) => id === this.open) ?? panels[0];
    const scale = this.node.clientHeight ? innerHeight / HEIGHT : 1;
    const room = { width: Math.floor(this.node.clientWidth / scale) - 16, tall: Math.floor(this.node.clientHeight / scale) - 16 };
    const facts = [shown, room, table.view, table.changed, table.seats, app.layout, table.rings, table.links];
    once(this.panel, facts, () => panelNodes(shown, withWords(contextOf(scene), app), room));
    this.panel.style.transform = `scale(${scale})`;
    this.panel.style.width = `${room.width + 16}px`;
    this.panel.style.height = `${room.tall + 16}px`;
    this.title.textContent = shown === panels[0] ? "" : shown.title;
    this.trim();
  }

  // What does not fit is left to the phones: half a line helps nobody.
  trim() {
    const low = () => this.panel.getBoundingClientRect().bottom;
    const pieces = [...this.panel.querySelectorAll(".target, .part-head, .panel-seat, .fold-line")].reverse();
    for (const piece of pieces) {
      if (piece.closest("svg")) continue;
      if (piece.getBoundingClientRect().bottom > low()) piece.remove();
    }
    for (const row of this.panel.querySelectorAll(".row-part:empty, .chips-row:empty")) row.remove();
  }

  // Another panel, if what changed is not on the first one.
  /** @param {Table} table */
  follow(table, panels) {
    const event = table.last?.[0]?.event ?? null;
    if (event === this.event) return;
    const first = this.event === undefined;
    const burst = performance.now() - (this.changedAt ?? -BURST) < BURST;
    this.changedAt = performance.now();
    this.event = event;
    if (first || burst) return;
    if (!calm()) this.pulse();
    const zones = Object.keys(table.changed ?? {});
    const here = panels.filter((panel) => zonesOf(panel).some((zone) => zones.includes(zone)));
    const other = here.includes(panels[0]) ? null : here.find(({ id }) => id !== "more");
    this.show(other?.id ?? null);
  }

  show(id) {
    clearTimeout(this.back);
    this.open = id;
    if (id) this.back = setTimeout(() => ((this.open = null), this.app.standing && this.draw(this.app.standing)), ASIDE);
  }

  pulse() {
    this.panel.classList.remove("pulsing");
    void this.panel.offsetWidth; // the animation is to begin anew
    this.panel.classList.add("pulsing");
  }

  close() {
    clearTimeout(this.back);
    removeEventListener("resize", this.resized);
  }
}
