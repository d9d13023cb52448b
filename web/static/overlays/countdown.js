// The raid, full screen: who is ready, the king's start, the time that is left, and a stop that nobody can miss.
// Phones count down by the table's clock, each by itself, so that all of them stop in the same moment. A television
// goes on after the stop with what was taken.

import { calm, clear, h, once } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { TURN, counting, ended, gathering } from "./countdown_pictures.js";
import { float, toast } from "../core/sheet.js";
import { allowSound, shake, soundAllowed, stayAwake, tone } from "../core/sound.js";
import { both, lang, t } from "../core/words.js";

const LAST = 5; // seconds that are told one by one
const STAYS = 9000; // ms that the stop is shown where nobody sees whether hands are off
const ON_TV = 3000; // ms that a television shows the stop alone
const GLANCE = 1500; // ms that it is shown at the least
const ALIVE = ["gathering", "set", "running", "paused"];

/** Show a raid whenever there is one.
    @param {App} app */
export function watch(app) {
  const screen = new CountdownScreen(app);
  app.on("raid", (raid) => screen.take(raid));
  // Who this phone is, and what it shows, decides whether the raid covers it.
  for (const kind of /** @type {const} */ (["connection", "me", "page"])) app.on(kind, () => screen.draw());
  app.on("standing", ({ table }) => {
    stayAwake(Boolean(table.game) && !table.over);
    screen.look();
  });
  screen.take(app.standing?.raid ?? null);
  return screen;
}

const shown = () => document.documentElement.dataset.page;
const onTv = () => shown() === "tv";

