// The values that a box's facts have: written out for people, and as small forms by their type.

import { button, clear, h } from "../core/dom.js";
import { t } from "../core/words.js";
import { wheel } from "./fields.js";

/** A value as people would write it down. */
export function written(value, words) {
  if (isRows(value, words)) return grid(value.map((row) => row.split(" ").map((word) => h("span", {}, words.say(word)))));
  if (isDictionary(value)) {
    const rows = Object.entries(value).map(([key, one]) => [
      h("dt", {}, words.say(key)),
      h("dd", {}, plain(one, words)),
    ]);
    return h("dl", { class: `value ${isDeep(value) ? "deep" : ""}` }, rows);
  }
  return h("p", { class: "value" }, plain(value, words));
}

function plain(value, words) {
  if (Array.isArray(value)) return value.map((one) => plain(one, words)).join(" · ") || t("table.nothing");
  if (isDictionary(value)) return parts(value, words).join(", ") || t("table.nothing");
  if (typeof value === "boolean") return t(value ? "setup.yes" : "setup.no");
  return typeof value === "string" ? words.say(value) : String(value);
}

/** What is in a dictionary, each in a few words: «1 virtue», «focus: building». */
function parts(value, words) {
  return Object.entries(value).map(([key, one]) => {
    if (typeof one === "number") return `${one} ${words.say(key)}`;
    return one === true ? words.say(key) : `${words.say(key)}: ${plain(one, words)}`;
  });
}

/** A form for a value: {node, read()}. */
export function editor(value, words, label, key) {
  if (isRows(value, words)) return rowsEditor(value, words);
  if (Array.isArray(value)) return listEditor(value, words, label, key);
  if (isDictionary(value)) return dictionaryEditor(value, words);
  if (typeof value === "boolean") return flagEditor(value, label);
  if (typeof value === "number") return numberEditor(value, label);
  return words.under(key).length ? oneOf(value, words.under(key), words, label) : wordEditor(value, label);
}

// One of the words that stand at such a place in this box.
function oneOf(value, known, words, label) {
  const input = select(value, known, words);
  if (label) input.setAttribute("aria-label", label);
  return { node: input, read: () => input.value };
}

function numberEditor(value, label) {
  let now = value;
  return { node: wheel(value, (next) => (now = next), { label }), read: () => now };
}

function wordEditor(value, label) {
  const input = h("input", { type: "text", value, "aria-label": label, autocapitalize: "off", autocomplete: "off" });
  return { node: input, read: () => input.value.trim() };
}

function flagEditor(value, label) {
  const input = h("input", { type: "checkbox", role: "switch", checked: value, "aria-label": label });
  return { node: input, read: () => input.checked };
}

function listEditor(value, words, label, key) {
  const example = value[0] ?? "";
  let parts = value.map((one, index) => editor(one, words, `${label ?? ""} ${index + 1}`.trim(), key));
  const node = h("div", { class: `items ${value.some(isDictionary) ? "deep" : ""}` });
  const draw = () =>
    clear(
      node,
      parts.map((part, index) => h("div", { class: "item" }, part.node, less(index))),
      button(t("setup.add"), add, { kind: "quiet" }),
    );
  const less = (index) =>
    parts.length > 1 &&
    button("✕", () => drop(index), { kind: "quiet", "aria-label": t("setup.drop", { number: index + 1 }) });
  function add() {
    parts = [
      ...parts,
      editor(typeof example === "number" ? 0 : example, words, `${label ?? ""} ${parts.length + 1}`.trim(), key),
    ];
    draw();
  }
  function drop(index) {
    parts = parts.filter((_, at) => at !== index);
    draw();
  }
  draw();
  return { node, read: () => parts.map((part) => part.read()) };
}

// Rows of words are a small map: one list of words to choose from for each of its places.
function rowsEditor(value, words) {
  const known = words.kin(value);
  const rows = value.map((row) => row.split(" ").map((word) => select(word, known, words)));
  return {
    node: grid(rows),
    read: () => rows.map((row) => row.map((one) => one.value).join(" ")),
  };
}

function select(word, known, words) {
  const options = known.map((one) => h("option", { value: one, selected: one === word }, words.say(one)));
  return h("select", { "aria-label": words.say(word) }, options);
}

function grid(rows) {
  return h(
    "div",
    { class: "rows" },
    rows.map((row) => h("div", { class: "cells" }, row)),
  );
}

function dictionaryEditor(value, words) {
  const parts = Object.entries(value).map(([key, one]) => [key, one, editorOf(key, one, words)]);
  const node = h(
    "dl",
    { class: `dictionary ${isDeep(value) ? "deep" : ""}` },
    parts.map(([key, , part]) => [h("dt", {}, words.say(key)), h("dd", {}, part.node)]),
  );
  return { node, read: () => Object.fromEntries(parts.map(([key, , part]) => [key, part.read()])) };
}

// Within a dictionary a list has as many places as it has: three numbers stay three numbers.
function editorOf(key, value, words) {
  if (!Array.isArray(value)) return editor(value, words, words.say(key), key);
  const parts = value.map((one, index) => editor(one, words, `${words.say(key)} ${index + 1}`, key));
  return {
    node: h(
      "div",
      { class: `several ${value.some((one) => typeof one !== "number") ? "deep" : ""}` },
      parts.map((part) => part.node),
    ),
    read: () => parts.map((part) => part.read()),
  };
}

// Rows of words; what is called by several words is no row of them.
function isRows(value, words) {
  const row = (one) => typeof one === "string" && one.includes(" ") && words.say(one) === one;
  return Array.isArray(value) && value.length > 0 && value.every(row);
}

/** A dictionary that holds more than numbers: each of its parts needs a line of its own. */
function isDeep(value) {
  return Object.values(value).some((one) => typeof one === "object" && (isDictionary(one) || one.some((part) => typeof part !== "number")));
}

function isDictionary(value) {
  return Boolean(value) && typeof value === "object" && !Array.isArray(value);
}
