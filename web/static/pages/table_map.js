// The true map: the table from above as it is, one tap away from the panels that are made to be read.

import { clear, h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { facing } from "../drawing/geometry.js";
import { TableMap } from "../drawing/map.js";
import { t } from "../core/words.js";
import { inQuestion } from "./table_panels.js";

export class WholeTable {
  /** @param {App} app */
  constructor(app, tapped) {
    this.app = app;
    this.big = false;
    this.shown = false;
    this.map = new TableMap({ tapped });
    this.large = h("button", { type: "button", class: "map-button", on: { click: () => this.spread() } }, icon("whole"));
    this.under = h("div", { class: "map-under" }, this.large);
    this.node = h("div", { class: "true-map", hidden: true }, this.map.node, this.under);
    this.button = h("button", { type: "button", class: "button wide true-map-button", "aria-expanded": "false", on: { click: () => this.toggle() } });
    this.map.node.addEventListener("zoomed", () => this.map.node.classList.toggle("near", this.map.window.zoom > 1.6));
    this.left = (event) => event.key === "Escape" && this.big && this.spread();
    addEventListener("keydown", this.left);
  }

  toggle() {
    this.shown = !this.shown;
    this.node.hidden = !this.shown;
    this.draw(this.app.standing);
    if (this.shown) this.node.scrollIntoView({ block: "nearest" });
  }

  // The whole screen for the drawing; on an upright phone it lies on its side.
  spread() {
    this.big = !this.big;
    this.map.node.classList.toggle("spread", this.big);
    document.documentElement.classList.toggle("covered", this.big);
    clear(this.large, icon(this.big ? "close" : "whole"));
    (this.big ? this.map.node : this.under).append(this.large);
    this.map.window.whole = [0, 0, 0, 0];
    this.draw(this.app.standing);
  }

  draw({ table }) {
    clear(this.button, icon("table"), t(this.shown ? "table.hide_map" : "table.true_map"));
    this.button.setAttribute("aria-expanded", String(this.shown));
    this.large.setAttribute("aria-label", t(this.big ? "app.close" : "table.spread"));
    const { app } = this;
    if (!app.layout || !table.view || !this.shown) return;
    const upright = innerHeight > innerWidth;
    const side = facing(app.layout, app.me.seat);
    this.map.draw({
      layout: app.layout,
      view: table.view,
      seats: table.seats,
      changed: table.changed,
      actor: table.expects?.actor,
      links: table.links,
      quarter: this.big && upright ? (side + 1) % 4 : side,
      marks: inQuestion(table.trouble),
    });
  }

  near(zone, spot) {
    if (this.shown) this.map.near(zone, spot);
  }

  all() {
    if (this.shown) this.map.window.all();
  }

  close() {
    removeEventListener("keydown", this.left);
    document.documentElement.classList.remove("covered");
  }
}
