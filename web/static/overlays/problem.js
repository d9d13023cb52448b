// Trouble: what the companion found wrong, does not know, or no longer understands. It says why, shows where, and one
// tap tells it that it is wrong.

import { button, clear, h } from "../core/dom.js";
import { facing } from "../drawing/geometry.js";
import { icon } from "../core/icons.js";
import { TableMap } from "../drawing/map.js";
import { maker, mayAct, proof } from "../core/moves.js";
import { float, sheet, toast } from "../core/sheet.js";
import { both, t } from "../core/words.js";

const FEW = 4; // kinds of moves that are offered one by one
const SIGNS = { verdict: "warn", question: "ask", hint: "hint", lost: "lost" };

/** Bring trouble up over whatever page is open; a hint only knocks.
    @param {App} app */
export function watch(app) {
  const desk = new TroubleDesk(app);
  for (const kind of /** @type {const} */ (["standing", "me", "page", "free"])) app.on(kind, () => desk.look());
  app.on("update", ({ kind, body }) => {
    // Doubts of a raid that runs are passing remarks, not trouble.
    if (kind === "hint" && body.id === undefined) toast(both(body.says), { kind: "warn", seconds: 9 });
  });
  desk.look();
  return desk;
}

class TroubleDesk {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.trouble = null;
    this.sheet = null;
    this.seen = null; // the id of what somebody has closed
    this.pill = h("button", { type: "button", class: "pill", hidden: true, on: { click: () => this.open() } });
  }

  look() {
    const trouble = this.app.standing?.table.trouble ?? null;
    const before = this.trouble;
    this.trouble = trouble;
    if (before && before.id !== trouble?.id) {
      this.sheet?.close();
      if (!trouble && before.kind !== "question" && before.id !== this.dismissed)
        toast(t("problem.settled"), { kind: "good" });
    }
    const busy = document.querySelector("dialog.countdown[open]") || document.documentElement.dataset.page === "tv";
    const asks = trouble && trouble.kind !== "hint" && this.app.me.role !== "nobody";
    if (asks && !busy && !this.sheet && this.seen !== trouble.id) this.open();
    this.knock(busy);
  }

  knock(busy) {
    this.pill.hidden = !this.trouble || Boolean(this.sheet) || Boolean(busy);
    if (this.pill.hidden) return;
    float(this.pill);
    this.pill.className = `pill problem-pill ${this.trouble.kind}`;
    clear(this.pill, icon(SIGNS[this.trouble.kind]), h("span", {}, both(this.trouble.says)));
  }

  open() {
    const { trouble, app } = this;
    const { title, body, actions } = PAGES[trouble.kind](app, trouble, this);
    this.sheet = sheet({
      title: [h("span", { class: `problem-sign ${trouble.kind}` }, icon(SIGNS[trouble.kind])), title],
      body,
      actions: mayAct(app) ? actions : [],
      kind: `problem ${trouble.kind}`,
      closeLabel: t("problem.later"),
      closed: () => {
        this.sheet = null;
        this.seen = trouble.id;
        this.look();
      },
    });
    this.sheet.node.setAttribute("role", trouble.kind === "question" ? "dialog" : "alertdialog");
    this.knock();
  }

  async wrong() {
    const { trouble, app } = this;
    this.dismissed = trouble.id;
    // What it may have been is only known as long as the exception stands.
    const instead = await app.get("/api/choices?chosen=[]", { quiet: true });
    if (!(await app.command("dismiss"))) return;
    this.sheet?.close();
    alternatives(app, trouble, instead);
  }

  /** It only could not see something: nothing has to be taken back. */
  async fine() {
    this.dismissed = this.trouble.id;
    if (await this.app.command("dismiss")) this.sheet?.close();
  }

  /** Something lies there that the companion does not know. */
  sayWhat() {
    const { trouble, app } = this;
    this.sheet?.close();
    app.go("by_hand", { chosen: JSON.stringify(trouble.chosen) });
  }

  async putRight() {
    if (!(await this.app.command("put_right"))) return;
    toast(t("problem.looking"));
    this.sheet?.close();
  }
}

