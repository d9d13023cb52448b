// A strip above the page while the camera cannot see the table: otherwise people would wait for moves to be seen.

import { h, once } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { both } from "../core/words.js";

const PAGES = ["table", "by_hand", "tv"];

/** Keep the strip up to date; `before` is the node that it stands above.
    @param {App} app */
export function watch(app, before) {
  const node = h("div", { class: "camera-strip", role: "status", hidden: true });
  before.before(node);
  const draw = () => {
    const { camera, table } = app.standing ?? {};
    const page = document.documentElement.dataset.page;
    node.hidden = !camera || !table?.game || table.over || !PAGES.includes(page);
    if (node.hidden) {
      once(node, null, () => []);
      return;
    }
    node.dataset.kind = camera.kind;
    once(node, [camera.says, page], () => told(camera, page));
  };
  for (const kind of /** @type {const} */ (["standing", "page"])) app.on(kind, draw);
  draw();
  return node;
}

/** On a phone it leads to the picture; a television has no finger. */
function told({ kind, says }, page) {
  const words = [icon(kind === "found_again" ? "hint" : "blind"), h("span", {}, both(says))];
  return page === "tv" ? words : h("a", { href: "#/camera" }, words, icon("on"));
}
