// The raid on a television: the clock at the left, a row for each seat. What the tiles are is shown after the stop.

import { h, svg } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { letters, mark, seatName } from "../core/seats.js";
import { both, t } from "../core/words.js";
import { piece } from "../drawing/pieces.js";
import { clockFace, stopSign } from "./countdown_pictures.js";

const MOST = 10; // tiles side by side that are still large enough to be seen across a room

export class OnTelevision {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  get table() {
    return this.app.standing?.table;
  }

  /** Whether something of a raid that was stopped is still to be shown. */
  has() {
    if (document.documentElement.dataset.page !== "tv") return false;
    return Boolean(this.table?.haul || this.table?.expects?.counting);
  }

  /** What the picture depends on besides the raid. */
  facts() {
    const { haul, expects, view, trouble } = this.table;
    return [haul, expects, view, trouble?.says, this.app.layout?.labels, this.app.standing.camera?.says];
  }

  /** The whole screen; while time runs, also the two parts that change with it. */
  pictured(screen, phase) {
    const { clock, number, ring } = phase === "haul" ? { clock: this.afterwards() } : this.clock(screen);
    const rows = this.table.seats.map((_, seat) => this.row(screen, phase, seat));
    const picture = [
      this.head(screen, phase),
      h("div", { class: "haul" }, h("div", { class: "haul-card haul-clock" }, clock), h("ul", { class: "haul-seats" }, rows)),
    ];
    return { picture, number, ring };
  }

  head({ raid }, phase) {
    const { table, app } = this;
    const { expects, seats, title, trouble } = table;
    const leader = phase === "haul" ? expects.actor : raid.king;
    const sign = seats[leader] && mark(seats[leader].colour, letters(seats, app.layout)[leader]);
    const practice = raid?.practice && phase !== "haul";
    const says = practice ? t("countdown.practice_says") : both(trouble?.says ?? expects?.says);
    const words = phase === "paused" ? t("countdown.is_paused") : says;
    const part = [both(title), both(table.progress?.says), both(table.phase)].filter(Boolean).join(" · ");
    return h(
      "header",
      { class: "haul-head" },
      sign,
      h("div", {}, h("p", { class: "soft" }, part), h("h2", { "aria-live": "polite" }, words)),
    );
  }

  clock(screen) {
    const { raid } = screen;
    const face = clockFace(screen);
    const whole = h("p", { class: "haul-of" }, t("countdown.of_seconds", { number: Math.round(raid.seconds) }));
    const middle = raid.taken?.left ?? null;
    const left = middle !== null && t("countdown.in_the_middle", { number: middle });
    return { ...face, clock: [face.clock, whole, left && h("p", { class: "haul-left" }, left)] };
  }

  row({ raid }, phase, seat) {
    const { table, app } = this;
    const { haul, seats, view } = table;
    const over = phase === "haul" && haul;
    const count = over ? null : (raid?.taken?.seats?.[seat] ?? null);
    const tiles = over ? view[haul.keeps[seat]]?.count : count ? { back: count } : {};
    const pays = (over && haul.goods.filter(({ greediest }) => greediest === seat)) || [];
    const ready = raid?.ready.includes(seat);
    const sum = over ? haul.sums[seat] : count;
    return h(
      "li",
      { class: `haul-card ${pays.length ? "pays" : ""}` },
      mark(seats[seat].colour, letters(seats, app.layout)[seat]),
      h(
        "div",
        { class: "haul-name" },
        h("b", {}, seatName(seats, seat, app.layout)),
        !over && seat === raid?.king && h("small", {}, t("countdown.king")),
      ),
      h(
        "div",
        { class: "haul-tags" },
        pays.map(({ says, most }) => h("span", { class: "tag warn" }, t("countdown.most", { good: says, most }))),
        phase !== "haul" &&
          h("span", { class: `tag ${ready ? "good" : "plain"}` }, ready && icon("done"), t(readyWord(ready))),
      ),
      h("div", { class: "haul-tiles" }, this.tiles(tiles)),
      sum !== null &&
        h("p", { class: "haul-sum" }, sum, h("small", {}, t(over ? "countdown.goods" : "countdown.face_down"))),
    );
  }

  tiles(count = {}) {
    const each = Object.entries(count).flatMap(([label, number]) => Array(number).fill(label));
    return each.length > MOST ? this.kinds(count) : each.map((label) => this.tile(label));
  }

  /** One of each kind, with its number. */
  kinds(count = {}) {
    const found = Object.entries(count).filter(([, number]) => number);
    return found.map(([label, number]) => h("span", { class: "haul-kind" }, this.tile(label), h("b", {}, number)));
  }

  tile(label) {
    return svg("svg", { class: "haul-tile", viewBox: "-13 -13 26 26", role: "img" }, piece(label, 24, 24, this.app.layout));
  }

  /** After the stop: the sign until all hands are off, then what is left, and which goods are too few. */
  afterwards() {
    const { haul, expects, view } = this.table;
    if (expects?.counting || !haul) {
      const sign = h("div", { class: "haul-stop" }, stopSign(), h("span", {}, t("countdown.stop")));
      return [sign, h("p", { class: "haul-left" }, t("countdown.counting"))];
    }
    const heading = h("p", { class: "haul-left" }, t("countdown.left_over"));
    if (!haul.goods.length) return [heading, h("div", { class: "haul-tiles kinds" }, this.kinds(view[haul.source]?.count))];
    const goods = haul.goods.map(({ good, says, left, demand }) => {
      const few = left < demand;
      return h(
        "li",
        { class: few ? "few" : "" },
        this.tile(good),
        h("span", {}, both(says), h("small", {}, few ? t("countdown.too_few", { demand }) : t("countdown.enough"))),
        h("b", {}, left),
      );
    });
    return [heading, h("ul", { class: "haul-goods" }, goods)];
  }
}

const readyWord = (ready) => (ready ? "countdown.ready" : "countdown.not_yet");