const PAGES = {
  verdict: (app, trouble, desk) => ({
    title: t("problem.verdict"),
    body: [
      h(
        "div",
        { class: "tried" },
        trouble.seat !== null && maker(app, trouble),
        h("p", { class: "lead" }, both(trouble.tried)),
      ),
      reasons(trouble.breaches),
      ways(app, trouble),
      pictures(app, trouble),
    ],
    actions: [
      button(t("problem.wrong"), () => desk.wrong()),
      button(t("problem.is_right"), () => desk.putRight(), { kind: "primary" }),
    ],
  }),

  hint: (app, trouble, desk) => ({
    title: t("problem.hint"),
    body: [
      h("p", { class: "lead" }, both(trouble.says)),
      trouble.breaches && reasons(trouble.breaches),
      ways(app, trouble),
      app.me.host && (trouble.spread ?? []).map((zone) => ignore(app, zone, () => desk.sheet?.close())),
    ],
    actions: [
      trouble.breaches || trouble.finish
        ? button(t(trouble.breaches ? "problem.wrong" : "problem.fine"), () => desk.wrong())
        : button(t("problem.fine"), () => desk.fine()),
      trouble.chosen && button(t("problem.say_what"), () => desk.sayWhat(), { kind: "primary" }),
      (trouble.put_right || trouble.finish) &&
        button(t("problem.is_right"), () => desk.putRight(), { kind: "primary" }),
    ].filter(Boolean),
  }),

  question: (app, trouble, desk) => ({
    title: both(trouble.says),
    body: h(
      "div",
      { class: "stack" },
      trouble.options.map((option, number) =>
        mayAct(app)
          ? button(both(option.says), () => app.command("answer", { question: trouble.id, option: number }), {
              kind: "big wide choice",
            })
          : h("p", { class: "card" }, both(option.says)),
      ),
      !mayAct(app) && h("p", { class: "soft" }, t("problem.players_answer")),
    ),
    actions: [button(t("problem.none"), () => desk.wrong())],
  }),

  lost: (app, trouble, desk) => {
    const mine = trouble.ways.filter(({ way }) => way === "put_right" || app.me.host);
    const acts = {
      put_right: () => desk.putRight(),
      take_it: () => app.command("take_it"),
      join: () => app.command("join"),
      ignore: ({ zone }) => app.command("ignore", { zone }),
    };
    return {
      title: t("problem.lost"),
      body: [
        h("p", { class: "lead" }, both(trouble.says)),
        ways(app, trouble),
        h("h3", { class: "section" }, t("problem.ways")),
        mayAct(app) &&
          h(
            "div",
            { class: "stack" },
            mine.map((way) =>
              button(both(way.says), () => acts[way.way](way), {
                kind: way.way === "put_right" ? "big wide primary" : "big wide",
              }),
            ),
          ),
        !app.me.host && h("p", { class: "soft small host-ways" }, t("problem.host_can")),
      ],
      actions: [],
    };
  },
};

/** Each broken rule once: the facts that show it, its sentence, where it stands in the rulebook; and what it may rest
 * on. Its id is for those who look into the page. */
function reasons(breaches) {
  const rules = [...new Set(breaches.map(({ rule }) => rule))].map((rule) =>
    breaches.filter((breach) => breach.rule === rule),
  );
  return h(
    "ul",
    { class: "reasons" },
    rules.map((facts) =>
      h(
        "li",
        { "data-rule": facts[0].rule },
        facts.map((breach) => h("p", { class: "fact" }, both(breach.says))),
        h("p", { class: "rule" }, both(facts[0].sentence)),
        h("p", { class: "small soft" }, both(facts[0].section)),
        facts.some(({ assumed }) => assumed) && h("p", { class: "small assumed" }, t("problem.assumed")),
      ),
    ),
  );
}

/** How to put it right, step by step, each with its place on the drawing; or how to finish what was begun.
    @param {App} app
    @param {Trouble} trouble */
