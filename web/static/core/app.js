// The shell: it keeps the line to the table, shows one page at a time, and brings up what cannot wait.

import { Line, TableClock, follows } from "./connection.js";
import { button, clear, h, once } from "./dom.js";
import { icon } from "./icons.js";
import { watch as watchScores } from "./kept_scores.js";
import { chip } from "./seats.js";
import { toast } from "./sheet.js";
import { both, keep, lang, loadWords, read, setLang, t } from "./words.js";

const THUMBS = ["table", "scores", "by_hand", "history", "more"];
const PAGES = [...THUMBS, "rules", "join", "setup", "sketch", "camera", "health", "tv"];
const UNDER = { rules: "table", join: "more", setup: "more", sketch: "setup", camera: "more", health: "more" };
const THEME = "companion.theme";
const AGAIN = 2000; // ms before the layout is asked for again if it did not come
const TRIES = [0, 600, 1800]; // ms before each try of a command that the line swallowed

const clock = new TableClock();
// "me" is told when this phone may have become somebody else, "page" when another one is shown, and "free" when a raid
// no longer covers it.
const kinds = ["update", "raid", "connection", "standing", "layout", "me", "page", "free"];
const listeners = Object.fromEntries(kinds.map((kind) => [kind, new Set()]));
/** @type {Page | null} */
let page = null;
let opening = 0;

/** @type {App} */
export const app = {
  standing: null,
  me: { role: "nobody", seat: null, name: "", csrf: "", host: false },
  layout: null,
  connection: "opening",
  clock,
  now: () => clock.now(),
  on(kind, listener) {
    listeners[kind].add(listener);
    return () => listeners[kind].delete(listener);
  },
  go(name, params = {}) {
    const query = new URLSearchParams(params).toString();
    location.hash = `#/${name}${query ? `?${query}` : ""}`;
  },
  toast: (said, how) => toast(both(said), how),
  get: (path, how) => ask(path, undefined, how),
  post: (path, body, how) => ask(path, body ?? {}, how),
  command,
  emit: tell,
  theme,
  async speak(language) {
    await setLang(language);
    frame();
    await route();
    tell("connection", app.connection);
    if (app.standing) tell("standing", app.standing);
  },
  async learnMe() {
    const me = await ask("/api/me", undefined, { quiet: true });
    if (me) app.me = me;
    heading();
    tell("me", app.me);
    return app.me;
  },
};

function tell(kind, data) {
  for (const listener of [...listeners[kind]]) listener(data);
}

// Asking the table

/** The answer, or null: then the reason was shown as a passing note, unless it is to be `quiet`. */
async function ask(path, body, { quiet = false } = {}) {
  try {
    return await send(path, body);
  } catch (/** @type {any} */ problem) {
    if (!quiet) toast(problem.says ? both(problem.says) : t("app.no_answer"), { kind: "warn" });
    return null;
  }
}

// Refused to a phone that is no longer what its page takes it for: another tab or another host has changed that.
const NOT_ME = ["csrf", "host_only", "seat_only"];

async function send(path, body, again = true) {
  const how =
    body === undefined
      ? { cache: /** @type {const} */ ("no-store") }
      : {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-Companion": app.me.csrf },
          body: JSON.stringify(body),
        };
  const answer = await fetch(path, how);
  const data = await answer.json().catch(() => null);
  if (NOT_ME.includes(data?.refused)) await app.learnMe();
  if (data?.refused === "csrf" && again) return send(path, body, false);
  if (!answer.ok) throw { refused: data?.refused ?? "unclear", says: data?.says, status: answer.status };
  return data;
}

/** Ask the table for something. It has a number of its own, so asking again when the line broke harms nothing. */
async function command(kind, body = {}, how = {}) {
  const order = { id: someId(), kind, body };
  let problem;
  for (const wait of TRIES) {
    if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
    try {
      return await send("/api/command", order);
    } catch (/** @type {any} */ found) {
      problem = found;
      if (found.refused) break;
    }
  }
  if (!how.quiet) toast(problem.says ? both(problem.says) : t("app.not_sent"), { kind: "warn" });
  return null;
}

// crypto.randomUUID is only for https, and a table's own Wi-Fi has none.
function someId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What the table says

function hear(kind, data) {
  if (kind === "hello") {
    app.me = data.me ?? app.me;
    clock.begin(data.now);
    clock.measure(6);
    heading();
    tell("me", app.me);
    newer();
  } else if (kind === "standing") {
    stand(data);
  } else if (kind === "update") {
    tell("update", data);
  } else if (kind === "raid") {
    if (app.standing) app.standing.raid = data;
    tell("raid", data);
  }
}

let greeted = false;

/** A companion that was updated meanwhile has other pages than those this phone still shows. */
async function newer() {
  const first = !greeted;
  greeted = true;
  if (first) return;
  const alive = await ask("/healthz", undefined, { quiet: true });
  const mine = document.querySelector('meta[name="version"]').getAttribute("content");
  if (alive?.files && alive.files !== mine) location.reload();
}

function stand(standing) {
  if (!follows(app.standing, standing)) return;
  const before = app.standing;
  app.standing = standing;
  if (before && before.table.journal !== standing.table.journal) askWho();
  if (!before || before.edition !== standing.edition || pieces(before) !== pieces(standing)) learnLayout();
  heading();
  tell("raid", standing.raid);
  tell("standing", standing);
  page?.update?.(standing);
}

/** In a new game people may sit elsewhere: whoever had a seat is asked for it again. */
async function askWho() {
  const sat = app.me.seat !== null;
  const me = await app.learnMe();
  if (sat && me.seat === null && page?.name !== "tv") app.go("join", { again: 1 });
}

