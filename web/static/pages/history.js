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
const FEW = 2; // small moves side by side that are worth folding
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
    const groups = grouped(moves);
    const entries = groups.map((group, i) => [
      group.round !== groups[i - 1]?.round && heading(group.round),
      group.kind ? folded(group) : entry(group.moves[0]),
      happened(group.moves.at(-1).findings ?? []),
    ]);
    clear(list, happened(since), entries);
    // Folded moves take little room: what stands below them may still be in sight, and is looked at anew.
    seen.unobserve(more);
    seen.observe(more);
    clear(more, moves.length ? (others ? t("history.more") : t("history.begin")) : t("history.none"));
  }

  // What was taken back, and what says little by itself, lies folded where it happened.
  function folded({ kind, moves: group }) {
    const key = group.at(-1).event;
    const inside = group.map((move, i) => [entry(move), i < group.length - 1 && happened(move.findings ?? [])]);
    const details = h(
      "details",
      { class: kind, open: unfolded.has(key) },
      h("summary", {}, t(`history.${kind}`, { number: group.length })),
      h("ol", {}, inside),
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

  // What is no move, the newest first: a verdict, moves taken back, a correction.
  function happened(findings) {
    return findings.toReversed().map((found) => {
      const broken = found.rules?.map((rule) => h("li", {}, both(rule.says)));
      return h(
        "li",
        { class: `finding ${found.kind}` },
        icon(found.kind === "verdict" ? "warn" : "hint"),
        h("div", {}, h("p", {}, both(found.says)), h("p", { class: "known" }, clock(found.at)), broken?.length > 0 && h("ul", {}, broken)),
      );
    });
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

function heading(round) {
  return h("li", { class: "round-head" }, h("h2", {}, round ? t("history.round", { round }) : t("history.setup")));
}

/** Runs of moves that were taken back or say little by themselves, and the others one by one. No run goes over an
    incident or into another round. */
function grouped(moves) {
  const groups = [];
  for (const move of moves) {
    const last = groups.at(-1);
    const kind = move.undone ? "undone" : move.trivial ? "small" : "";
    const runs = kind && last?.kind === kind && last.round === move.round;
    if (runs && (kind === "undone" || !last.moves.at(-1).findings?.length)) last.moves.push(move);
    else groups.push({ kind, round: move.round, moves: [move] });
  }
  return groups.map((group) => (group.kind === "small" && group.moves.length < FEW ? { ...group, kind: "" } : group)).flatMap(alone);
}

function alone(group) {
  return group.kind ? [group] : group.moves.map((move) => ({ ...group, moves: [move] }));
}
