// Sheets that come up over a page, and the short notes that pass: nothing on them has to be searched for.

import { button, h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

/** A sheet from below. `actions` stay in reach of the thumb. Returns {node, body, close()}; `closed` is called once. */
export function sheet({ title, body, actions = [], kind = "", closable = true, closed = () => {}, closeLabel }) {
  const name = h("h2", { class: "sheet-title", tabindex: "-1", id: `sheet-${++count}` }, title);
  const close = () => node.open && node.close();
  const inside = h("div", { class: "sheet-body", tabindex: "0" }, body);
  const thumbs = h("div", { class: "sheet-actions" }, actions);
  const node = h(
    "dialog",
    { class: `sheet ${kind}`, "aria-labelledby": name.id },
    h("div", { class: "lost-strip", role: "status" }, t("app.lost")),
    h(
      "header",
      { class: "sheet-head" },
      name,
      closable &&
        h(
          "button",
          {
            type: "button",
            class: "round",
            "aria-label": closeLabel ?? t("app.close"),
            on: { click: close },
          },
          icon("close"),
        ),
    ),
    inside,
    actions.length > 0 && thumbs,
  );
  node.addEventListener("cancel", (event) => !closable && event.preventDefault());
  node.addEventListener("click", (event) => event.target === node && closable && close());
  node.addEventListener("close", () => {
    notesTo(document.body);
    node.remove();
    closed();
  });
  document.body.append(node);
  node.showModal();
  name.focus();
  return { node, body: inside, actions: thumbs, title: name, close };
}

/** Asks before something that cannot be taken back; resolves true or false. */
export function confirmed({ title, text, yes, danger = false }) {
  return new Promise((resolve) => {
    let answer = false;
    const end = (value) => {
      answer = value;
      shown.close();
    };
    const shown = sheet({
      title,
      body: h("p", {}, text),
      actions: [
        button(t("app.cancel"), () => end(false), { kind: "quiet" }),
        button(yes, () => end(true), { kind: danger ? "danger" : "primary" }),
      ],
      closed: () => resolve(answer),
    });
  });
}

let count = 0;
const notes = h("div", { class: "toasts", role: "status", "aria-live": "polite" });

/** A note that passes by itself. Kinds: "", good, warn. */
export function toast(text, { kind = "", seconds = 5 } = {}) {
  const open = [...document.querySelectorAll("dialog[open]")];
  notesTo(open.at(-1) ?? document.body);
  const node = h("div", { class: `toast ${kind}` }, text);
  for (const other of notes.children) if (other.textContent === text) other.remove();
  notes.append(node);
  const gone = setTimeout(() => node.remove(), seconds * 1000);
  node.addEventListener("click", () => {
    clearTimeout(gone);
    node.remove();
  });
}

// A dialog covers the whole page: a note behind it would not be seen.
function notesTo(place) {
  if (notes.parentNode !== place) place.append(notes);
}
