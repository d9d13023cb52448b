// The table: whose turn it is, one panel of the table at a time, what was done last, the scores.

import { button, clear, h, once } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { inWords, things, wordsAt, zoneName } from "../drawing/map.js";
import { seatPicture, token } from "../drawing/tokens.js";
import { mayAct, maker, moveSheet } from "../core/moves.js";
import { letters, mark, seatName } from "../core/seats.js";
import { both, t } from "../core/words.js";
import { TablePanels, inQuestion } from "./table_panels.js";
import { WholeTable } from "./table_map.js";

const LONG = 34; // letters of a sentence that is written smaller

export const title = "table.title";
export { inQuestion };

/** With an `event` it shows where that move was.
    @param {App} app
    @param {{event?: string}} [params] */
export function open(app, { event } = {}) {
  const frame = h("section", { class: "frame" });
  const said = h("section", { class: "expects", "aria-live": "polite" });
  const caption = h("p", { class: "map-caption" });
  const about = h("ul", { class: "map-about", "aria-live": "polite" });
  const lies = h("div", { class: "lies-there" });
  const info = h("section", { class: "place-info", hidden: true }, h("div", { class: "place-head" }, caption, button(icon("close"), () => look(null), { kind: "quiet", "aria-label": t("app.close") })), lies, about);
  const seats = h("ul", { class: "seats" });
  const moves = h("div", { class: "moves" });
  const words = h("details", { class: "in-words" });
  const panels = new TablePanels(app, (name, spot) => look(name, spot));
  const map = new WholeTable(app, (name, spot) => look(name, spot));
  const full = h(
    "div",
    { class: "table-page" },
    frame,
    said,
    h("div", { class: "table-map" }, panels.node, map.node, info),
    h("div", { class: "table-side" }, moves, seats, map.button, words),
  );
  const node = h("div", {}, full);
  let zone = null;
  let spot = "";
  let asked = 0;

  const resized = () => app.standing && drawTable(app.standing);
  addEventListener("resize", resized);

  function look(name, place = "") {
    [zone, spot] = name === zone && place === spot ? [null, ""] : [name, place];
    if (zone) map.near(zone, spot);
    else map.all();
    panels.choose(zone, spot);
    say();
    tell().then(() => zone && info.scrollIntoView({ block: "nearest" }));
  }

  // Chosen from the words instead of the drawing.
  function read(name, place) {
    [zone, spot] = [null, ""];
    panels.openWith(name);
    look(name, place);
    panels.node.scrollIntoView({ block: "start" });
  }

  // What people may want to know about the place, as the table stands now.
  async function tell() {
    const turn = ++asked;
    const found = await remarks(app, zone, spot);
    if (turn === asked) once(about, found, () => found.map(remarkLine));
  }

  // A move of the history: its places pulse.
  async function showEvent(number) {
    event = undefined;
    const past = await app.get(`/api/history?before=${Number(number) + 1}&count=1`, { quiet: true });
    const [move] = past?.moves ?? [];
    if (String(move?.event) === number) panels.show(move);
  }

  function say() {
    const contents = zone && app.standing?.table?.view?.[zone];
    info.hidden = !contents;
    once(caption, [zone, spot, contents, app.layout?.labels], () => (contents ? h("b", {}, inSight(contents, zone, spot, panels.context, app.layout)) : ""));
    once(lies, [zone, spot, contents], () => (contents && !spot ? lyingThere(contents) : []));
  }

  // Pieces that are too small to be hit where they lie.
  /** @param {Contents} contents */
  function lyingThere(contents) {
    const found = things(contents, app.layout).filter(([place]) => place);
    if (found.length < 2 || found.length > 12 || !panels.context) return [];
    return found.map(([place, said]) => {
      const label = contents.type === "cells" ? contents.at[place] : place;
      return h("button", { type: "button", class: "lying", on: { click: () => look(zone, place) } }, token(label, zone, panels.context, 24), h("span", {}, said));
    });
  }

  /** @param {Standing} standing */
  function drawTable(standing) {
    panels.draw(standing);
    map.draw(standing);
  }

  /** @param {Standing} standing */
  function update(standing) {
    const { table } = standing;
    if (!table.game) {
      clear(node, lobby(app));
      return;
    }
    if (!full.isConnected) clear(node, full);
    once(frame, [table.progress, table.expects?.actor, table.seats, app.layout?.colours], () => progress(app, table));
    expects(said, app, table);
    drawTable(standing);
    if (event && app.layout) showEvent(event);
    say();
    if (zone) tell();
    const who = [table.seats, app.me, app.layout?.colours];
    const scores = [table.expects?.actor, table.winners, table.totals, standing.seats];
    once(seats, [who, scores], () => table.seats.map((_, number) => seatCard(app, table, standing, number)));
    once(moves, [who, table.last, table.can_undo, table.can_redo], () => lastMoves(app, table, (move) => panels.show(move)));
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
      panels.close();
      map.close();
    },
  };
}

