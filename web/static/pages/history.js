// History: every move with its picture and its reasons; take it back, do it again, or say what it really was.

import { button, clear, h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { maker, mayAct, pictureOf } from "../core/moves.js";
import { sheet } from "../core/sheet.js";
import { both, clock, t } from "../core/words.js";
import { moveChoice } from "./move_choice.js";
import { missing } from "./empty_page.js";

export const title = "history.title";

const PAGE = 30; // moves that are read at once
const MOST = 100; // that can be

/** With an `event` it begins by asking what that move really was.
    @param {App} app
    @param {{event?: string}} [params] */
export function open(app, { event } = {}) {
  const node = h("div", { class: "history" });
  const bar = h("div", { class: "tools" });
  const list = h("ol", { class: "moves" });
  const more = h("p", { class: "more", "aria-live": "polite" });
  const seen = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && older());
  const unfolded = new Set();
  let moves = [];
  let journal = ""; // of the game that these are the moves of
  let unread = false; // whether there are older moves to fetch
  let fetching = false;
  let asked = 0;
  let since = []; // what happened since the last move
  let stamp = null;

  // Everything that was read so far, once more: a correction changes moves in the middle.
  async function reload() {
    const turn = ++asked;
    const wanted = Math.max(PAGE, moves.length);
    let all = [];
    let page = { more: true };
    while (page.more && all.length < wanted) {
      const from = all.length ? `before=${all.at(-1).event}&` : "";
      page = await app.get(`/api/history?${from}count=${Math.min(MOST, wanted - all.length)}`);
      if (!page || turn !== asked) return;
      if (!all.length) since = page.after ?? [];
      all = [...all, ...page.moves];
    }
    journal = page.journal;
    take(all, page.more);
    const wrong = moves.find((move) => String(move.event) === event);
    event = undefined;
    if (wrong && mayAct(app)) correct(wrong);
  }

  async function older() {
    if (!unread || fetching) return;
    const turn = ++asked;
    fetching = true;
    const page = await app.get(`/api/history?before=${moves.at(-1).event}&count=${PAGE}`);
    fetching = false;
    if (page && turn === asked) take([...moves, ...page.moves], page.more);
  }

  function take(all, others) {
    [moves, unread] = [all, others];
    const entries = grouped(moves).map((group) => (group.undone ? folded(group.moves) : entry(group.moves[0])));
    clear(list, since.length > 0 && h("li", { class: "since" }, happened(since)), entries);
    clear(more, moves.length ? (others ? t("history.more") : t("history.begin")) : t("history.none"));
  }

  // What was taken back lies folded where it happened.
  function folded(group) {
    const key = group.at(-1).event;
    const details = h(
      "details",
      { class: "undone", open: unfolded.has(key) },
      h("summary", {}, t("history.undone", { number: group.length })),
      h("ol", {}, group.map(entry)),
    );
    details.addEventListener("toggle", () => (details.open ? unfolded.add(key) : unfolded.delete(key)));
    return h("li", {}, details);
  }

  /** @param {PastMove} move */
  function entry(move) {
    return h(
      "li",
      { class: `move ${move.undone ? "back" : ""}`, dataset: { event: move.event } },
      maker(app, move),
      h(
        "div",
        { class: "what" },
        h("h2", {}, there(move)),
        h("p", { class: "known" }, [both(move.known), clock(move.at)].filter(Boolean).join(" · ")),
        happened(move.findings ?? []),
        why(move),
      ),
      move.picture && photo(move),
    );
  }

  // A tap on a move shows on the table where it was.
  /** @param {PastMove} move */
  function there(move) {
    if (!Object.keys(move.places ?? {}).length) return both(move.says);
    return h("button", { type: "button", class: "there", on: { click: () => app.go("table", { event: String(move.event) }) } }, both(move.says));
  }

  // What is no move: a verdict, moves taken back, a correction.
  function happened(findings) {
    return findings.map((found) => h("p", { class: `finding ${found.kind}` }, both(found.says)));
  }

  /** @param {PastMove} move */
  function why(move) {
    const rules = move.because ?? [];
    const other = !move.undone && mayAct(app);
    if (!rules.length && !other) return null;
    const details = h(
      "details",
      { class: "why", open: unfolded.has(`why ${move.event}`) },
      h("summary", {}, t("history.why")),
      rules.length > 0 &&
        h(
          "ul",
          {},
          rules.map((rule) => h("li", {}, both(rule.says))),
        ),
      other && button(t("history.other"), () => correct(move), { kind: "quiet" }),
    );
    const key = `why ${move.event}`;
    details.addEventListener("toggle", () => (details.open ? unfolded.add(key) : unfolded.delete(key)));
    return details;
  }

  /** @param {PastMove} move */
  function photo(move) {
    const words = t("history.picture", { what: move.says });
    const image = h("img", { src: pictureOf(journal, move.event), alt: words, loading: "lazy", decoding: "async" });
    image.addEventListener("error", () => frame.remove());
    const frame = button(image, () => enlarge(move, words), { kind: "photo" });
    return frame;
  }

  /** @param {PastMove} move */
  function enlarge(move, words) {
    sheet({
      title: both(move.says),
      body: h("img", { src: pictureOf(journal, move.event), alt: words }),
      kind: "picture",
    });
  }

  // That was something else: what would have been legal at that moment, chosen as by hand.
  /** @param {PastMove} move */
  function correct(move) {
    const from = (chosen) => `/api/alternatives/${move.event}?chosen=${encodeURIComponent(JSON.stringify(chosen))}`;
    const tell = async (choices) => {
      if (await app.command("correct", { event: move.event, move: choices.move })) opened.close();
    };
    const nothing = () => h("p", {}, t("history.nothing_else"));
    const describe = async ({ form }, answers) => {
      const described = { event: move.event, move: form.move, field: form.field, answers };
      if (await app.command("correct", described)) opened.close();
    };
    const choose = moveChoice(app, { from, tell, label: "history.correct", nothing, describe });
    const was = h("p", { class: "was" }, t("history.instead", { what: move.says }));
    const likely = h("div", { class: "likely" });
    const opened = sheet({ title: t("history.what"), body: [was, likely, choose.node], kind: "correction" });
    choose.go([]).then((choices) => {
      const offers = (choices?.likely ?? []).map((one) =>
        button(both(one.says), () => tell(one), { kind: "big wide" }),
      );
      clear(likely, offers.length > 0 && h("h3", {}, t("history.likely")), offers);
    });
  }

  /** @param {Table} table */
  function tools(table) {
    const may = mayAct(app);
    const tool = (kind, can) =>
      button([icon("undo"), t(`history.${kind}`)], () => app.command(kind, {}), {
        disabled: !(may && can),
        dataset: { act: kind },
      });
    clear(bar, tool("undo", table.can_undo), tool("redo", table.can_redo));
  }

  /** @param {Standing} standing */
  function update(standing) {
    const lacks = missing(app, standing);
    if (lacks) {
      stamp = null;
      clear(node, lacks);
      return;
    }
    if (list.parentNode !== node) clear(node, bar, list, more);
    tools(standing.table);
    const now = `${standing.edition}:${standing.table.events}`;
    if (now !== stamp) reload();
    stamp = now;
  }

  seen.observe(more);
  if (app.standing) update(app.standing);
  return { node, update, close: () => seen.disconnect() };
}

/** Runs of moves that were taken back, and the others one by one. */
function grouped(moves) {
  const groups = [];
  for (const move of moves) {
    const last = groups.at(-1);
    if (move.undone && last?.undone) last.moves.push(move);
    else groups.push({ undone: move.undone, moves: [move] });
  }
  return groups;
}
