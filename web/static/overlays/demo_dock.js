// The dock of a table that is only pretended, above the bar of the pages: what its people do now, a pause, and on a tap
// everything else that a visitor may do to them.

import { button, h, once } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { mayAct } from "../core/moves.js";
import { sheet } from "../core/sheet.js";
import { both, hasWord, t } from "../core/words.js";

const HERE = ["pause", "go_on"]; // on the dock itself

/** Keep the dock up to date. It is there for phones that have joined; a television has no finger.
    @param {App} app */
export function watch(app) {
  const node = h("section", { class: "demo-dock", "aria-label": t("demo.title"), hidden: true });
  const acts = h("div", { class: "demo-acts" });
  const doing = h("p", { "aria-live": "polite" });
  document.body.append(node);
  const draw = () => {
    const demo = app.standing?.demo;
    node.hidden = !demo || !mayAct(app) || document.documentElement.dataset.page === "tv";
    document.documentElement.toggleAttribute("data-dock", !node.hidden);
    if (node.hidden) return;
    once(node, demo, () => dock(app, demo, () => open(doing, acts)));
    once(doing, demo.doing, () => both(demo.doing));
    once(acts, demo.can, () => demo.can.filter((name) => hasWord(`demo.${name}`)).map((name) => act(app, name)));
  };
  for (const kind of /** @type {const} */ (["standing", "page", "me"])) app.on(kind, draw);
  draw();
}

/** @param {App} app
    @param {Demo} demo */
function dock(app, demo, more) {
  const held = HERE.find((name) => demo.can.includes(name));
  return [
    h("button", { type: "button", class: "demo-more", on: { click: more } }, h("b", {}, t("demo.title")), h("span", {}, both(demo.doing)), icon("up")),
    held && h("button", { type: "button", class: "round", "aria-label": t(`demo.${held}`), on: { click: () => tell(app, held) } }, icon(held)),
  ];
}

function open(...body) {
  sheet({ title: t("demo.title"), body });
}

/** @param {App} app */
function act(app, name) {
  return button(t(`demo.${name}`), () => tell(app, name));
}

/** @param {App} app */
function tell(app, name) {
  return app.post("/api/demo", { act: name });
}
