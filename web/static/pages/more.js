// More: what is needed now and then, and what each phone chooses for itself.

import { button, clear, h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { allowSound, shake, tone } from "../core/sound.js";
import { mayAct } from "../core/moves.js";
import { lang, t } from "../core/words.js";

export const title = "more.title";

const LINKS = ["rules", "join", "setup", "camera", "health"];
const SIGNS = { rules: "ask", join: "seat" };
const SPOKEN = { de: "Deutsch", en: "English" };

/** @param {App} app */
export function open(app) {
  const practice = h("div", { class: "list" });
  const node = h(
    "div",
    { class: "more-page" },
    h(
      "div",
      { class: "list" },
      LINKS.map((name) => link(`#/${name}`, SIGNS[name] ?? name, t(`more.${name}`))),
    ),
    practice,
    h("h2", { class: "section" }, t("more.this_phone")),
    h(
      "div",
      { class: "list" },
      choice("words", t("more.language"), Object.entries(SPOKEN), lang(), (value) => app.speak(value)),
      choice(
        "light",
        t("more.theme"),
        ["auto", "light", "dark"].map((each) => [each, t(`more.${each}`)]),
        app.theme(),
        (value) => app.theme(value),
      ),
      h(
        "button",
        { type: "button", class: "line", on: { click: loud } },
        icon("sound"),
        h("span", { class: "grow" }, t("more.try_sound")),
      ),
      h(
        "a",
        { class: "line", href: "/tv", target: "_blank", rel: "noopener" },
        icon("tv"),
        h("span", { class: "grow" }, t("more.tv")),
        icon("on"),
      ),
    ),
  );

  function update({ table }) {
    practice.hidden = !table.game || !mayAct(app);
    clear(
      practice,
      h(
        "button",
        {
          type: "button",
          class: "line",
          on: { click: () => (allowSound(), app.post("/api/raid", { act: "practice" })) },
        },
        icon("practice"),
        h("span", { class: "grow" }, t("countdown.begin_practice")),
      ),
    );
  }

  return { node, update };
}

function link(href, sign, text) {
  return h("a", { class: "line", href }, icon(sign), h("span", { class: "grow" }, text), icon("on"));
}

function choice(sign, label, options, chosen, choose) {
  const group = h("div", { class: "segments", role: "radiogroup", "aria-label": label });
  const draw = (now) =>
    clear(
      group,
      options.map(([value, text]) =>
        button(
          text,
          async () => {
            draw(value);
            await choose(value);
          },
          { kind: "segment", role: "radio", "aria-checked": String(value === now) },
        ),
      ),
    );
  draw(chosen);
  return h("div", { class: "line wrap" }, icon(sign), h("span", { class: "grow" }, label), group);
}

function loud() {
  allowSound();
  setTimeout(() => {
    tone(0, 660, 0.12);
    tone(0.25, 660, 0.12);
    tone(0.5, 330, 0.6, 0.5);
    shake([80, 80, 80, 80, 300]);
  }, 80);
}
