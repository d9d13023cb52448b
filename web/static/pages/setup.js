// Set-up: which game, who plays what, which variants; the box compared once; and the game begins.

import { button, clear, h } from "../core/dom.js";
import { confirmed } from "../core/sheet.js";
import { colourWord, letters, mark, seatName } from "../core/seats.js";
import { both, t } from "../core/words.js";
import { becomeHost } from "./host.js";
import { boxCheck } from "./box_check.js";
import { picture } from "./picture.js";
import { choice, field, flag, wheel } from "./fields.js";

export const title = "setup.title";

/** `wanted` is the game whose box another page was about: back from there, its box is in sight.
    @param {App} app
    @param {{game?: string}} [params] */
export function open(app, { game: wanted } = {}) {
  const node = h("div", { class: "setup" });
  let offer = null; // what /api/setup gives
  let plan = null; // what was chosen so far: {game, players, seats, options}
  let shown = "";
  const unfolded = new Set(wanted ? ["box"] : []); // what this phone has opened

  async function load() {
    const found = await app.get("/api/setup");
    if (!found) return;
    offer = found;
    const back = !plan && wanted;
    plan ??= firstPlan(offer, app.standing?.table, wanted);
    show();
    if (back) node.querySelector(".box")?.scrollIntoView({ block: "start" });
  }

  function game() {
    return offer.games.find((one) => one.game === plan.game) ?? offer.games[0];
  }

  function show() {
    if (!app.me?.host) return clear(node, running(), becomeHost(app, load));
    const chosen = game();
    const held = /** @type {HTMLInputElement | null} */ (document.activeElement);
    clear(
      node,
      running(),
      offer.games.length > 1 && games(),
      players(chosen),
      variants(chosen),
      fold("box", boxSummary(chosen), boxCheck(app, chosen, load)),
      begin(chosen),
    );
    // Drawn anew, the form keeps the place where the keyboard was.
    if (held?.name) node.querySelector(`[name="${held.name}"][value="${CSS.escape(held.value)}"]`)?.focus();
  }

  // A game that is being played

  function running() {
    const table = app.standing?.table;
    if (!table?.game) return null;
    return h(
      "section",
      { class: "running" },
      h("h2", {}, t(table.over ? "setup.was" : "setup.is", { title: table.title ?? table.game })),
      h("p", {}, table.seats.map((_, index) => seatName(table.seats, index, app.layout)).join(" · ")),
    );
  }

  // Which game

  function games() {
    const options = offer.games.map((one) => ({ value: one.game, says: [picture(one.game), h("span", {}, both(one.title))] }));
    const chosen = (value) => {
      plan = firstPlan(offer, null, value);
      show();
    };
    return h("section", {}, choice(t("setup.game"), "game", options, plan.game, chosen, "games"));
  }

  // Who plays

  function players(chosen) {
    const numbers = chosen.players.map((number) => ({ value: number, says: String(number) }));
    const setNumber = (number) => {
      plan.players = number;
      show();
    };
    const seats = plan.seats.slice(0, plan.players);
    return h(
      "section",
      {},
      choice(t("setup.players"), "players", numbers, plan.players, setNumber, "numbers"),
      h("p", { class: "note" }, t("setup.clockwise")),
      h(
        "ol",
        { class: "sitting" },
        seats.map((seat, index) => seatRow(chosen, seat, index)),
      ),
    );
  }

  /** @param {Seat} seat */
  function seatRow(chosen, seat, index) {
    const words = { colours: chosen.colour_words };
    const name = h("input", {
      class: "input",
      type: "text",
      maxlength: "24",
      autocomplete: "off",
      autocapitalize: "words",
      value: seat.name,
      placeholder: colourWord(seat.colour, words),
      "aria-label": t("setup.name", { number: index + 1 }),
    });
    name.addEventListener("input", () => {
      seat.name = name.value;
      for (const other of node.querySelectorAll(`[data-named="${index}"]`)) other.textContent = named(chosen, index);
    });
    const all = chosen.colours.map((colour) => ({ colour }));
    const marks = letters(all, words);
    const colours = chosen.colours.map((colour, at) => ({
      value: colour,
      says: [mark(colour, marks[at]), h("span", { class: "visually-hidden" }, colourWord(colour, words))],
    }));
    const setColour = (colour) => {
      swapColours(plan.seats, index, colour);
      show();
    };
    return h(
      "li",
      { class: "sitter", dataset: { seat: index } },
      name,
      choice(
        t("setup.colour", { number: index + 1 }),
        `colour${index}`,
        colours,
        seat.colour,
        setColour,
        "colour-keys",
      ),
    );
  }

  // Variants

  function variants(chosen) {
    const offered = chosen.options.filter((option) => matters(option, plan.players));
    if (!offered.length) return null;
    const set = (key) => (value) => {
      plan.options[key] = value;
      show();
    };
    const drawn = (options) => options.map((option) => variant(chosen, option, set(option.key)));
    const house = offered.filter((option) => !option.asked);
    const other = house.filter(({ key, default: usual }) => (plan.options[key] ?? usual) !== usual).length;
    const summary = t("setup.house_rules", { says: t(other ? "setup.house_other" : "setup.house_usual", { number: other }) });
    return [
      h("section", {}, drawn(offered.filter((option) => option.asked))),
      house.length > 0 && fold("house", summary, h("section", {}, drawn(house))),
    ];
  }

  // What most tables never open, under one line that says how it stands.
  function fold(key, summary, body) {
    const details = h("details", { class: `fold ${key}-fold`, open: unfolded.has(key) }, h("summary", {}, summary), body);
    details.addEventListener("toggle", () => (details.open ? unfolded.add(key) : unfolded.delete(key)));
    return details;
  }

  function boxSummary({ unverified }) {
    return t(unverified.length ? "setup.box_open" : "setup.box_done", { number: unverified.length });
  }

  function variant(chosen, option, set) {
    const value = plan.options[option.key] ?? option.default;
    const [label, hint] = [both(option.says), both(option.hint)];
    if (option.kind === "flag") return flag(label, option.key, value, set, hint);
    if (option.kind === "seat") return choice(label, option.key, sitting(chosen), value, set, "", hint);
    if (option.kind === "number") return field(label, wheel(value, set, { label }), hint);
    const values = option.values.map((one) => ({ value: one.value, says: both(one.says) }));
    return choice(label, option.key, values, value, set, "", hint);
  }

  function sitting(chosen) {
    const words = { colours: chosen.colour_words };
    const seats = plan.seats.slice(0, plan.players);
    const marks = letters(seats, words);
    return seats.map((seat, index) => ({
      value: index,
      says: [mark(seat.colour, marks[index]), h("span", { dataset: { named: index } }, named(chosen, index))],
    }));
  }

  function named(chosen, index) {
    return seatName(plan.seats, index, { colours: chosen.colour_words });
  }

  // Off we go

  function begin(chosen) {
    const words = t("setup.begin", { title: chosen.title });
    return h(
      "div",
      { class: "go" },
      button(words, () => go(chosen), { kind: "primary big", dataset: { act: "begin" } }),
    );
  }

  async function go(chosen) {
    const table = app.standing?.table;
    const playing = Boolean(table?.game) && !table.over;
    if (playing && !(await sure(table))) return;
    const seats = plan.seats.slice(0, plan.players).map(({ colour, name }) => ({ colour, name: name.trim() }));
    const body = { game: chosen.game, seats, options: fitting(chosen, plan) };
    if (await app.command("begin", playing ? { ...body, instead: true } : body)) app.go("table");
  }

  /** @param {Table} table */
  function sure(table) {
    return confirmed({
      title: t("setup.sure", { title: table.title ?? table.game }),
      text: t("setup.sure_text", { events: table.events }),
      yes: t("setup.put_away"),
      danger: true,
    });
  }

  /** @param {Standing} standing */
  function update(standing) {
    const { game, over } = standing.table;
    const now = [standing.edition, game, over, app.me?.host, Boolean(app.layout)].join(" ");
    if (now === shown) return;
    shown = now;
    load();
  }

  if (!app.standing) load();
  return { node, update, close() {} };
}

