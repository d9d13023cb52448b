// Rules: what can be done now, with an example each, and every rule with its section, found by a few letters.

import { clear, h, once } from "../core/dom.js";
import { both, t } from "../core/words.js";
import { missing } from "./empty_page.js";

export const title = "rules.title";

/** @param {App} app */
export function open(app) {
  const now = h("section", { class: "now" });
  const label = t("rules.find");
  const find = h("input", { type: "search", class: "input find", placeholder: label, "aria-label": label, autocomplete: "off" });
  const found = h("p", { class: "soft", role: "status" });
  const list = h("div", { class: "sections" });
  const page = [now, h("h2", { class: "section" }, t("rules.all")), find, found, list];
  const node = h("div", { class: "rules-page" });
  find.addEventListener("input", search);
  let number = null;

  async function load() {
    /** @type {Rules | null} */
    const rules = await app.get("/api/rules");
    if (!rules) return;
    once(now, [rules.mine, rules.now], () => canDo(rules));
    once(list, [rules.rules], () => sections(rules.rules));
    search();
  }

  // In both languages: a term that somebody knows from the other one is found too.
  function search() {
    const wanted = find.value.trim().toLocaleLowerCase();
    let shown = 0;
    for (const section of list.querySelectorAll("section")) {
      const items = [...section.querySelectorAll("li")];
      for (const item of items) item.hidden = !item.dataset.text.includes(wanted);
      section.hidden = items.every((item) => item.hidden);
      shown += items.filter((item) => !item.hidden).length;
    }
    found.textContent = !wanted ? "" : shown ? t("rules.found", { number: shown }) : t("rules.none");
  }

  /** @param {Standing} standing */
  function update(standing) {
    const lacks = missing(app, standing);
    if (lacks) return void clear(node, lacks);
    if (!find.isConnected) clear(node, page);
    if (standing.number !== number) load();
    number = standing.number;
  }

  if (app.standing) update(app.standing);
  return { node, update };
}

/** @param {Rules} rules */
function canDo({ mine, now }) {
  const items = now.map(({ says, example, count }) =>
    h(
      "li",
      {},
      h("b", {}, both(says)),
      h("p", { class: "soft" }, t(count > 1 ? "rules.example" : "rules.only", { what: both(example) })),
    ),
  );
  const heading = h("h2", {}, t(mine ? "rules.i_can" : "rules.can"));
  return [heading, items.length ? h("ul", { class: "kinds" }, items) : h("p", { class: "soft" }, t("rules.nothing"))];
}

/** @param {Rules["rules"]} rules */
function sections(rules) {
  /** @type {Map<string, Rules["rules"]>} */
  const groups = new Map();
  for (const rule of rules) {
    const name = both(rule.section);
    groups.set(name, [...(groups.get(name) ?? []), rule]);
  }
  return [...groups].map(([name, group]) => h("section", {}, h("h3", {}, name), h("ul", {}, group.map(line))));
}

/** @param {Rules["rules"][number]} rule */
function line({ section, says, variant }) {
  const text = [section, says].flatMap((one) => [one.de, one.en]).join(" ").toLocaleLowerCase();
  return h("li", { dataset: { text } }, both(says), variant && h("span", { class: "tag plain" }, t("rules.variant")));
}
