// Describing a piece that the box does not hold: a small form beside the camera's picture of it.

import { button, h } from "../dom.js";
import { both, t } from "../words.js";
import { control } from "./form_fields.js";
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
