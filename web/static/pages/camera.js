// Camera: the live picture with what is read in it, the corners, the light, and teaching a piece by showing it.

import { button, clear, h } from "../core/dom.js";
import { both, t } from "../core/words.js";
import { becomeHost } from "./host.js";
import { corners } from "./corners.js";
import { flag } from "./fields.js";
import { Live } from "./live_picture.js";
import { lesson } from "./lesson.js";
import { checks, oddities, zonesRead } from "./camera_checks.js";

export const title = "camera.title";

const EVERY = 2000; // ms between two looks at how the camera is

/** @param {App} app */
export function open(app) {
  const node = h("div", { class: "camera" });
  const live = new Live(t("camera.live"));
  const stage = h("div", { class: "stage" });
  const strange = h("div", { role: "status" }); // right below the picture: people can mend it at once
  const told = h("div", { class: "told" });
  let overlay = true;
  let task = null; // corners or teaching, while it is under way
  let known = null;
  let shown = "";
  let tooled = ""; // what the tools that stand there are for

  async function look() {
    if (document.hidden) return;
    if (app.me.role === "nobody") {
      live.stop();
      shown = tooled = "";
      if (!node.querySelector(".join-first")) clear(node, joinFirst());
      return;
    }
    const camera = await app.get("/api/camera", { quiet: true });
    if (!camera) return;
    known = camera;
    const now = JSON.stringify(camera);
    if (now !== shown) show();
    shown = now;
  }

  // The picture shows a room: it is for those who have said who they are.
  function joinFirst() {
    return h(
      "div",
      { class: "empty join-first" },
      h("h2", {}, t("camera.join_title")),
      h("p", {}, t("camera.join_first")),
      button(t("empty_page.join"), () => app.go("join"), { kind: "primary" }),
    );
  }

  function show() {
    if (!known.picture && !task) {
      live.stop();
      tooled = "";
      clear(node, absent(known), told);
    } else {
      if (live.node.parentNode !== node) clear(node, live.node, strange, stage, told);
      if (!task) showTools();
    }
    // Nothing is tapped in a picture that is past.
    stage.hidden = known.state !== "ok" && !task;
    const open = told.querySelector(".zones")?.hasAttribute("open");
    const old = known.state !== "ok";
    live.grow(old ? known.age : undefined);
    live.name(overlay && !old && !task ? known.zones : null, app.layout);
    // Judged by a picture that is past, neither light nor focus says anything of now.
    clear(strange, old && known.picture ? trouble(known) : oddities(known));
    clear(told, !old && [checks(known), zonesRead(app, known, open)]);
  }

  function trouble(camera) {
    return h(
      "div",
      { class: "card warn trouble" },
      h("p", {}, both(camera.says)),
      h("p", {}, t("camera.none_text")),
      button(t("camera.by_hand"), () => app.go("by_hand")),
    );
  }

  // Only when they change: nobody's thumb shall come down on a button that has just been replaced.
  function showTools() {
    live.start(overlay);
    const now = `${app.me.host} ${Boolean(app.layout)}`;
    if (now !== tooled) clear(stage, tools());
    tooled = now;
  }

  function absent(camera) {
    if (camera.state === "ok") return h("div", { class: "empty" }, h("p", {}, t("camera.waiting")));
    return h(
      "div",
      { class: "empty" },
      h("h2", {}, t("camera.none")),
      h("p", {}, both(camera.says)),
      h("p", {}, t("camera.none_text")),
      button(t("camera.by_hand"), () => app.go("by_hand"), { kind: "primary" }),
    );
  }

  function tools() {
    const setOverlay = (on) => {
      overlay = on;
      live.start(on);
      show();
    };
    const layers = flag(t("camera.overlay"), "overlay", overlay, setOverlay);
    if (!app.me.host) return [layers, becomeHost(app, () => show())];
    return [
      layers,
      h(
        "div",
        { class: "row" },
        button(t("camera.corners"), () => begin(corners), { dataset: { act: "corners" } }),
        app.layout && button(t("camera.teach"), () => begin(lesson), { dataset: { act: "teach" } }),
      ),
    ];
  }

  // The corners and the teaching take the picture and the place below it over until they are done.
  function begin(what) {
    tooled = "";
    task = what(app, live, stage, end);
  }

  function end(words) {
    task?.stop();
    task = null;
    if (words) app.toast(words, { kind: "good" });
    show();
    look();
  }

  const timer = setInterval(look, EVERY);
  const off = app.on("me", look);
  look();
  return {
    node,
    update() {},
    close() {
      clearInterval(timer);
      off();
      task?.stop();
      live.stop();
    },
  };
}