function ways(app, trouble) {
  const [back, on] = [trouble.put_right ?? [], trouble.finish ?? []];
  if (!back.length && !on.length) return trouble.zones ? places(app, trouble.zones) : null;
  const map = new TableMap({ still: true });
  map.node.classList.add("map-still");
  const lists = [];
  const choose = (steps, number, item) => {
    for (const other of lists.flatMap((list) => [...list.children])) other.removeAttribute("aria-current");
    item.setAttribute("aria-current", "step");
    draw(app, map, spotsOf(steps[number]));
  };
  const list = (heading, steps) => {
    if (!steps.length) return null;
    const items = h("ol", { class: "steps" });
    for (const [number, step] of steps.entries()) {
      const item = h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "step", on: { click: () => choose(steps, number, item) } },
          both(step.says),
        ),
      );
      items.append(item);
    }
    lists.push(items);
    return [heading && h("h3", { class: "section" }, heading), items];
  };
  const shown = h(
    "div",
    {},
    back.length > 0 && h("h3", { class: "section" }, t("problem.put_right")),
    map.node,
    list(null, back),
    list(t(back.length ? "problem.or_finish" : "problem.finish"), on),
  );
  const [first, steps] = back.length ? [lists[0].children[0], back] : [lists[0].children[0], on];
  choose(steps, 0, first);
  return shown;
}

/** Where a step is drawn: from where to where, or all the cells that it puts right at once. */
function spotsOf({ source, to, cells }) {
  if (cells?.length) return cells.map((cell) => ({ zone: to.zone, cell }));
  return [source ? { ...source, to } : to].filter(Boolean);
}

/** @param {App} app */
function places(app, zones) {
  const map = new TableMap({ still: true });
  draw(
    app,
    map,
    zones.map((zone) => ({ zone, cell: "" })),
  );
  return map.node;
}

/** @param {App} app */
function draw(app, map, marks) {
  if (!app.layout) {
    const off = app.on("layout", () => (off(), app.layout && draw(app, map, marks)));
    return;
  }
  const { view, seats } = app.standing.table;
  map.draw({ layout: app.layout, view, seats, marks, quarter: facing(app.layout, app.me.seat) });
}

/** The table before and after, where pictures were kept.
    @param {App} app
    @param {Trouble} trouble */
function pictures(app, trouble) {
  const { before, after } = trouble.pictures ?? {};
  if (before === undefined && after === undefined) return null;
  return h(
    "div",
    { class: "before-after" },
    typeof before === "number" && proof(app, before, t("problem.before")),
    typeof after === "number" && proof(app, after, t("problem.after")),
  );
}

/** It was not that: the few things that it may have been instead.
    @param {App} app
    @param {Trouble} trouble */
function alternatives(app, trouble, instead) {
  const close = () => shown.close();
  const told = async (move) => (await app.command("move", { move })) && close();
  const byHand = (chosen) => {
    close();
    app.go("by_hand", { chosen: JSON.stringify(chosen) });
  };
  // Kinds of moves; a question about a single kind has answers that say nothing without it.
  const options = instead?.field === "kind" ? instead.options : [];
  const shown = sheet({
    title: t("problem.taken_back"),
    body: [
      h("p", { class: "soft" }, t("problem.what_then")),
      h(
        "div",
        { class: "stack alternatives" },
        choice(t("problem.nothing"), close),
        (instead?.likely ?? []).map(({ move, says }) => choice(both(says), () => told(move))),
        options.length > FEW || !options.length
          ? choice(t("problem.by_hand"), () => byHand([]))
          : options.map(({ id, says }) => choice(t("problem.kind_by_hand", { says }), () => byHand([id]))),
        app.me.host && take(app, close),
        app.me.host && zonesOf(trouble).map((zone) => ignore(app, zone, close)),
      ),
    ],
  });
}

function choice(text, tap) {
  return button(text, tap, { kind: "big wide choice" });
}

/** @param {App} app */
function take(app, close) {
  return button(t("problem.take_it"), async () => (await app.command("take_it")) && close(), { kind: "wide quiet" });
}

/** @param {App} app
    @param {string} zone */
function ignore(app, zone, close) {
  const place = app.layout?.zones[zone]?.says ?? zone;
  return button(t("problem.ignore", { place }), async () => (await app.command("ignore", { zone })) && close(), {
    kind: "wide quiet",
  });
}

/** @param {Trouble} trouble */
function zonesOf(trouble) {
  const steps = [...(trouble.put_right ?? []), ...(trouble.finish ?? [])];
  return [...new Set(steps.flatMap(({ source, to }) => [source?.zone, to?.zone]).filter(Boolean))].slice(0, 3);
}
