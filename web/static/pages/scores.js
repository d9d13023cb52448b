// Scores: the live sheet with a reason for every point, the way there, and the winner's moment.

import { button, clear, h } from "../core/dom.js";
import { letters, mark, paint, seatName } from "../core/seats.js";
import { both, clock, day, lang, t } from "../core/words.js";
import { keepScores, keptScores } from "../core/kept_scores.js";
import { chart } from "./chart.js";
import { missing } from "./empty_page.js";
import { reveal, signs, verdict } from "./reveal.js";

export const title = "scores.title";

const REVEALED = "companion.revealed";

/** @param {App} app */
export function open(app) {
  const node = h("div", { class: "scores" });
  const opened = new Set(); // the lines whose reason stands open, so that a new standing does not fold them
  let number = null;
  let asked = 0;
  let layout = app.layout;

  // Answers may overtake each other: only the last one asked for is how things stand.
  async function load() {
    const turn = ++asked;
    const scores = await app.get("/api/scores");
    if (!scores || turn !== asked) return;
    const { seats } = app.standing.table;
    keepScores(app, scores);
    show(scores, seats);
  }

  // The companion is out of reach, and this phone was only opened now: the sheet as it was last.
  function recall() {
    if (app.standing || app.connection !== "lost" || node.firstChild) return;
    const kept = keptScores();
    if (!kept) return;
    layout = kept.layout;
    show(kept.scores, kept.seats);
    const says = t("scores.kept", { title: kept.title, day: day(kept.at), time: clock(kept.at) });
    node.prepend(h("p", { class: "kept", role: "status" }, says));
    node.querySelector(".exports")?.remove();
    node.querySelector(".outcome .button")?.remove();
  }

  function forget(lacks) {
    asked += 1;
    clear(node, lacks);
  }

  /** @param {Scores} scores
      @param {Seat[]} seats */
  function show(scores, seats) {
    const won = ({ seat }) => Number(scores.winners.includes(seat));
    const ranked = [...scores.seats].sort((a, b) => won(b) - won(a) || b.total - a.total || a.seat - b.seat);
    const best = Math.max(1, ...scores.seats.map((one) => one.total));
    const marks = letters(seats, layout);
    clear(
      node,
      scores.over && outcome(scores, seats),
      h(
        "ol",
        { class: "sheet-of-scores" },
        ranked.map((one) => card(one, seats, marks, best)),
      ),
      chart(scores.chart, seats, marks, layout),
      exports(),
    );
    if (app.standing && scores.over && scores.winners.length) revealOnce(scores, seats);
  }

  /** Nobody at the table may have won: against an opponent of cards, or where only people can tell.
      @param {Scores} scores
      @param {Seat[]} seats */
  function outcome(scores, seats) {
    return h(
      "section",
      { class: "outcome" },
      signs(app, scores, seats),
      h("h2", {}, verdict(app, scores, seats)),
      scores.because.map((why) => h("p", {}, both(why))),
      scores.winners.length > 0 && button(t("scores.again"), () => reveal(app, scores, seats), { kind: "quiet" }),
    );
  }

  /** @param {Seat[]} seats */
  function card(one, seats, marks, best) {
    const { colour } = seats[one.seat];
    const lines = one.lines.map((line, index) => reason(line, `${one.seat}/${index}/${both(line.label)}`));
    return h(
      "li",
      { class: "card", style: { "--seat": paint(colour).fill } },
      h(
        "header",
        {},
        mark(colour, marks[one.seat]),
        h("h2", {}, seatName(seats, one.seat, layout)),
        h("strong", { class: "total" }, one.total, h("span", { class: "visually-hidden" }, ` ${t("scores.points")}`)),
      ),
      h(
        "div",
        { class: "bar", "aria-hidden": "true" },
        h("span", { style: { width: `${(100 * one.total) / best}%` } }),
      ),
      lines.length ? h("ul", { class: "lines" }, lines) : h("p", { class: "none" }, t("scores.none")),
    );
  }

  function reason(line, key) {
    const details = h(
      "details",
      { open: opened.has(key) },
      h("summary", {}, h("span", {}, both(line.label)), h("b", {}, line.points)),
      h("p", {}, both(line.because)),
    );
    details.addEventListener("toggle", () => (details.open ? opened.add(key) : opened.delete(key)));
    return h("li", {}, details);
  }

  function exports() {
    const link = (path, words, file) =>
      h(
        "a",
        {
          class: "button",
          href: `/export/${path}?lang=${lang()}`,
          download: file,
          target: file ? null : "_blank",
        },
        t(words),
      );
    return h(
      "section",
      { class: "exports" },
      h("h2", {}, t("scores.take")),
      h(
        "div",
        { class: "row" },
        link("scores.csv", "scores.csv", true),
        link("game.json", "scores.json", true),
        link("page.html", "scores.page", null),
      ),
    );
  }

  // The moment is shown by itself once a game; whoever missed it can ask for it.
  /** @param {Scores} scores
      @param {Seat[]} seats */
  function revealOnce(scores, seats) {
    const game = `${app.standing.edition}:${app.standing.table.events}`;
    if (sessionStorage.getItem(REVEALED) === game) return;
    sessionStorage.setItem(REVEALED, game);
    reveal(app, scores, seats);
  }

  /** @param {Standing} standing */
  function update(standing) {
    layout = app.layout;
    const lacks = missing(app, standing);
    if (lacks) forget(lacks);
    else if (standing.number !== number) load();
    number = lacks ? null : standing.number;
  }

  const off = app.on("connection", recall);
  if (app.standing) update(app.standing);
  else recall();
  return { node, update, close: off };
}
