// A track: its fields in a row, and the value of one of them under the thumb.

import { button, clear, h } from "../core/dom.js";
import { t } from "../core/words.js";
import { wheel } from "./fields.js";

export function trackSketch(_app, offer, { changed }) {
  const { lowest, last, least, most } = offer;
  const fields = h("ol", { class: "track" });
  const hand = h("div", { class: "hand" });
  const node = h("div", { class: "sketch-track" }, fields, hand);
  let now = null;
  let at = 0; // the field under the thumb, counted from the first
  let value = 0;

  function draw(drawing) {
    now = drawing;
    at = Math.min(at, now.values.length - 1);
    clear(fields, longer(), now.values.map(cell));
    under();
  }

  function cell(one, index) {
    const number = now.first + index;
    const said = one === null ? t("sketch.no_value") : String(one);
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: `field-of ${index === at ? "here" : ""} ${one === null ? "open" : ""}`,
          "aria-label": t("sketch.field", { number, value: said }),
          "aria-pressed": String(index === at),
          dataset: { field: number },
          on: { click: () => go(index) },
        },
        h("span", { class: "number" }, number),
        h("b", {}, one === null ? "?" : one),
      ),
    );
  }

  /** Fields may begin further left than the start, or not so far. */
  function longer() {
    if (lowest === last || offer.empty.first === lowest) return null;
    const add = () => changed({ first: now.first - 1, values: [null, ...now.values] });
    const drop = () => changed({ first: now.first + 1, values: now.values.slice(1) });
    return h(
      "li",
      { class: "longer" },
      now.first > lowest && button(t("sketch.field_more"), add, { kind: "quiet", dataset: { act: "longer" } }),
      now.first < 0 && button(t("sketch.field_less"), drop, { kind: "quiet", dataset: { act: "shorter" } }),
    );
  }

  function go(index) {
    at = index;
    draw(now);
    fields.querySelector(".here")?.focus();
  }

  function under() {
    const before = now.values[at - 1];
    value = now.values[at] ?? before ?? Math.max(least, 0);
    const number = now.first + at;
    clear(
      hand,
      h("p", {}, t("sketch.value_of", { number })),
      wheel(value, (next) => (value = next), { least, most, label: t("sketch.value_of", { number }) }),
      button(t("sketch.next"), put, { kind: "primary next", dataset: { act: "next" } }),
    );
    hand.querySelector("input").addEventListener("keydown", (event) => event.key === "Enter" && put());
  }

  function put() {
    const said = Math.min(most, Math.max(least, Math.round(Number(value)) || 0));
    const values = now.values.map((one, index) => (index === at ? said : one));
    at = Math.min(at + 1, values.length - 1);
    changed({ ...now, values });
  }

  return { node, draw };
}