/** What the drawing depends on besides the edition: the game, the pieces that people described in it, and the names. */
function pieces({ table }) {
  return JSON.stringify([table.game, table.learned, table.seats]);
}

let learning = 0;

async function learnLayout() {
  const turn = ++learning;
  const { game } = app.standing.table;
  const found = game ? await ask("/api/layout", undefined, { quiet: true }) : null;
  if (turn !== learning) return; // another table was laid meanwhile
  app.layout = found;
  if (game && !app.layout) setTimeout(learnLayout, AGAIN);
  tell("layout", app.layout);
  heading();
  page?.update?.(app.standing);
}

function connected(state) {
  if (app.connection === state) return;
  app.connection = state;
  document.documentElement.dataset.connection = state;
  tell("connection", state);
}

// The frame around every page

const bar = h("div", { class: "lost-bar", role: "status", "aria-live": "assertive" });
const head = h("header", { class: "top" });
const main = h("main", { id: "page", tabindex: "-1" });
const thumbs = h("nav", { class: "thumbs" });

function frame() {
  clear(bar, h("span", { class: "spinner", "aria-hidden": "true" }), t("app.lost"));
  thumbs.setAttribute("aria-label", t("app.pages"));
  clear(
    thumbs,
    THUMBS.map((name) =>
      h("a", { href: `#/${name}`, dataset: { page: name } }, icon(name), h("span", {}, t(`app.thumb.${name}`))),
    ),
  );
  heading();
}

function heading() {
  const name = page?.name ?? "table";
  const seats = app.standing?.table.seats ?? [];
  const game = name === "table" && app.standing?.table.title;
  const title = game ? both(game) : page?.title ? t(page.title) : "";
  document.title = title ? `${title} · ${t("app.name")}` : t("app.name");
  once(head, [name, title, app.me, seats, app.layout?.colours], () => [
    name in UNDER && h("a", { class: "round", href: `#/${UNDER[name]}`, "aria-label": t("app.back") }, icon("back")),
    h("h1", {}, title),
    h("a", { class: "me", href: "#/join" }, whoAmI(seats)),
  ]);
  for (const link of thumbs.querySelectorAll("a")) {
    const here = link.dataset.page === above(name);
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** The page of the bar that a page belongs to. */
function above(name) {
  return name in UNDER ? above(UNDER[name]) : name;
}

/** @param {Seat[]} seats */
function whoAmI(seats) {
  const { seat, role } = app.me;
  const who = seats[seat]
    ? chip(seats, seat, app.layout)
    : h("span", { class: "chip" }, role !== "host" && icon("seat"), t(`app.role.${role}`));
  return [who, app.me.host && h("span", { class: "host-key", title: t("app.role.host") }, icon("key"))];
}

// One page at a time

async function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const name = PAGES.includes(path) ? path : fallback();
  const number = ++opening;
  let module;
  try {
    [module] = await Promise.all([import(`../pages/${name}.js`), style(`pages/${name}`)]);
  } catch {
    if (number === opening) broken(name);
    return;
  }
  if (number !== opening) return;
  page?.close?.();
  document.documentElement.dataset.page = name;
  const opened = module.open(app, Object.fromEntries(new URLSearchParams(query ?? "")));
  page = { ...opened, name, title: module.title };
  clear(main, page.node);
  heading();
  scrollTo(0, 0);
  tell("page", name);
  if (app.standing) page.update?.(app.standing);
}

function fallback() {
  if (location.pathname === "/tv") return "tv";
  return app.me.role === "nobody" ? "join" : "table";
}

function broken(name) {
  page?.close?.();
  page = { name, title: `${name}.title` };
  const again = button(t("app.again"), () => location.reload(), { kind: "primary" });
  clear(main, h("div", { class: "empty" }, h("p", {}, t("app.page_missing")), again));
  heading();
}

const styled = new Map();

function style(name) {
  if (!styled.has(name)) {
    const link = h("link", { rel: "stylesheet", href: `/static/${name}.css` });
    // A page without a style of its own is shown all the same.
    styled.set(name, new Promise((resolve) => ((link.onload = resolve), (link.onerror = resolve))));
    document.head.append(link);
  }
  return styled.get(name);
}

// Dark and light

function theme(chosen) {
  if (chosen !== undefined) keep(THEME, chosen);
  const wish = read(THEME) ?? "auto";
  const dark = wish === "dark" || (wish !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const paper = getComputedStyle(document.documentElement).getPropertyValue("--paper").trim();
  document.querySelector('meta[name="theme-color"]').setAttribute("content", paper);
  return wish;
}

async function begin() {
  theme();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme());
  document.documentElement.lang = lang();
  await Promise.all([loadWords(), app.learnMe()]);
  clear(document.body, bar, head, main, thumbs);
  frame();
  addEventListener("hashchange", route);
  new Line(hear, connected);
  await route();
  const [strip, countdown, problem, entryCall] = await Promise.all(
    ["camera_strip", "countdown", "problem", "entry_call"].map((name) => import(`../overlays/${name}.js`)),
  );
  strip.watch(app, main);
  app.on("standing", pretended);
  pretended();
  countdown.watch(app);
  problem.watch(app);
  entryCall.watch(app);
  watchScores(app);
  if (navigator.serviceWorker) navigator.serviceWorker.register("/sw.js").catch(() => {});
}

/** Only a table that is pretended has a dock; others never load it. */
function pretended() {
  if (!app.standing?.demo || styled.has("overlays/demo_dock")) return;
  Promise.all([import("../overlays/demo_dock.js"), style("overlays/demo_dock")]).then(([dock]) => dock.watch(app));
}

begin().catch(() => setTimeout(() => location.reload(), 3000));
