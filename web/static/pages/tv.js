// The big screen: for people who look up from the table, not for hands.

import { addressLine } from "../core/address.js";
import { clear, h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { maker } from "../core/moves.js";
import { letters, mark, seatName } from "../core/seats.js";
import { both, t } from "../core/words.js";
import { TvPanels } from "./tv_panels.js";

const LONG = 52; // letters of a sentence that is written smaller

export const title = "tv.title";

/** @param {App} app */
export function open(app) {
  const said = h("section", { class: "tv-said", "aria-live": "polite" });
  const panels = new TvPanels(app);
  const scores = h("ul", { class: "tv-scores" });
  const news = h("section", { class: "tv-news", "aria-live": "polite" });
  const side = h("div", { class: "tv-side" }, scores, news, code(app));
  const full = h(
    "div",
    { class: "tv" },
    h("h1", { class: "visually-hidden" }, t("tv.title")),
    said,
    panels.node,
    side,
  );
  const node = h("div", {}, full);
  let verdict = null; // the last one, until the next move

  const off = app.on("update", ({ kind, body }) => {
    if (kind === "verdict") verdict = body;
    if (kind === "moved") verdict = null;
  });

  /** @param {Standing} standing */
  function update(standing) {
    const { table } = standing;
    if (!table.game) {
      clear(node, welcome(app));
      return;
    }
    if (!full.isConnected) clear(node, full);
    sentence(said, app, table);
    clear(
      scores,
      byTotal(table).map((number) => score(app, table, number)),
    );
    clear(news, latest(app, table, table.trouble ?? verdict));
    whole(news, side);
    panels.draw(standing);
  }

  return { node, update, close: () => (off(), panels.close()) };
}

/** @param {Table} table */
function sentence(node, app, table) {
  const actor = table.expects?.actor;
  const who = typeof actor === "number" && table.seats[actor];
  node.classList.toggle("long", both(table.expects?.says).length > LONG);
  clear(
    node,
    who && mark(who.colour, letters(table.seats, app.layout)[actor]),
    h(
      "div",
      {},
      h("p", { class: "tv-phase" }, [both(table.title), both(table.progress?.says), both(table.phase)].filter(Boolean).join(" · ")),
      h("p", { class: "tv-sentence" }, both(table.expects?.says)),
    ),
  );
}

/** Older moves only where there is room for all of their words; the newest goes before the way to join. */
function whole(news, side) {
  const over = () => news.scrollHeight > news.clientHeight + 1;
  side.classList.remove("full");
  while (news.children.length > 1 && over()) news.lastElementChild.remove();
  side.classList.toggle("full", over());
}

/** @param {App} app */
function code(app) {
  return h("div", { class: "tv-code" }, h("img", { src: "/qr.svg", alt: "" }), h("div", {}, h("b", {}, t("tv.join")), addressLine(app)));
}

/** @param {Table} table */
function byTotal(table) {
  return table.seats
    .map((_, number) => number)
    .sort((a, b) => (table.totals?.[b] ?? 0) - (table.totals?.[a] ?? 0) || a - b);
}

/** @param {App} app
    @param {Table} table */
function score(app, table, number) {
  const acts = table.expects?.actor === number;
  const won = table.winners?.includes(number);
  return h(
    "li",
    { class: `${acts ? "acts" : ""} ${won ? "wins" : ""}` },
    mark(table.seats[number].colour, letters(table.seats, app.layout)[number]),
    h(
      "span",
      { class: "tv-name" },
      seatName(table.seats, number, app.layout),
      won && h("small", {}, t("tv.wins")),
    ),
    h("span", { class: "tv-points" }, table.totals?.[number]),
  );
}

/** @param {App} app
    @param {Trouble} trouble
    @param {Table} table */
function latest(app, table, trouble) {
  if (trouble) {
    return h(
      "div",
      { class: `tv-problem ${trouble.kind}` },
      icon(trouble.kind === "question" ? "ask" : "warn"),
      h(
        "div",
        {},
        h("p", {}, both(trouble.says)),
        trouble.breaches?.[0] &&
          h("p", { class: "tv-rule" }, `${both(trouble.breaches[0].sentence)} (${both(trouble.breaches[0].section)})`),
      ),
    );
  }
  return (table.last ?? [])
    .slice(0, 3)
    .map((move) => h("p", { class: "tv-move" }, maker(app, move), both(move.says)));
}

/** @param {App} app */
function welcome(app) {
  return h(
    "div",
    { class: "tv-welcome" },
    h("h1", {}, t("tv.welcome")),
    h("img", { src: "/qr.svg", alt: t("join.code") }),
    h("p", {}, addressLine(app)),
  );
}
