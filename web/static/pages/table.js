// The table: whose turn it is, what is expected, the drawing, the scores so far, the last moves.

import { demoStrip } from "../core/demo.js";
import { button, clear, h, once } from "../core/dom.js";
import { facing } from "../drawing/geometry.js";
import { icon } from "../core/icons.js";
import { TableMap, inWords, things, wordsAt, zoneName } from "../drawing/map.js";
import { mayAct, moveLine } from "../core/moves.js";
import { ringDrawing } from "../drawing/ring.js";
import { chip, letters, mark, seatName } from "../core/seats.js";
import { both, t } from "../core/words.js";

export const title = "table.title";

export function open(app) {
  const said = h("section", { class: "expects", "aria-live": "polite" });
  const caption = h("p", { class: "map-caption soft small" });
  const seats = h("ul", { class: "seats" });
  const moves = h("div", { class: "moves" });
  const demo = demoStrip(app);
  const words = h("details", { class: "in-words" });
  const about = h("ul", { class: "map-about", "aria-live": "polite" });
  const rings = h("div", { class: "rings" });
  const ringAbout = h("ul", { class: "ring-about", "aria-live": "polite" });
  const map = new TableMap({ tapped: (zone, spot) => look(zone, spot) });
  const large = h("button", { type: "button", class: "map-button", on: { click: () => spread() } }, icon("whole"));
  const under = h("div", { class: "map-under" }, caption, large);
  const full = h(
    "div",
    { class: "table-page" },
    said,
    h("div", { class: "table-rings" }, rings, ringAbout),
    h("div", { class: "table-map" }, map.node, under, about),
    h("div", { class: "table-side" }, seats, moves, demo.node, words),
  );
  const node = h("div", {}, full);
  let zone = null;
  let spot = "";
  let asked = 0;
  let big = false;
  let inRing = { zone: null, spot: "" };

  map.node.addEventListener("zoomed", () => map.node.classList.toggle("near", map.window.zoom > 1.6));
  const resized = () => app.standing && draw(app.standing);
  addEventListener("resize", resized);
  const left = (event) => event.key === "Escape" && big && spread();
  addEventListener("keydown", left);

  function look(name, place = "") {
    [zone, spot] = name === zone && place === spot ? [null, ""] : [name, place];
    if (zone) map.near(zone, spot);
    else map.window.all();
    say();
    tell().then(() => about.scrollIntoView({ block: "nearest" }));
  }

  // Chosen from the words instead of the drawing.
  function read(name, place) {
    [zone, spot] = [null, ""];
    look(name, place);
    map.node.scrollIntoView({ block: "start" });
  }

  // What people may want to know about the place, as the table stands now.
  async function tell() {
    const turn = ++asked;
    const found = await remarks(app, zone, spot);
    if (turn === asked) once(about, found, () => found.map(remarkLine));
  }

  // The same for a place of a wheel, below it.
  async function lookInRing(name, place) {
    const again = inRing.zone === name && inRing.spot === place;
    inRing = again ? { zone: null, spot: "" } : { zone: name, spot: place };
    drawRings(app.standing);
    rings.querySelector(`[data-ring="${CSS.escape(`${name}/${place}`)}"]`)?.focus({ preventScroll: true });
    await tellRing();
    ringAbout.scrollIntoView({ block: "nearest" });
  }

  async function tellRing() {
    const { zone: name, spot: place } = inRing;
    const found = await remarks(app, name, place);
    if (inRing.zone !== name || inRing.spot !== place) return;
    once(ringAbout, [name, found], () => found.map(remarkLine));
  }

  function drawRings({ table }) {
    const facts = [table.rings, table.view, inRing, app.layout?.labels, table.seats];
    if (!app.layout || !table.view) return;
    const scene = { layout: app.layout, view: table.view, seats: table.seats, chosen: inRing };
    once(rings, facts, () => (table.rings ?? []).map((ring) => ringDrawing(ring, scene, lookInRing)));
  }

  function say() {
    const table = app.standing?.table;
    const contents = zone && table?.view?.[zone];
    clear(
      caption,
      contents
        ? [h("b", {}, zoneName(zone, app.layout)), ": ", inSight(contents, spot, app.layout) || t("table.nothing")]
        : t("table.map_hint"),
    );
  }

  // The whole screen for the drawing; on an upright phone it lies on its side.
  function spread() {
    big = !big;
    map.node.classList.toggle("spread", big);
    document.documentElement.classList.toggle("covered", big);
    large.setAttribute("aria-label", t(big ? "app.close" : "table.spread"));
    clear(large, icon(big ? "close" : "whole"));
    (big ? map.node : under).append(large);
    map.window.whole = [0, 0, 0, 0];
    draw(app.standing);
  }

  function draw({ table }) {
    if (!app.layout || !table.view) return;
    const upright = innerHeight > innerWidth;
    const side = facing(app.layout, app.me.seat);
    map.draw({
      layout: app.layout,
      view: table.view,
      seats: table.seats,
      changed: table.changed,
      actor: table.expects?.actor,
      links: table.links,
      quarter: big && upright ? (side + 1) % 4 : side,
      marks: inQuestion(table.trouble),
    });
  }

  function update(standing) {
    const { table } = standing;
    large.setAttribute("aria-label", t(big ? "app.close" : "table.spread"));
    if (!table.game) {
      clear(node, lobby(app));
      return;
    }
    if (!full.isConnected) clear(node, full);
    expects(said, app, table);
    draw(standing);
    say();
    if (zone) tell();
    drawRings(standing);
    if (inRing.zone) tellRing();
    const who = [table.seats, app.me, app.layout?.colours];
    const scores = [table.expects?.actor, table.winners, table.totals, standing.seats];
    once(seats, [who, scores], () => table.seats.map((_, number) => seatCard(app, table, standing, number)));
    once(moves, [who, table.last, table.can_undo, table.can_redo], () => lastMoves(app, table));
    demo.draw(standing.demo);
    once(words, [table.view, app.layout?.labels], () => [
      h("summary", {}, t("table.in_words")),
      h("dl", {}, zonesInWords(app.layout, table.view, read)),
    ]);
  }

  return {
    node,
    update,
    close() {
      removeEventListener("resize", resized);
      removeEventListener("keydown", left);
      document.documentElement.classList.remove("covered");
    },
  };
}

