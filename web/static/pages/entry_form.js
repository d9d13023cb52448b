// What lies there, entered in one form: loose pieces are counted with a tap each, places are filled one after the other.

import { button, clear, h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { seatName } from "../core/seats.js";
import { both, t } from "../core/words.js";
import { piecePicture } from "./option_picture.js";

/** The form for what the table asks about. `send(zones)` brings what was filled in.
    @param {App} app
    @param {Entry} entry */
export function entryForm(app, entry, send) {
  /** @type {Record<string, Record<string, any>>} */
  const filled = {};
  const mine = entry.zones.filter((zone) => mayEnter(app, zone));
  const others = entry.zones.filter((zone) => !mine.includes(zone));
  const own = entry.zones.some((zone) => zone.seat !== null && zone.seat === app.me.seat);
  const first = mine.find((zone) => zone.seat !== null && zone.seat === app.me.seat && !zone.entered);
  const next = first ?? mine.find((zone) => !zone.entered);
  const done = button(t("entry.send"), () => send(filled), { kind: "primary big wide" });
  const ready = () => (done.disabled = !Object.keys(filled).length);
  const parts = mine.map((zone) => {
    const set = (value) => ((filled[zone.zone] = value), ready());
    return section(app, entry, zone, set, zone === next || (zone.by !== null && zone.by === app.me.seat && !zone.entered) || !entry.together);
  });
  // Somebody who took nothing says so by sending the empty form.
  if (first) filled[first.zone] = {};
  ready();
  return h(
    "section",
    { class: "entry-form" },
    h("h2", { class: "asks", tabindex: "-1" }, t(title(entry, own))),
    entry.together && h("p", { class: "soft" }, t("entry.together_how")),
    parts,
    others.length > 0 && h("ul", { class: "waiting" }, others.map((zone) => state(app, zone))),
    h("div", { class: "send" }, done),
  );
}

/** @param {Entry} entry */
function title({ together }, own) {
  if (!together) return "entry.lies";
  return own ? "entry.together" : "entry.everybody";
}

/** A seat enters its own and what belongs to nobody; the host enters for everybody.
    @param {App} app
    @param {EntryZone} zone */
function mayEnter(app, zone) {
  return app.me.host || zone.seat === null || zone.seat === app.me.seat;
}

/** @param {App} app
    @param {EntryZone} zone */
function named(app, zone) {
  if (zone.seat === null) return both(zone.says);
  if (zone.seat === app.me.seat) return t("entry.mine");
  return t("entry.of", { name: seatName(app.standing.table.seats, zone.seat, app.layout) });
}

/** @param {App} app
    @param {EntryZone} zone */
function state(app, zone) {
  const words = h("span", { class: "grow" }, named(app, zone));
  return h("li", {}, words, h("span", { class: `tag ${zone.entered ? "good" : "plain"}` }, zone.entered ? t("entry.there") : t("entry.missing")));
}

/** One zone, folded where it is not this phone's first concern.
    @param {App} app
    @param {Entry} entry
    @param {EntryZone} zone */
function section(app, entry, zone, set, open) {
  const total = h("b", { class: "total", "aria-live": "polite" });
  const tell = (number, of) => (total.textContent = of ? t("entry.of_all", { number, of }) : String(number || ""));
  const loose = zone.groups.every((group) => !group.cells.length);
  const body = loose ? counts(app, zone, set, tell) : places(app, zone, set, tell);
  const head = [
    h("span", { class: "grow" }, named(app, zone)),
    zone.entered && h("span", { class: "tag good" }, icon("done"), t("entry.there")),
    total,
  ];
  if (!entry.together) return h("section", { class: "entry-zone" }, h("h3", {}, head), body);
  return h("details", { class: "entry-zone", open }, h("summary", {}, head), body);
}

// Loose pieces

/** @param {App} app
    @param {EntryZone} zone */
function counts(app, zone, set, tell) {
  const labels = zone.groups[0].labels;
  const known = new Set(labels.map(({ label }) => label));
  const before = Object.entries(zone.entered ?? zone.lies).filter(([label]) => known.has(label));
  const now = Object.fromEntries(before);
  const add = () => tell(Object.values(now).reduce((sum, one) => sum + one, 0));
  const keys = labels.map(({ label, says }) => {
    const number = h("b", { class: "number", "aria-live": "polite" });
    const words = both(says);
    const change = (by) => () => {
      now[label] = Math.max(0, (now[label] ?? 0) + by);
      show();
      set({ ...now });
    };
    const more = h(
      "button",
      { type: "button", class: "more", on: { click: change(1) } },
      piecePicture(app, label),
      h("span", { class: "says" }, words),
      number,
    );
    const less = h(
      "button",
      { type: "button", class: "less", "aria-label": t("fields.less", { what: words }), on: { click: change(-1) } },
      "−",
    );
    const key = h("li", { class: "count", dataset: { label } }, more, less);
    const show = () => {
      number.textContent = now[label] ? `× ${now[label]}` : "";
      less.hidden = !now[label];
      key.classList.toggle("chosen", now[label] > 0);
      add();
    };
    show();
    return key;
  });
  return h("ul", { class: `counts ${width(labels)}` }, keys);
}

// Places

/** A tap on a piece puts it into the place that is marked, and marks the next one.
    @param {App} app
    @param {EntryZone} zone */
function places(app, zone, set, tell) {
  const cells = zone.groups.flatMap((group) => group.cells.map((cell) => ({ ...cell, labels: group.labels })));
  /** @type {Record<string, string>} */
  const now = {};
  let at = 0;
  const board = h("ol", { class: "cells", style: { "--columns": String(columns(app, zone.zone, cells)) } });
  const palette = h("ul", { class: `palette ${width(cells.flatMap(({ labels }) => labels))}` });
  const draw = () => {
    clear(board, cells.map(place));
    clear(palette, at < cells.length ? cells[at].labels.map(choice) : null);
    tell(Object.keys(now).length, cells.length);
  };
  const place = ({ cell, says, labels }, index) => {
    const label = labels.find((one) => one.label === now[cell]);
    const go = () => ((at = index), draw());
    const inside = label
      ? [picture(app, label), h("span", { class: "says" }, both(label.says))]
      : h("span", { class: "says" }, cells.length > 1 || zone.groups.length > 1 ? both(says) : "?");
    const aria = `${both(says)}: ${label ? both(label.says) : t("entry.missing")}`;
    const current = index === at ? { "aria-current": "step" } : {};
    const kind = `cell${label ? " filled" : ""}`;
    return h("li", {}, h("button", { type: "button", class: kind, "aria-label": aria, ...current, on: { click: go } }, inside));
  };
  const choice = (label) => {
    const put = () => {
      now[cells[at].cell] = label.label;
      const next = cells.findIndex((cell, index) => index > at && !now[cell.cell]);
      at = next < 0 ? cells.findIndex((cell) => !now[cell.cell]) : next;
      if (at < 0) at = cells.length;
      draw();
      set({ ...now });
    };
    const inside = [picture(app, label), h("span", { class: "says" }, both(label.says))];
    return h("li", {}, h("button", { type: "button", class: "choice", dataset: { label: label.label }, on: { click: put } }, inside));
  };
  draw();
  return h("div", { class: "places" }, board, palette);
}

/** @param {App} app */
const picture = (app, { label }) => piecePicture(app, label);

const LONG = 11; // letters of a word for which a third of a phone is too narrow

const width = (labels) => (labels.some(({ says }) => both(says).split(/[\s-]/).some((word) => word.length > LONG)) ? "wide" : "");

const MOST_COLUMNS = 4;

/** Cells stand as they lie if they fit side by side.
    @param {App} app */
function columns(app, zone, cells) {
  const boxes = cells.map(({ cell }) => app.layout?.zones[zone]?.cells?.[cell]).filter(Boolean);
  const wide = new Set(boxes.map(([left]) => Math.round(left))).size;
  const high = new Set(boxes.map(([, top]) => Math.round(top))).size;
  return wide * high === cells.length && wide <= MOST_COLUMNS && wide > 1 ? wide : Math.min(MOST_COLUMNS, cells.length);
}