/** What lies in the place that somebody looks at: in an empty one nothing, elsewhere all that the zone holds.
    @param {Contents} contents
    @param {string} zone
    @param {string} spot
    @param {Context} context
    @param {Layout} layout */
function inSight(contents, zone, spot, context, layout) {
  if (context && (contents.type === "cells" || !spot)) return context.placeWords(zone, spot);
  return `${zoneName(zone, layout)} · ${wordsAt(contents, spot, layout) || inWords(contents, layout) || t("table.nothing")}`;
}

/** @param {App} app
    @param {string} zone
    @param {string} spot */
async function remarks(app, zone, spot) {
  const place = new URLSearchParams({ zone: zone ?? "", spot });
  return (zone && (await app.get(`/api/about?${place}`, { quiet: true }))) || [];
}

/** A remark about a place. What happens one after the other has numbers, and a screen reader says them, too. */
function remarkLine({ says, step }) {
  if (!step) return h("li", {}, both(says));
  return h("li", { class: "numbered" }, h("span", { class: "number-of" }, `${step}.`), " ", h("span", {}, both(says)));
}

/** Round or turn, how far it is to the end, and in which order the seats take turns.
    @param {App} app
    @param {Table} table */
function progress(app, table) {
  if (!table.progress) return [];
  const signs = letters(table.seats, app.layout);
  const turn = (seat) =>
    h(
      "li",
      { "aria-current": seat === table.expects?.actor ? "true" : null },
      seatPicture(table.seats[seat].colour, signs[seat], 18),
      h("span", { class: "visually-hidden" }, seatName(table.seats, seat, app.layout)),
    );
  return [
    h("p", {}, both(table.progress.says)),
    h("ol", { class: "turn-order", "aria-label": t("table.turn_order") }, table.progress.order.map(turn)),
  ];
}

// Said again only if it changed, or a screen reader would repeat it with every move.
/** @param {Table} table */
function expects(node, app, table) {
  const actor = table.expects?.actor;
  const mine = typeof actor === "number" && actor === app.me.seat;
  node.classList.toggle("mine", mine);
  node.classList.toggle("long", both(table.expects?.says).length > LONG);
  const facts = [table.expects, table.phase, table.comparing, table.over, table.seats, mine, app.layout?.colours];
  once(node, facts, () => expected(app, table, mine));
}

/** @param {App} app
    @param {Table} table */
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
    !table.over && h("a", { class: "round", href: "#/rules", "aria-label": t("table.can"), title: t("table.can") }, icon("ask")),
    table.over && button(t("table.to_scores"), () => app.go("scores"), { kind: "primary" }),
  ];
}

/** @param {App} app
    @param {Standing} standing
    @param {Table} table */
function seatCard(app, table, standing, number) {
  const acts = table.expects?.actor === number;
  const name = seatName(table.seats, number, app.layout);
  return h(
    "li",
    { class: `seat ${acts ? "acts" : ""} ${table.winners?.includes(number) ? "wins" : ""}` },
    seatPicture(table.seats[number].colour, letters(table.seats, app.layout)[number], 22),
    h("span", { class: "seat-name" }, name),
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

/** A tap shows where it was; the arrow beside it tells why it counts.
    @param {App} app
    @param {Table} table */
function lastMoves(app, table, show) {
  const undo = mayAct(app) && table.can_undo && table.last?.length > 0;
  const redo = mayAct(app) && table.can_redo;
  const line = (move, i) =>
    h(
      "div",
      { class: `last-move ${i ? "" : "newest"}` },
      h("button", { type: "button", class: "line", on: { click: () => show(move) } }, maker(app, move), h("span", { class: "grow" }, both(move.says))),
      h("button", { type: "button", class: "why", "aria-label": t("table.why"), on: { click: () => moveSheet(app, move) } }, icon("on")),
    );
  const [newest, ...older] = (table.last ?? []).map(line);
  return [
    newest,
    older.length > 0 && h("details", { class: "older" }, h("summary", {}, t("table.older", { number: older.length })), older),
    (undo || redo) &&
      h(
        "div",
        { class: "row undo-row" },
        undo && button([icon("undo"), t("table.undo")], () => app.command("undo"), { kind: "quiet" }),
        redo && button(t("table.redo"), () => app.command("redo"), { kind: "quiet" }),
      ),
  ];
}

/** @param {Layout} layout
    @param {View} view */
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

/** @param {App} app */
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