/** What lies in the place that somebody looks at: in an empty one nothing, elsewhere all that the zone holds. */
function inSight(contents, spot, layout) {
  const empty = contents.type === "cells" && spot in contents.at && !contents.at[spot];
  return empty ? "" : wordsAt(contents, spot, layout) || inWords(contents, layout);
}

async function remarks(app, zone, spot) {
  const place = new URLSearchParams({ zone: zone ?? "", spot });
  return (zone && (await app.get(`/api/about?${place}`, { quiet: true }))) || [];
}

/** A remark about a place. What happens one after the other has numbers, and a screen reader says them, too. */
function remarkLine({ says, step }) {
  if (!step) return h("li", {}, both(says));
  return h("li", { class: "numbered" }, h("span", { class: "number-of" }, `${step}.`), " ", h("span", {}, both(says)));
}

// Said again only if it changed, or a screen reader would repeat it with every move.
function expects(node, app, table) {
  const actor = table.expects?.actor;
  const mine = typeof actor === "number" && actor === app.me.seat;
  node.classList.toggle("mine", mine);
  const facts = [table.expects, table.phase, table.comparing, table.over, table.seats, mine, app.layout?.colours];
  once(node, facts, () => expected(app, table, mine));
}

function expected(app, table, mine) {
  const who = table.seats[table.expects?.actor];
  return [
    who
      ? mark(who.colour, letters(table.seats, app.layout)[table.expects.actor])
      : h("span", { class: "everyone", "aria-hidden": "true" }, icon(table.over ? "done" : "seat")),
    h(
      "div",
      { class: "expects-text" },
      h(
        "p",
        { class: "phase" },
        [mine && t("table.your_turn"), !table.over && both(table.phase)].filter(Boolean).join(" · "),
      ),
      h("p", { class: "sentence" }, table.comparing ? t("table.comparing") : both(table.expects?.says)),
    ),
    table.over && button(t("table.to_scores"), () => app.go("scores"), { kind: "primary" }),
  ];
}

function seatCard(app, table, standing, number) {
  const acts = table.expects?.actor === number;
  const name = seatName(table.seats, number, app.layout);
  return h(
    "li",
    { class: `seat ${acts ? "acts" : ""} ${table.winners?.includes(number) ? "wins" : ""}` },
    chip(table.seats, number, app.layout),
    standing.seats?.[number]?.taken && h("span", { class: "has-phone", title: t("table.has_phone", { name }) }),
    table.totals &&
      h(
        "span",
        { class: "points" },
        table.totals[number],
        h("span", { class: "visually-hidden" }, ` ${t("table.points")}`),
      ),
  );
}

function lastMoves(app, table) {
  const undo = mayAct(app) && table.can_undo && table.last?.length > 0;
  const redo = mayAct(app) && table.can_redo;
  return [
    table.last?.length > 0 && h("h2", { class: "section" }, t("table.last")),
    table.last?.length > 0 &&
      h(
        "div",
        { class: "list" },
        table.last.map((move) => moveLine(app, move)),
      ),
    (undo || redo) &&
      h(
        "div",
        { class: "row undo-row" },
        undo && button([icon("undo"), t("table.undo")], () => app.command("undo"), { kind: "quiet" }),
        redo && button(t("table.redo"), () => app.command("redo"), { kind: "quiet" }),
      ),
  ];
}

function zonesInWords(layout, view, read) {
  const thing = (words, name, spot = "") =>
    h("button", { type: "button", class: "thing", on: { click: () => read(name, spot) } }, words);
  return Object.entries(view ?? {}).flatMap(([name, contents]) => {
    const found = things(contents, layout).map(([spot, words]) => thing(words, name, spot));
    return [
      h("dt", {}, thing(zoneName(name, layout), name)),
      h("dd", {}, found.length ? found : t("table.nothing")),
    ];
  });
}

/** The spots of the table that a trouble is about. */
export function inQuestion(trouble) {
  if (!trouble) return [];
  const steps = trouble.put_right ?? trouble.finish ?? [];
  const spots = steps.flatMap(({ source, to, cells }) =>
    cells?.length ? cells.map((cell) => ({ zone: to.zone, cell })) : [source, to].filter(Boolean),
  );
  return spots.length ? spots : (trouble.zones ?? []).map((zone) => ({ zone, cell: "" }));
}

function lobby(app) {
  const host = app.me.host;
  return h(
    "div",
    { class: "empty" },
    h("span", { class: "lobby-sign", "aria-hidden": "true" }, icon("table")),
    h("h2", {}, t("table.no_game")),
    h("p", {}, t(host ? "table.begin_one" : "table.host_begins")),
    host
      ? button(t("table.begin"), () => app.go("setup"), { kind: "primary big" })
      : button(t("table.to_join"), () => app.go("join"), { kind: "big" }),
  );
}