class CountdownScreen {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.raid = null;
    this.away = false; // somebody wants to see the table while others get ready
    this.counted = false; // hands were waited for since the stop
    /** @type {import("./countdown_tv.js").OnTelevision | null} */
    this.tv = null; // only a television loads it
    this.tones = [];
    /** @type {Element | null} */
    this.ring = null;
    /** @type {Element | null} */
    this.number = null;
    this.drawn = "";
    this.told = h("p", { class: "visually-hidden", role: "alert" });
    this.body = h("div", { class: "countdown-body" });
    this.node = h("dialog", { class: "countdown", "aria-label": t("countdown.title") }, this.told, this.body);
    this.node.addEventListener("cancel", (event) => {
      event.preventDefault();
      if (this.raid?.phase === "gathering" || this.raid?.phase === "set") this.leave();
    });
    this.pill = h("button", {
      type: "button",
      class: "pill countdown-pill",
      hidden: true,
      on: { click: () => this.back() },
    });
  }

  /** What the table says about the raid.
      @param {Raid} raid */
  take(raid) {
    const before = this.raid;
    this.raid = raid;
    const phase = raid?.phase ?? null;
    if (phase !== before?.phase || raid?.deadline !== before?.deadline) this.changed(before, raid);
    if (phase === "gathering" || phase === "set") this.tune();
    this.draw();
  }

  /** @param {Raid} raid */
  changed(before, raid) {
    this.quiet();
    if (!raid || !ALIVE.includes(raid.phase)) {
      if (raid?.phase === "stopped" && before?.phase === "running") this.stop();
      else if (raid?.phase === "off" && before && ALIVE.includes(before.phase)) toast(t("countdown.called_off"));
      if (!this.stopped) this.hide();
      return;
    }
    clearTimeout(this.closing); // the last raid's stop must not take this one off the screen
    if (raid.phase === "gathering" && before?.phase !== "gathering") this.away = false;
    if (raid.phase === "running") this.run();
    this.stopped = false;
  }

  // Before it runs, the clock is measured again and again: the best ping so far counts.
  tune() {
    clearTimeout(this.tuning);
    this.tuning = setTimeout(async () => {
      if (this.raid?.phase !== "gathering" && this.raid?.phase !== "set") return;
      await this.app.clock.measure(4);
      this.tune();
    }, 1500);
  }

  get left() {
    if (this.raid?.phase === "running") return Math.max(0, this.raid.deadline - this.app.now());
    return this.raid?.left ?? 0;
  }

  run() {
    this.away = false;
    this.second = null;
    const left = this.left;
    if (left > this.raid.seconds - 1) {
      shake(120);
      this.tones.push(tone(0, 880, 0.25));
    }
    for (let second = 1; second <= LAST; second++) {
      if (left > second) this.tones.push(tone(left - second, 660, 0.12));
    }
    this.tones.push(tone(left, 330, 1.3, 0.6), tone(left, 247, 1.3, 0.5));
    const step = () => {
      if (this.raid?.phase !== "running") return;
      this.count();
      if (this.left > 0) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    // A page in the background gets no frames, but it stops in time all the same.
    clearTimeout(this.ending);
    this.ending = setTimeout(() => this.raid?.phase === "running" && this.left <= 0.02 && this.stop(), left * 1000);
  }

  count() {
    const left = this.left;
    if (left <= 0) {
      this.stop();
      return;
    }
    const second = Math.ceil(left - 1e-3);
    this.node.dataset.left = left.toFixed(3);
    // Ten times a second is smooth enough, and spares the phone.
    const tenth = Math.ceil(left * 10);
    if (tenth !== this.tenth)
      this.ring?.setAttribute("stroke-dashoffset", (TURN * (1 - left / this.raid.seconds)).toFixed(1));
    this.tenth = tenth;
    if (second === this.second) return;
    this.second = second;
    if (this.number) this.number.textContent = String(second);
    if (!this.pill.hidden) this.bar("running");
    const last = second <= LAST;
    this.node.classList.toggle("last", last);
    if (last) {
      shake(60);
      if (!calm())
        this.number?.animate([{ transform: "scale(1.14)" }, { transform: "none" }], {
          duration: 350,
          easing: "ease-out",
        });
    }
    if (second === 10 || second === LAST) this.told.textContent = t("countdown.seconds_left", { number: second });
  }

  stop() {
    if (this.stopped) return;
    this.stopped = true;
    this.counted = false;
    this.node.dataset.left = "0";
    this.node.dataset.stopped = this.app.now().toFixed(3);
    shake([700, 120, 700]);
    this.told.textContent = t("countdown.stop");
    this.draw();
    clearTimeout(this.closing);
    this.since = Date.now();
    this.closing = setTimeout(() => (onTv() || !this.waits ? this.hide() : null), onTv() ? ON_TV : STAYS);
  }

  /** Whether the table still waits for hands to be off it. */
  get waits() {
    return Boolean(this.app.standing?.table.expects?.counting);
  }

  /** How the table stands: after the stop it tells when all hands are off. */
  look() {
    if (this.stopped && this.waits) this.counted = true;
    else if (this.stopped && this.counted && !onTv()) {
      clearTimeout(this.closing);
      this.closing = setTimeout(() => this.hide(), Math.max(0, GLANCE - (Date.now() - this.since)));
    }
    this.draw();
  }

  quiet() {
    clearTimeout(this.ending);
    if (this.raid?.phase === "stopped") return; // the last tone rings out
    for (const stop of this.tones) stop();
    this.tones = [];
  }

  // On and off the screen

  show() {
    if (!this.node.isConnected) document.body.append(this.node);
    if (!this.node.open) this.node.showModal();
    this.pill.hidden = true;
  }

  hide() {
    this.stopped = false;
    this.drawn = "";
    if (this.tv?.has()) return this.draw();
    if (this.node.open) this.node.close();
    this.pill.hidden = true;
    this.app.emit("free");
  }

  leave() {
    this.away = true;
    this.draw();
  }

  back() {
    this.away = false;
    if (this.busy) this.app.go("table");
    else this.draw();
  }

  /** Whether this phone is only told of the raid: somebody is just joining, or hosts and is on another page. */
  get busy() {
    const { me } = this.app;
    return me.host ? shown() !== "table" && !onTv() : me.role === "nobody" && shown() === "join";
  }

  draw() {
    if (onTv() && !this.tv) {
      import("./countdown_tv.js").then(({ OnTelevision }) => {
        this.tv = new OnTelevision(this.app);
        this.draw();
      });
      return;
    }
    const alive = ALIVE.includes(this.raid?.phase);
    const phase = this.stopped ? "stopped" : alive ? this.raid.phase : this.tv?.has() ? "haul" : null;
    if (!phase) {
      if (this.node.open && this.node.dataset.phase === "haul") this.hide();
      return;
    }
    if (this.away || this.busy) {
      this.stepAside(phase);
      return;
    }
    this.show();
    const { left, ...facts } = this.raid ?? {};
    const { table } = this.app.standing;
    const now = JSON.stringify([
      phase,
      facts,
      phase === "paused" && left,
      table.seats,
      this.waits,
      onTv() && this.tv?.facts(),
      this.app.me,
      this.app.layout?.colours,
      lang(),
      soundAllowed(),
    ]);
    // Drawn anew only if something changed: a button must not vanish under a finger.
    if (now === this.drawn) return;
    this.drawn = now;
    this.node.dataset.phase = phase;
    this.node.classList.toggle("on-tv", onTv());
    this.node.setAttribute("aria-label", t("countdown.title"));
    if (phase !== "running") this.node.classList.remove("last");
    const { camera } = this.app.standing;
    const blind = camera && onTv() && h("p", { class: "countdown-blind", role: "status" }, both(camera.says));
    const lost = h("div", { class: "lost-strip", role: "status" }, t("app.lost"));
    clear(this.body, lost, blind, this.pictured(phase));
    if (phase === "running") {
      this.second = null;
      this.count();
    }
  }

  pictured(phase) {
    if (phase === "stopped") return ended(this, () => Date.now() - this.since > GLANCE && this.hide());
    if (onTv() && this.tv) {
      const { picture, number, ring } = this.tv.pictured(this, phase);
      Object.assign(this, { number, ring });
      return picture;
    }
    if (phase !== "running" && phase !== "paused") return gathering(this);
    const { picture, number, ring } = counting(this);
    Object.assign(this, { number, ring });
    return picture;
  }

  stepAside(phase) {
    if (this.node.open) this.node.close();
    this.drawn = "";
    float(this.pill);
    this.bar(phase);
    this.pill.hidden = false;
    this.app.emit("free");
  }

  /** A bar instead of the whole screen: how the raid stands, in one line. */
  bar(phase) {
    this.pill.dataset.phase = phase;
    const { waits, raid, app } = this;
    const seconds = Math.ceil(this.left - 1e-3);
    once(this.pill, [phase, waits, seconds, raid?.ready], () => [
      icon("practice"),
      h("span", {}, t(`countdown.bar.${phase === "stopped" && waits ? "counting" : phase}`, { seconds, ready: raid?.ready.length, of: app.standing.table.seats.length })),
      icon("on"),
    ]);
  }

  act(name) {
    allowSound();
    return this.app.post("/api/raid", { act: name });
  }

  // The king leads the raid, and so may the host.
  get leads() {
    const { me } = this.app;
    return me.host || (me.seat !== null && me.seat === this.raid.king);
  }
}
