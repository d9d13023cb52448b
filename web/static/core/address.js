// The address of this page for another phone: as the companion knows it, short enough to be typed.

import { h } from "./dom.js";

let asked = null;

/** The address as a line of text; it comes a moment later, and is never broken or cut.
    @param {App} app */
export function addressLine(app) {
  const node = h("span", { class: "address", translate: "no" });
  asked ??= app.get("/api/address", { quiet: true });
  asked.then((found) => {
    if (found) node.textContent = found.short;
    else asked = null;
  });
  return node;
}
