// Describing a piece that the box does not hold: a small form beside the camera's picture of it.

import { button, h } from "../core/dom.js";
import { both, t } from "../core/words.js";
import { control } from "./form_fields.js";
import { placePicture } from "./place_picture.js";

/** `keep(answers)` sends what was said; `back()` leads to the list.
    @param {App} app
    @param {Choices} choices */
export function description(app, choices, { keep, back }) {
  const { form } = choices;
  const answers = {};
  return h(
    "section",
    { class: "description" },
    h("h2", { class: "asks", tabindex: "-1" }, both(form.asks)),
    placePicture(app, choices),
    form.hint && h("p", { class: "note" }, both(form.hint)),
    form.fields.map((one) => control(one, (value) => (answers[one.name] = value))),
    h("p", { class: "note" }, t("description.for_good")),
    button(t("description.keep"), () => keep(answers), { kind: "primary big" }),
    button(t("description.never_mind"), back, { kind: "quiet wide" }),
  );
}
