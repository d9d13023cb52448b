// The panels of the table's page: tabs, the open one, and which of them is to be open when something changes.

import { calm, h, once } from "../core/dom.js";
import { contextOf, panelNodes } from "../drawing/panel.js";
import { panelsOf, panelWith, zonesOf } from "../drawing/panels.js";
import { plainWord } from "../drawing/tokens.js";
import { paint, seatName } from "../core/seats.js";
import { t } from "../core/words.js";

const UNTOUCHED = 8000; // ms without a finger before a panel opens by itself
const BURST = 700; // ms in which several changes are one
const SMALL = 760; // px of a screen that is scrolled anyway
const BESIDES = 248; // px of tabs, the last change, scores and the bar at the bottom
const TOUCHES = ["pointerdown", "pointerup", "pointercancel"];
const GHOST = 8000; // ms that a piece which left can still be seen

export class TablePanels {
  /** @param {App} app */
  constructor(app, tapped) {
    this.app = app;
    this.tabs = h("div", { class: "tabs", role: "tablist" });
    this.panel = h("div", { class: "panel", role: "tabpanel" });
    this.node = h("div", { class: "panels" }, this.tabs, this.panel);
    this.open = null;
    this.panels = [];
    this.context = null;
    this.chosen = { zone: null, spot: "" };
    this.changedIn = new Set();
    this.touched = -UNTOUCHED;
    this.event = null;
    this.ghosts = new Map();
    this.acts = { number: null, places: new Set() };
    this.panel.addEventListener("click", (event) => this.tap(event, tapped));
    this.panel.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      if (!(/** @type {Element} */ (event.target).closest(".target"))) return;
      event.preventDefault();
      this.tap(event, tapped);
    });
    this.down = false; // whether a finger is
    this.actor = null;
    this.touch = ({ type }) => {
      this.down = type === "pointerdown";
      this.touched = performance.now();
    };
    for (const type of TOUCHES) addEventListener(type, this.touch);
  }

  tap(event, tapped) {
    const zone = event.target.closest("[data-zone]");
    if (!zone) return;
    tapped(zone.dataset.zone, event.target.closest("[data-spot]")?.dataset.spot ?? "");
  }

  draw({ table }) {
    const { app } = this;
    if (!app.layout || !table.view) return;
    const scene = sceneOf(app, table);
    this.panels = panelsOf(scene);
    this.follow(table);
    if (!this.panels.some(({ id }) => id === this.open)) this.open = this.panels[0]?.id ?? null;
    this.askActs(table);
    this.context = withWords(contextOf({ ...scene, acts: this.acts.places, ghosts: this.ghosts }), app);
    this.drawTabs();
    this.drawPanel();
  }

  drawTabs() {
    this.tabs.hidden = this.panels.length < 2;
    once(this.tabs, [this.panels.map(({ id, title }) => [id, title]), this.open, [...this.changedIn]], () =>
      this.panels.map(({ id, title }) =>
        h(
          "button",
          { type: "button", role: "tab", class: "tab", "aria-selected": String(id === this.open), dataset: { panel: id }, on: { click: () => this.choosePanel(id) } },
          h("span", {}, title),
          this.changedIn.has(id) && id !== this.open && h("i", { class: "tab-dot" }, h("span", { class: "visually-hidden" }, t("table.changed_here"))),
        ),
      ),
    );
  }

  drawPanel() {
    const panel = this.panels.find(({ id }) => id === this.open);
    if (!panel) return;
    const width = this.room();
    const { table } = this.app.standing;
    const above = this.node.offsetTop;
    const high = innerHeight < SMALL ? null : innerHeight - above - BESIDES;
    const facts = [panel, width, high, table.view, table.changed, table.seats, this.app.me.seat, this.app.layout, table.rings, table.links, [...this.acts.places], [...this.ghosts.keys()]];
    const open = new Set([...this.panel.querySelectorAll("details[open] summary")].map((one) => one.textContent));
    const held = this.panel.contains(document.activeElement) && document.activeElement.closest("[data-zone]");
    once(this.panel, facts, () => panelNodes(panel, this.context, { width, high }));
    if (held) this.hold(held);
    for (const summary of this.panel.querySelectorAll("summary")) if (open.has(summary.textContent)) summary.closest("details").open = true;
    this.markChosen();
  }

  // Drawn anew, the panel keeps the keyboard at the place where it was.
  /** @param {Element} place */
  hold(place) {
    if (place.isConnected || !(place instanceof HTMLElement || place instanceof SVGElement)) return;
    const [again] = this.places(place.dataset.zone, place.dataset.spot ?? "");
    /** @type {HTMLElement | null | undefined} */ (again?.closest(".target"))?.focus({ preventScroll: true });
  }

  room() {
    const style = getComputedStyle(this.panel);
    const inner = this.panel.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return Math.max(260, Math.floor(inner || Math.min(innerWidth, 600) - 40));
  }

  // What changed: a dot on its tab, and if no finger has been near, the panel itself.
  /** @param {Table} table */
  follow(table) {
    const event = table.last?.[0]?.event ?? null;
    if (event === this.event) return;
    const first = this.event === null;
    const burst = performance.now() - (this.changedAt ?? -BURST) < BURST;
    this.changedAt = performance.now();
    this.event = event;
    const zones = Object.keys(table.changed ?? {});
    const here = this.panels.filter((panel) => zonesOf(panel).some((zone) => zones.includes(zone)));
    this.changedIn = new Set([...(burst ? this.changedIn : []), ...here.map(({ id }) => id)]);
    this.remember(table);
    if (first) return;
    this.pulse();
    if (!this.busy() && here.length && !this.changedIn.has(this.open)) this.open = here[0].id;
  }

  /** Whether nothing may open by itself. */
  busy() {
    return this.down || document.querySelector("dialog[open]") !== null || performance.now() - this.touched < UNTOUCHED;
  }

  // One's own turn begins: the panel where one can act.
  turnBegins(places) {
    const zones = places.map(([zone]) => zone);
    const shows = (panel) => zonesOf(panel).some((zone) => zones.includes(zone));
    const here = this.panels.find(({ id }) => id === this.open);
    if (this.busy() || (here && shows(here))) return;
    this.open = this.panels.find(shows)?.id ?? this.open;
  }

  // Pieces that left their places since the last change, with the mark of the one who took them.
  /** @param {Table} table */
  remember(table) {
    const before = this.before;
    this.before = table.view;
    this.ghosts = new Map();
    if (!before) return;
    for (const zone of Object.keys(table.changed ?? {})) {
      const [was, now] = [before[zone]?.at, table.view[zone]?.at];
      for (const cell of Object.keys(now ?? {})) if (was?.[cell] && !now[cell]) this.ghosts.set(`${zone}/${cell}`, { label: was[cell], seat: table.last?.[0]?.seat ?? null });
    }
    clearTimeout(this.fading);
    if (this.ghosts.size) this.fading = setTimeout(() => ((this.ghosts = new Map()), this.app.standing && this.draw(this.app.standing)), GHOST);
  }

  pulse() {
    if (calm()) return;
    this.panel.classList.remove("pulsing");
    void this.panel.offsetWidth; // the animation is to begin anew
    this.panel.classList.add("pulsing");
  }

  choosePanel(id) {
    this.open = id;
    this.changedIn.delete(id);
    this.draw(this.app.standing);
  }

  openWith(zone) {
    const panel = panelWith(this.panels, zone);
    if (panel) this.choosePanel(panel.id);
  }

  choose(zone, spot) {
    this.chosen = { zone, spot };
    this.markChosen();
  }

  markChosen() {
    const { zone, spot } = this.chosen;
    for (const node of this.panel.querySelectorAll(".chosen")) node.classList.remove("chosen");
    if (zone) for (const node of this.places(zone, spot)) node.closest(".target")?.classList.add("chosen");
  }

  places(zone, spot) {
    const within = `[data-zone="${CSS.escape(zone)}"]`;
    const exact = spot ? [...this.panel.querySelectorAll(`${within}[data-spot="${CSS.escape(spot)}"]`)] : [];
    return exact.length ? exact : [...this.panel.querySelectorAll(within)].filter((node) => !spot || !node.dataset.spot);
  }

  /** Where a move changed something: its panel opens, and the places pulse.
      @param {{places: Record<string, string[]>}} move */
  show(move) {
    const places = Object.entries(move.places ?? {});
    const zones = places.map(([zone]) => zone);
    const panel = this.panels.find((one) => one.id === this.open && zonesOf(one).some((zone) => zones.includes(zone))) ?? panelWith(this.panels, zones.find((zone) => panelWith(this.panels, zone)) ?? "");
    if (panel && panel.id !== this.open) this.choosePanel(panel.id);
    this.node.scrollIntoView({ block: "nearest" });
    for (const [zone, cells] of places) {
      for (const cell of cells.length ? cells : [""]) {
        for (const node of this.fieldsOf(zone, cell)) {
          const target = node.closest(".target") ?? node;
          target.classList.remove("pulse");
          void target.getBoundingClientRect();
          target.classList.add("pulse");
          setTimeout(() => target.classList.remove("pulse"), 2600);
        }
      }
    }
  }

  /** A field of a board by what lies on it, whichever zone it was drawn for. */
  fieldsOf(zone, cell) {
    const here = this.places(zone, cell);
    if (here.length || !cell) return here;
    return [...this.panel.querySelectorAll(`.square[data-spot="${CSS.escape(cell)}"]`)];
  }

  // The places where the seat in turn can act, from the menu of legal moves.
  async askActs(table) {
    const number = `${table.journal} ${table.last?.[0]?.event} ${table.events}`;
    if (this.acts.number === number || typeof table.expects?.actor !== "number") return;
    this.acts = { number, places: new Set() };
    const found = await this.app.get("/api/acts", { quiet: true });
    if (this.acts.number !== number || !found?.places?.length) return;
    this.acts = { number, places: new Set(found.places.map(([zone, cell]) => `${zone}/${cell}`)) };
    const { actor } = table.expects;
    if (actor === this.app.me.seat && actor !== this.actor) this.turnBegins(found.places);
    this.actor = actor;
    if (this.app.standing) this.draw(this.app.standing);
  }

  close() {
    clearTimeout(this.fading);
    for (const type of TOUCHES) removeEventListener(type, this.touch);
  }
}

/** What the drawing of panels is made from.
    @param {App} app
    @param {Table} table */
export function sceneOf(app, table) {
  return {
    layout: app.layout,
    view: table.view,
    seats: table.seats,
    me: app.me.seat ?? null,
    actor: table.expects?.actor,
    changed: table.changed ?? {},
    mover: table.seats[table.last?.[0]?.seat]?.colour ?? table.last?.[0]?.colour ?? null,
    links: table.links,
    rings: table.rings,
  };
}

/** @param {Context} context */
export function withWords(context, app) {
  return Object.assign(context, {
    seatName: (seat) => seatName(context.seats, seat, app.layout),
    plain: (label) => plainWord(label, app.layout),
    plainNothing: t("table.nothing"),
    paint,
  });
}

/** The spots of the table that a trouble is about.
    @param {Trouble} trouble */
export function inQuestion(trouble) {
  if (!trouble) return [];
  const steps = trouble.put_right ?? trouble.finish ?? [];
  const spots = steps.flatMap(({ source, to, cells }) =>
    cells?.length ? cells.map((cell) => ({ zone: to.zone, cell })) : [source, to].filter(Boolean),
  );
  return spots.length ? spots : (trouble.zones ?? []).map((zone) => ({ zone, cell: "" }));
}

