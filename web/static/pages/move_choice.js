// Choosing one legal move, a tap at a time: to tell a move by hand, and to say what an earlier one really was.

import { button, clear, h } from "../core/dom.js";
import { both, t } from "../core/words.js";
import { description } from "./description.js";
import { optionPicture, pictured } from "./option_picture.js";
import { inMapOrder, placeMap } from "./place_map.js";
import { placePicture } from "./place_picture.js";

// ms in which nobody taps on purpose what has just come up under the thumb
const UNDER_THE_THUMB = 450;

/** `from(chosen)` is the address that says what is left to choose, `tell(choices)` sends the move, `label` is on the
    big button, and `nothing()` is shown when there is nothing to choose. `describe(choices, answers)` sends what is
    said of a piece that is none of these, and `shown(choices)` hears of every answer that came.
    @param {App} app */
export function moveChoice(app, { from, tell, label, nothing, describe, shown: told = (_choices) => {} }) {
  const node = h("section", { class: "move-choice" });
  let chosen = [];
  let wanted = []; // what was asked for last, and may not have come yet
  let shown = "";
  let asked = 0;

  async function ask(ids) {
    const turn = ++asked;
    node.setAttribute("aria-busy", "true");
    const choices = await app.get(from(ids));
    if (turn !== asked) return null;
    node.removeAttribute("aria-busy");
    return choices;
  }

  async function go(ids) {
    wanted = ids;
    const choices = await ask(ids);
    if (choices) show(choices);
    return choices;
  }

  /** @param {Choices} choices */
  function show(choices) {
    const now = JSON.stringify([choices.path, choices.options, choices.others, choices.move, choices.says, app.layout !== null]);
    const moved = choices.path.length !== chosen.length;
    chosen = choices.path.map((step) => step.id);
    wanted = chosen;
    node.dataset.number = String(choices.number);
    told(choices);
    if (now === shown) return;
    shown = now;
    node.dataset.chosen = String(chosen.length);
    clear(node, path(choices), step(choices));
    if (moved) scrollTo({ top: 0 });
    if (moved) node.querySelector(".asks")?.focus({ preventScroll: true });
  }

  /** @param {Choices} choices */
  function step(choices) {
    if (choices.move) return last(choices);
    return choices.options.length ? question(choices) : nothing();
  }

  /** @param {Choices} choices */
  function path(choices) {
    if (!choices.path.length) return null;
    const back = (length) => () => go(chosen.slice(0, length));
    const steps = choices.path.map((one, index) =>
      h("li", {}, button(both(one.says), back(index), { kind: "chosen" })),
    );
    return h(
      "nav",
      { class: "path", "aria-label": t("move_choice.path") },
      button("‹", back(chosen.length - 1), { kind: "back", "aria-label": t("move_choice.back") }),
      h("ol", {}, steps),
    );
  }

  /** @param {Choices} choices */
  function question(choices) {
    const pick = (option) => go([...chosen, option.id]);
    const list = h(
      "ul",
      { class: `options ${look(choices.options)}` },
      inMapOrder(app, choices.options).map((one) => entry(one, pick)),
    );
    return [
      h("h2", { class: "asks", tabindex: "-1" }, both(choices.asks)),
      placeMap(app, choices.options, pick) ?? placePicture(app, choices),
      choices.options.length > MANY && finder(list),
      list,
      noneOfThese(choices),
      others(choices),
    ];
  }

  // Moves that leave no choice stand below the question about the one that does.
  /** @param {Choices} choices */
  function others({ others: whole }) {
    if (!whole.length) return null;
    // The button says the whole move, so it is not asked for a second time.
    const entries = whole.map(({ id, move, says }) =>
      button(both(says), () => tell({ move, says, path: [] }), { kind: "option", dataset: { option: id } }),
    );
    return h("div", { class: "others stack" }, h("h3", { class: "section" }, t("move_choice.others")), entries);
  }

  // A few letters of what one looks for, instead of a long way with the thumb.
  function finder(list) {
    const label = t("move_choice.find");
    const input = h("input", { type: "search", class: "find", placeholder: label, "aria-label": label, autocomplete: "off" });
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLocaleLowerCase();
      for (const line of list.children) line.hidden = !line.textContent.toLocaleLowerCase().includes(wanted);
    });
    return input;
  }

  /** @param {Choices} choices */
  function noneOfThese(choices) {
    if (!choices.form) return null;
    return button(t("description.none_of_these"), () => askAll(choices), { kind: "wide describe" });
  }

  /** @param {Choices} choices */
  function askAll(choices) {
    const back = () => clear(node, path(choices), step(choices));
    const keep = (answers) => describe(choices, answers);
    clear(node, path(choices), description(app, choices, { keep, back }));
    scrollTo({ top: 0 });
    node.querySelector(".asks").focus({ preventScroll: true });
  }

  function entry(option, pick) {
    const words = h(
      "span",
      { class: "words" },
      h("span", { class: "says" }, both(option.says)),
      option.hint && h("span", { class: "hint" }, both(option.hint)),
    );
    const inside = [optionPicture(app, option), words];
    return h(
      "li",
      {},
      button(inside, () => pick(option), { kind: "option", dataset: { option: option.id } }),
    );
  }

  /** @param {Choices} choices */
  function last(choices) {
    const send = button(t(label), () => tell(choices), { kind: "primary big", disabled: true });
    setTimeout(() => (send.disabled = false), UNDER_THE_THUMB);
    return [
      h("h2", { class: "asks", tabindex: "-1" }, t("move_choice.right")),
      placePicture(app, choices),
      h("p", { class: "whole-move" }, both(choices.says)),
      send,
      noneOfThese(choices),
    ];
  }

  /** The table has changed: what was chosen stays as far as it still fits. */
  const refresh = () => go(wanted);
  return { node, ask, go, show, refresh };
}

const MANY = 24; // answers among which nobody looks any more without a few letters
const WORDY = 24; // characters of a hint that need more room than a third of a phone

// Pictures stand side by side, sets of them need more room, short words less, long ones a line each.
function look(options) {
  if (options.some((option) => option.labels?.length > 1 || option.looks?.length > 1)) return "sets";
  const hints = Math.max(...options.map((option) => (option.hint ? both(option.hint).length : 0)));
  if (options.some((option) => pictured(option).length)) return hints > WORDY ? "pictured wordy" : "pictured";
  const longest = Math.max(...options.map((option) => both(option.says).length));
  return options.length > 3 && longest <= 14 && hints <= WORDY ? "short" : "long";
}
