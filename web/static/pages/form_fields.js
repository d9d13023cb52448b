// The fields of a form that a game gives as data, each with the control that suits its kind.

import { button, clear, h } from "../core/dom.js";
import { both, t } from "../core/words.js";
import { choice, field, flag, several, wheel } from "./fields.js";

/** A control for a field; `set(value)` hears of every change, `value` is what it shows first. */
export function control(one, set, value) {
  const { kind, name, says, words, least, most, longest } = one;
  const label = both(says);
  const options = words?.map((word) => ({ value: word.value, says: both(word.says) }));
  switch (kind) {
    case "number":
      return h("div", { class: "amount" }, field(label, wheel(value ?? least, set, { least, most, label })));
    case "one":
      return choice(label, name, options, value ?? (one.usual || null), set);
    case "several":
      return several(label, name, options, set, value);
    case "yes_no":
      return flag(label, name, value ?? false, set);
    case "amounts":
      return one.seldom ? folded({ ...one, seldom: false }, set, value ?? {}) : amounts(label, options, most, set, value);
    case "rows":
      return rows(one, label, set, value);
    default:
      return field(label, written(label, longest, set, value));
  }
}

function written(label, longest, set, value = "") {
  const input = h("input", { type: "text", maxlength: longest, "aria-label": label, autocomplete: "off", value });
  input.addEventListener("input", () => set(input.value));
  return input;
}

/** How many of which: every tap on a word is one more of it. */
export function amounts(label, options, most, set, value = {}) {
  const now = { ...value };
  const keys = options.map(({ value: word, says }) => counted(word, says));
  return h(
    "fieldset",
    { class: "choice amounts" },
    h("legend", {}, label),
    h("div", { class: "keys" }, keys),
  );

  function counted(word, says) {
    const number = h("b", { class: "number", "aria-live": "polite" });
    const more = h("button", { type: "button", class: "more", on: { click: change(1) } }, h("span", {}, says), number);
    const less = h(
      "button",
      { type: "button", class: "less", "aria-label": t("fields.less", { what: says }), on: { click: change(-1) } },
      "−",
    );
    const key = h("div", { class: "count-key", dataset: { word } }, more, less);
    show();
    return key;

    function change(by) {
      return () => {
        const next = Math.min(most, Math.max(0, (now[word] ?? 0) + by));
        if (next) now[word] = next;
        else delete now[word];
        show();
        if (!next) more.focus();
        set({ ...now });
      };
    }

    function show() {
      const there = now[word] ?? 0;
      number.textContent = there ? ` ${there}` : "";
      key.classList.toggle("chosen", there > 0);
      less.hidden = !there;
    }
  }
}

/** Amounts as people would say them; nothing where there are none. */
export function amountsInWords(words, value) {
  const word = (key) => both(words.find((one) => one.value === key)?.says) || key;
  return Object.entries(value)
    .map(([key, number]) => `${number} × ${word(key)}`)
    .join(", ");
}

/** Amounts that mostly nobody has anything to say about: their words until somebody opens them. */
function folded(asked, put, value) {
  const summary = h("summary", {});
  const show = (now) => clear(summary, both(asked.says), ": ", amountsInWords(asked.words, now) || t("fields.nothing"));
  show(value);
  const inside = control(
    asked,
    (now) => {
      show(now);
      put(now);
    },
    value,
  );
  return h("details", { class: "fold" }, summary, inside);
}

/** The same question for one thing after the other. */
function rows(one, label, set, value = []) {
  let now = [...value];
  const node = h("fieldset", { class: "choice rows" });
  draw();
  return node;

  function draw() {
    clear(
      node,
      h("legend", {}, label, now.length > 0 && ` (${now.length})`),
      now.map(row),
      now.length < one.most && button(`+ ${t("fields.one_more", { what: label })}`, add, { kind: "quiet add" }),
    );
  }

  function row(value, index) {
    const says = { de: `${both(one.says)} ${index + 1}`, en: `${both(one.says)} ${index + 1}` };
    const put = (changed) => {
      now[index] = changed;
      set([...now]);
    };
    const drop = () => {
      now = now.filter((_, at) => at !== index);
      set([...now]);
      draw();
    };
    const asked = { ...one.each, name: `${one.name} ${index + 1}`, says };
    return h(
      "div",
      { class: "row-of" },
      one.each.kind === "amounts" ? folded(asked, put, value) : short(asked, index, put, value),
      button("✕", drop, { kind: "quiet drop", "aria-label": t("fields.drop", { what: both(says) }) }),
    );
  }

  function short({ least, most, says }, index, put, value) {
    return h("div", { class: "amount" }, field(`${index + 1}.`, wheel(value, put, { least, most, label: both(says) })));
  }

  function add() {
    now = [...now, one.each.kind === "number" ? one.each.least : {}];
    set([...now]);
    draw();
  }
}
