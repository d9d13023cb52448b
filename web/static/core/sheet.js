// Sheets that come up over a page, and the short notes that pass: nothing on them has to be searched for.

import { button, h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

/** A sheet from below. `actions` stay in reach of the thumb. Returns {node, body, close()}; `closed` is called once.
    @param {SheetWishes} wishes
    @returns {Sheet} */
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
const MOST = 2; // notes at once; people read one, and a heap of them covers what they want to tap
const READS = 15; // letters a second that people read at ease
const notes = h("div", { class: "toasts", role: "status", "aria-live": "polite" });

// What floats above the bar of the pages. The page ends so much higher, and nothing stays below it for good.
const floating = h("div", { class: "floating" });
new ResizeObserver(([{ contentRect }]) => {
  document.documentElement.style.setProperty("--floating", `${Math.ceil(contentRect.height)}px`);
}).observe(floating);

/** Let something float above the bar of the pages, below the notes that pass. */
export function float(node) {
  if (node.parentNode !== floating) floating.append(node);
  if (!floating.isConnected) document.body.append(floating);
}

/** A note that passes by itself. Kinds: "", good, warn. */
export function toast(text, { kind = "", seconds = 5 } = {}) {
  notesTo(topmost());
  const node = h("div", { class: `toast ${kind}` }, text);
  for (const other of [...notes.children]) if (other.textContent === text) other.remove();
  notes.append(node);
  while (notes.children.length > MOST) notes.firstChild.remove();
  const gone = setTimeout(() => node.remove(), Math.max(seconds, 1 + text.length / READS) * 1000);
  node.addEventListener("click", () => {
    clearTimeout(gone);
    node.remove();
  });
}

// Whatever dialog closes, its notes go on being shown.
document.addEventListener("close", ({ target }) => target instanceof Node && target.contains(notes) && notesTo(topmost()), true);

function topmost() {
  return [...document.querySelectorAll("dialog[open]")].at(-1);
}

// A dialog covers the whole page: a note behind it would not be seen.
function notesTo(dialog) {
  if (dialog) dialog.append(notes);
  else if (notes.parentNode !== floating) floating.prepend(notes);
  if (!floating.isConnected) document.body.append(floating);
}
