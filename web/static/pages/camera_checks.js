// How well the camera sees, in words: its position, the light, the focus; and what it reads zone by zone.

import { h } from "../core/dom.js";
import { inWords, zoneName } from "../drawing/map.js";
import { both, hasWord, t } from "../core/words.js";

const SIGNS = { ok: "✓", troubled: "!", failed: "✕", absent: "–" };

export function checks(camera) {
  const found = ["plane", "light", "lens"].filter((name) => camera[name]?.says);
  if (!found.length) return null;
  return h(
    "ul",
    { class: "checks" },
    found.map((name) => check(name, camera[name])),
  );
}

function check(name, { state, says }) {
  return h(
    "li",
    { dataset: { state } },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state] ?? "–"),
    h("div", {}, h("h3", {}, t(`camera.${name}`)), h("p", {}, both(says))),
  );
}

/** `open`: whether it stood unfolded.
    @param {App} app */
export function zonesRead(app, camera, open) {
  const zones = Object.entries(camera.zones ?? {});
  if (!zones.length) return null;
  return h(
    "details",
    { class: "zones", open },
    h("summary", {}, t("camera.zones")),
    h(
      "ul",
      {},
      zones.map(([name, zone]) => row(app, name, zone)),
    ),
  );
}

/** What lies there and cannot be read, in sentences of their own: people can mend that at once. */
export function oddities(camera) {
  const odd = Object.values(camera.zones ?? {}).flatMap((zone) => (zone.state === "ignored" ? [] : (zone.odd ?? [])));
  if (!odd.length) return null;
  return h(
    "ul",
    { class: "checks odd" },
    odd.map(({ says }) =>
      h(
        "li",
        { dataset: { state: "troubled" } },
        h("span", { class: "sign", "aria-hidden": "true" }, "?"),
        h("div", {}, h("p", {}, both(says))),
      ),
    ),
  );
}

/** @param {App} app
    @param {string} name
    @param {Camera["zones"][string]} zone */
function row(app, name, zone) {
  const key = `camera.${zone.state}`;
  const contents = inWords(zone.contents, app.layout);
  return h(
    "li",
    { dataset: { state: zone.state } },
    h("b", {}, zoneName(name, app.layout)),
    h("span", {}, contents || (hasWord(key) ? t(key) : zone.state)),
  );
}
