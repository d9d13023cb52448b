// The strip of a table that is only pretended: what its people do now, and what a visitor may do to them.

import { button, h, once } from "./dom.js";
import { mayAct } from "./moves.js";
import { both, hasWord, t } from "./words.js";

/** A strip that `draw(demo)` fills; at a real table it stays away.
    @param {App} app */
export function demoStrip(app) {
  const node = h("section", { class: "demo", hidden: true });
  return {
    node,
    draw(demo) {
      node.hidden = !demo;
      if (demo) once(node, [demo, mayAct(app)], () => strip(app, demo));
    },
  };
}

/** @param {App} app */
function strip(app, demo) {
  const acts = demo.can.filter((name) => hasWord(`demo.${name}`));
  const tap = (name) => button(t(`demo.${name}`), () => app.post("/api/demo", { act: name }), { kind: "small-button" });
  return [
    h("h2", { class: "section" }, t("demo.title")),
    h("p", {}, both(demo.doing)),
    mayAct(app)
      ? h("div", { class: "demo-acts" }, acts.map(tap))
      : h("p", { class: "soft small" }, t("demo.join_first")),
  ];
}
