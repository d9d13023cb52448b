// Health: how every part of the companion is, the worst first, each with what to do.

import { clear, h } from "../core/dom.js";
import { both, hasWord, t } from "../core/words.js";

export const title = "health.title";

const WORST_FIRST = ["failed", "troubled", "ok", "absent"];
const SIGNS = { failed: "✕", troubled: "!", ok: "✓", absent: "–" };
const EVERY = 5000; // ms between two looks

/** @param {App} app */
export function open(app) {
  const node = h("div", { class: "health" });
  let shown = "";

  async function look() {
    if (document.hidden) return;
    const parts = await app.get("/api/health");
    if (!parts) return;
    const now = JSON.stringify(parts);
    if (now !== shown) show(parts);
    shown = now;
  }

  function show(parts) {
    const sorted = [...parts].sort((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state));
    const more = parts.some((one) => !one.says) && h("p", { class: "soft small" }, t("health.more"));
    clear(node, summary(parts), h("ul", { class: "parts" }, sorted.map(part)), more);
  }

  const timer = setInterval(look, EVERY);
  look();
  return { node, update() {}, close: () => clearInterval(timer) };
}

function summary(parts) {
  const bad = parts.filter((one) => one.state === "failed").length;
  const weak = parts.filter((one) => one.state === "troubled").length;
  const state = bad ? "failed" : weak ? "troubled" : "ok";
  return h(
    "div",
    { class: "summary", dataset: { state }, role: "status" },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]),
    h("p", {}, t(`health.all_${state}`, { number: bad || weak })),
  );
}

function part(one) {
  const kind = one.name.split(" ")[0]; // "light of seat blue" is a light
  const advice = `health.do_${kind}`;
  const bad = one.state === "failed" || one.state === "troubled";
  return h(
    "li",
    { dataset: { state: one.state, part: one.name } },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[one.state] ?? "–"),
    h(
      "div",
      {},
      h("h2", {}, both(one.label), h("span", { class: "state" }, both(one.state_says))),
      one.says && h("p", {}, both(one.says)),
      bad && hasWord(advice) && h("p", { class: "advice" }, h("b", {}, t("health.do")), " ", t(advice)),
    ),
  );
}
