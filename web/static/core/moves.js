// Moves as people read them: a line for each, and on a tap why it counts, the picture that proved it, and a way back.

import { button, clear, h } from "./dom.js";
import { icon } from "./icons.js";
import { letters, mark } from "./seats.js";
import { sheet } from "./sheet.js";
import { both, t } from "./words.js";

/** The sign of whoever made a move, also of an opponent whom nobody plays; a dot for chance and the table itself.
    @param {App} app */
export function maker(app, { seat, colour }) {
  const seats = app.standing?.table.seats ?? [];
  if (seats[seat]) return mark(seats[seat].colour, letters(seats, app.layout)[seat]);
  if (colour) return mark(colour, letters([...seats, { colour }], app.layout).at(-1));
  return h("span", { class: "no-maker", "aria-hidden": "true" });
}

/** Whether this phone may change what counts.
    @param {App} app */
export function mayAct(app) {
  return app.me.host || app.me.role === "seat" || app.me.role === "host";
}

/** @param {App} app */
export function moveLine(app, move) {
  return h(
    "button",
    { type: "button", class: "line", on: { click: () => moveSheet(app, move) } },
    maker(app, move),
    h("span", { class: "grow" }, both(move.says)),
    icon("on"),
  );
}

/** One move in full.
    @param {App} app */
export function moveSheet(app, move) {
  const newest = app.standing?.table.last?.[0]?.event === move.event;
  const shown = sheet({
    title: both(move.says),
    body: [because(move), proof(app, move.event)],
    actions: mayAct(app)
      ? [
          newest && app.standing.table.can_undo
            ? button([icon("undo"), t("table.undo")], async () => (await app.command("undo")) && shown.close())
            : null,
          button(t("table.wrong"), () => {
            shown.close();
            app.go("history", { event: move.event });
          }),
        ].filter(Boolean)
      : [],
  });
}

function because(move) {
  if (!move.because?.length) return null;
  return h(
    "ul",
    { class: "because" },
    move.because.map((note) => h("li", { "data-rule": note.rule }, both(note.says))),
  );
}

/** Where the picture of an event is. Numbers begin anew with each game, and phones keep pictures: so the journal is
 * part of the address. */
export const pictureOf = (journal, event) => `/picture/${journal}/${event}.jpg`;

/** The picture that proved an event of this game, once the table has said that there is one; else nothing.
    @param {App} app */
export function proof(app, event, caption = "") {
  const { journal } = app.standing.table;
  const figure = h("figure", { class: "proof", hidden: true });
  app.get(`/api/pictures/${journal}?event=${event}`, { quiet: true }).then((found) => {
    if (!found?.events.length) return figure.remove();
    const image = h("img", { src: pictureOf(journal, event), alt: caption || t("table.picture") });
    image.addEventListener("error", () => figure.remove());
    image.addEventListener("click", () => figure.classList.toggle("large"));
    clear(figure, image, caption && h("figcaption", { class: "small soft" }, caption));
    figure.hidden = false;
  });
  return figure;
}