/** As the rig has its seats, or as it was played last.
    @param {Table} table */
function firstPlan(offer, table, wanted) {
  const game = offer.games.find((one) => one.game === (wanted ?? table?.game)) ?? offer.games[0];
  const rig = (offer.seats ?? []).map((seat) => seat.colour).filter((colour) => game.colours.includes(colour));
  const last = table?.game === game.game ? table.seats : [];
  const colours = [...new Set([...last.map((seat) => seat.colour), ...rig, ...game.colours])];
  const most = Math.max(...game.players);
  const seats = colours.slice(0, most).map((colour, index) => ({ colour, name: last[index]?.name ?? "" }));
  const usual = last.length || rig.length;
  const players = game.players.includes(usual) ? usual : most;
  return { game: game.game, players, seats, options: {} };
}

/** Whether an option matters with so many players. */
function matters(option, players) {
  return !option.players.length || option.players.includes(players);
}

/** The options without what does not matter now, and what was said about a seat that nobody has. */
function fitting(game, { options, players }) {
  const gone = game.options
    .filter((one) => !matters(one, players) || (one.kind === "seat" && options[one.key] >= players))
    .map((one) => one.key);
  return Object.fromEntries(Object.entries(options).filter(([key]) => !gone.includes(key)));
}

/** A colour that somebody else has is swapped with it: two seats never play the same one.
    @param {Seat[]} seats */
function swapColours(seats, index, colour) {
  const other = seats.find((seat, at) => at !== index && seat.colour === colour);
  if (other) other.colour = seats[index].colour;
  seats[index].colour = colour;
}
