// Small parts of forms: one of several, several of them, yes or no, a number.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";

/** One of several, as radio buttons that look like big keys. Options are {value, says}. */
export function choice(label, name, options, value, set, kind = "", hint = "") {
  return h(
    "fieldset",
    { class: `choice ${kind}` },
    h("legend", {}, label),
    hint && h("p", { class: "note" }, hint),
    h(
      "div",
      { class: "keys" },
      options.map((option) =>
        h(
          "label",
          { class: "key" },
          h("input", {
            type: "radio",
            name,
            value: String(option.value),
            checked: option.value === value,
            on: { change: () => set(option.value) },
          }),
          h("span", {}, option.says),
        ),
      ),
    ),
  );
}

/** Several of several, as boxes that look like the same keys. */
export function several(label, name, options, set, value = []) {
  const chosen = new Set(value);
  const toggle = (value, on) => {
    if (on) chosen.add(value);
    else chosen.delete(value);
    set([...chosen]);
  };
  const key = ({ value, says }) => {
    const box = h("input", { type: "checkbox", name, value, checked: chosen.has(value) });
    box.addEventListener("change", () => toggle(value, box.checked));
    return h("label", { class: "key" }, box, h("span", {}, says));
  };
  return h("fieldset", { class: "choice" }, h("legend", {}, label), h("div", { class: "keys" }, options.map(key)));
}

/** Yes or no. */
export function flag(label, name, value, set, hint = "") {
  const box = h("input", { type: "checkbox", role: "switch", name, checked: Boolean(value) });
  box.addEventListener("change", () => set(box.checked));
  return h("label", { class: "flag" }, h("span", {}, label, hint && h("span", { class: "note" }, hint)), box);
}

/** A whole number with a minus and a plus in thumb's reach.
    @param {number} value
    @param {(next: number) => unknown} set
    @param {{least?: number, most?: number, label?: string}} [how] */
export function wheel(value, set, { least = 0, most = Infinity, label } = {}) {
  const input = h("input", {
    type: "number",
    inputmode: "decimal",
    step: "any",
    value: String(value),
    "aria-label": label,
  });
  const change = (by) => () => {
    input.value = String(Math.min(most, Math.max(least, (Number(input.value) || 0) + by)));
    set(Number(input.value));
  };
  input.addEventListener("input", () => set(Number(input.value)));
  return h(
    "span",
    { class: "wheel" },
    button("−", change(-1), { "aria-label": t("fields.less", { what: label ?? "" }) }),
    input,
    button("+", change(1), { "aria-label": t("fields.more", { what: label ?? "" }) }),
  );
}

export function field(label, control, hint = "") {
  return h(
    "div",
    { class: "field" },
    h("span", { class: "label" }, label),
    hint && h("p", { class: "note" }, hint),
    control,
  );
}
