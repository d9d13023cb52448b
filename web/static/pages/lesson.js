// Teaching a piece: show it, tap it, say what it is.

import { button, clear, h } from "../core/dom.js";
import { labelWord } from "../drawing/pieces.js";
import { both, t } from "../core/words.js";
import { Aim } from "./loupe.js";
import { piecePicture } from "./option_picture.js";

/** @param {App} app */
export function lesson(app, live, stage, end) {
  const zones = Object.entries(app.layout.zones).filter(([, zone]) => labelsOf(app, zone).length);
  let aim = null;

  function askZone() {
    letGo();
    live.start(false);
    step(
      "camera.teach_where",
      h("p", { class: "note" }, t("camera.teach_why")),
      h(
        "ul",
        { class: "choices" },
        zones.map(([name, zone]) =>
          h(
            "li",
            {},
            button(both(zone.says), () => askSpot(name, zone)),
          ),
        ),
      ),
    );
  }

  // The picture becomes the zone alone, large enough to hit a small piece in it.
  /** @param {Zone} zone */
  function askSpot(name, zone) {
    live.start(false, name);
    /** @param {number[]} point */
    const taken = ([x, y]) => askLabel(name, zone, x, y);
    letGo();
    aim = new Aim(live.node, live.picture, { taken });
    aim.layer.setAttribute("aria-label", t("camera.teach_tap"));
    step("camera.teach_tap", h("p", { class: "note" }, t("camera.corner_how")));
  }

  /** @param {Zone} zone */
  function askLabel(name, zone, x, y) {
    const pick = async (label) => {
      const learned = await app.post("/api/camera/teach", { zone: name, x, y, label });
      if (learned) end(t("camera.teach_done", { what: labelWord(label, app.layout) }));
    };
    const choice = (label) => {
      const inside = [piecePicture(app, label), labelWord(label, app.layout)];
      return h(
        "li",
        {},
        button(inside, () => pick(label), { dataset: { label } }),
      );
    };
    step("camera.teach_what", h("ul", { class: "choices" }, labelsOf(app, zone).map(choice)));
  }

  function step(words, ...inside) {
    const cancel = button(t("camera.cancel"), () => end(), { kind: "quiet" });
    clear(stage, h("div", { class: "task", role: "status" }, h("h2", {}, t(words))), inside, cancel);
  }

  function letGo() {
    aim?.stop();
    aim = null;
  }

  askZone();
  return { stop: letGo };
}

/** @param {App} app
    @param {Zone} zone */
function labelsOf(app, zone) {
  return zone.labels ?? app.layout.pieces[zone.holds]?.labels ?? [];
}
