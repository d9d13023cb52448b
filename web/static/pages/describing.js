// Describing a piece that the box does not hold: a small form beside the camera's picture of it.

import { button, h } from "../dom.js";
import { both, t } from "../words.js";
import { choice, field, several, wheel } from "./fields.js";
import { sight } from "./sight.js";

/** `keep(answers)` sends what was said; `back()` leads to the list. */
export function describing(app, choices, { keep, back }) {
  const { form } = choices;
  const answers = {};
  return h(
    "section",
    { class: "describing" },
    h("h2", { class: "asks", tabindex: "-1" }, both(form.asks)),
    sight(app, choices),
    form.hint && h("p", { class: "note" }, both(form.hint)),
    form.fields.map((one) => control(one, (value) => (answers[one.name] = value))),
    h("p", { class: "note" }, t("describing.for_good")),
    button(t("describing.keep"), () => keep(answers), { kind: "primary big" }),
    button(t("describing.never_mind"), back, { kind: "quiet wide" }),
  );
}

function control({ kind, name, says, words, least, most, longest }, set) {
  const options = words?.map((word) => ({ value: word.value, says: both(word.says) }));
  switch (kind) {
    case "number":
      return h("div", { class: "amount" }, field(both(says), wheel(least, set, { least, most, label: both(says) })));
    case "one":
      return choice(both(says), name, options, null, set);
    case "several":
      return several(both(says), name, options, set);
    default:
      return field(both(says), written(both(says), longest, set));
  }
}

function written(label, longest, set) {
  const input = h("input", { type: "text", maxlength: longest, "aria-label": label, autocomplete: "off" });
  input.addEventListener("input", () => set(input.value));
  return input;
}
