// One place of a map: what it is called, and the small form of what there is.

import { button, clear, h } from "../core/dom.js";
import { sheet } from "../core/sheet.js";
import { both, t } from "../core/words.js";
import { amountsInWords, control } from "./form_fields.js";

const LONGEST = 24; // letters of a name

/** A sheet for a place, or for a new one where `name` is null. */
export function placeSheet(offer, drawing, name, { keep, drop }) {
  const known = name === null ? null : drawing.nodes[name];
  const answers = { ...(known?.answers ?? {}) };
  const input = h("input", {
    class: "input",
    type: "text",
    maxlength: String(LONGEST),
    autocomplete: "off",
    autocapitalize: "words",
    "aria-label": t("sketch.name"),
    value: name ?? (offer.home in drawing.nodes ? "" : offer.home),
  });
  const fields = h("div", { class: "place-fields" });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const body = h(
    "div",
    { class: "place-form" },
    h("label", { class: "field" }, h("span", { class: "label" }, t("sketch.name")), input),
    name === null && suggestions(),
    fields,
    wrong,
  );
  const shown = sheet({
    title: name ?? t("sketch.new_place", { one: both(offer.one) }),
    body,
    kind: "place-sheet",
    actions: [
      button(t("sketch.place_done"), done, { kind: "primary big", dataset: { act: "place-done" } }),
      name !== null && button(t("sketch.place_drop"), gone, { kind: "danger" }),
    ],
  });
  ask();

  /** Where everybody begins, some things are known. */
  function ask() {
    if (name === null && input.value === offer.home) Object.assign(answers, structuredClone(offer.at_home));
    const set = (field) => (value) => (answers[field] = value);
    clear(
      fields,
      offer.form.fields.map((field) => control(field, set(field.name), answers[field.name])),
    );
  }

  /** Names that we know of, and that are not on the plan yet. */
  function suggestions() {
    const names = Object.keys(offer.value.nodes).filter((one) => !(one in drawing.nodes) && one !== input.value);
    const take = (one) => () => {
      input.value = one;
      ask();
    };
    return h(
      "div",
      { class: "suggested", role: "group", "aria-label": t("sketch.suggested") },
      names.map((one) => button(one, take(one), { kind: "chip" })),
    );
  }

  function done() {
    const called = input.value.trim().replace(/\s+/g, " ");
    if (!called) return says("sketch.nameless");
    if (called !== name && called in drawing.nodes) return says("sketch.twice", { name: called });
    shown.close();
    keep(called, answers);
  }

  function says(key, facts) {
    wrong.textContent = t(key, facts);
    input.focus();
  }

  function gone() {
    shown.close();
    drop();
  }
}

/** What was said of a place, in a few words. */
export function about(form, answers = {}) {
  return form.fields
    .map((field) => said(field, answers[field.name]))
    .filter(Boolean)
    .join(" · ");
}

function said({ kind, says, each }, value) {
  if (kind === "yes_no") return value ? both(says) : "";
  if (kind === "rows") return value?.length ? `${both(says)}: ${rowsIn(each, value)}` : "";
  return value || value?.length ? `${both(says)}: ${value}` : "";
}

/** How many there are, and what is special about some. */
function rowsIn(each, rows) {
  if (each.kind === "number") return rows.join(", ");
  const special = rows.map((row) => amountsInWords(each.words, row)).filter(Boolean);
  return special.length ? `${rows.length} (${special.join(", ")})` : String(rows.length);
}
