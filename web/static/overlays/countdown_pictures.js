// What the raid's screen shows: people getting ready, the time that is left, the stop.

import { button, h, svg } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { letters, mark, seatName } from "../core/seats.js";
import { allowSound, soundAllowed } from "../core/sound.js";
import { t } from "../core/words.js";

export const TURN = 2 * Math.PI * 90; // the ring's length
const OCTAGON = "M-39-94H39L94-39V39L39 94H-39L-94 39V-39z";
const FIELD = { viewBox: "-100 -100 200 200", "aria-hidden": "true" };

/** Everybody gets ready, then the king starts. */
export function gathering(screen) {
  const { raid, app } = screen;
  return [
    head(screen, t("countdown.title")),
    h("p", { class: "countdown-seconds" }, Math.round(raid.seconds), h("small", {}, t("countdown.seconds"))),
    h(
      "ul",
      { class: "countdown-seats" },
      app.standing.table.seats.map((_, seat) => person(screen, seat)),
    ),
    h("p", { class: "countdown-says" }, t(`countdown.${asked(screen)}`, { king: name(app, raid.king) })),
    h("div", { class: "countdown-thumbs" }, answer(screen), aside(screen)),
  ];
}

function head({ raid }, title) {
  const practice = raid.practice && h("span", { class: "tag" }, t("countdown.practice"));
  return h("header", { class: "countdown-head" }, h("h2", {}, title, practice));
}

/** @param {App} app
    @param {number} seat */
function name(app, seat) {
  return seatName(app.standing.table.seats, seat, app.layout);
}

/** @param {{raid: Raid, app: App}} of
    @param {number} seat */
function person({ raid, app }, seat) {
  const { seats } = app.standing.table;
  const ready = raid.ready.includes(seat);
  return h(
    "li",
    { class: ready ? "is-ready" : "" },
    mark(seats[seat].colour, letters(seats, app.layout)[seat]),
    h("span", { class: "countdown-name" }, name(app, seat), seat === raid.king && h("small", {}, t("countdown.king"))),
    h("span", { class: "countdown-state" }, ready ? [icon("done"), t("countdown.ready")] : t("countdown.not_yet")),
  );
}

/** The word for what is asked of this phone now. */
function asked({ raid, app }) {
  const { seat } = app.me;
  if (raid.phase === "set") return seat === raid.king ? "you_start" : "king_starts";
  if (seat === null) return "waits";
  return raid.ready.includes(seat) ? "wait_for_others" : "get_ready";
}

/** The one large button. */
function answer(screen) {
  const { raid, app, leads } = screen;
  const { seat } = app.me;
  if (raid.phase === "set")
    return leads && button(t("countdown.start"), () => screen.act("start"), { kind: "primary giant" });
  if (seat !== null && !raid.ready.includes(seat)) {
    return button(t("countdown.i_am_ready"), () => screen.act("ready"), { kind: "primary giant" });
  }
  // Whoever only watches taps nothing else, and without a tap there is no sound.
  const loud = () => (allowSound(), setTimeout(() => screen.draw(), 200));
  return seat === null && !soundAllowed() && button([icon("sound"), t("countdown.sound")], loud);
}

function aside(screen) {
  return h(
    "div",
    { class: "row" },
    button(t("countdown.look_at_table"), () => screen.leave(), { kind: "quiet" }),
    screen.leads && button(t("countdown.call_off"), () => screen.act("call_off"), { kind: "quiet" }),
  );
}

/** The clock: its picture, and the two parts of it that change with the time. */
export function clockFace({ raid, left }) {
  const number = h("span", { class: "countdown-number" }, Math.ceil(left - 1e-3));
  const gone = TURN * (1 - left / raid.seconds);
  const ring = svg("circle", { class: "ring-left", r: 90, "stroke-dasharray": TURN, "stroke-dashoffset": gone });
  const face = svg("svg", FIELD, svg("circle", { class: "ring", r: 90 }), ring);
  return { number, ring, clock: h("div", { class: "countdown-clock", role: "timer" }, face, number) };
}

/** The time that is left, running or paused. */
export function counting(screen) {
  const { raid, leads } = screen;
  const paused = raid.phase === "paused";
  const { number, ring, clock } = clockFace(screen);
  const act = (what, kind) => button(t(`countdown.${what}`), () => screen.act(what), { kind });
  const picture = [
    head(screen, t(paused ? "countdown.paused" : "countdown.running")),
    clock,
    h(
      "div",
      { class: "countdown-thumbs" },
      leads &&
        h(
          "div",
          { class: "row" },
          paused ? [act("resume", "primary big"), act("call_off", "quiet big")] : act("pause", "quiet"),
        ),
    ),
  ];
  return { picture, number, ring };
}

/** The sign that says stop. */
export function stopSign() {
  return svg("svg", FIELD, svg("path", { d: OCTAGON }));
}

/** Stop. A tap puts it away. */
export function ended({ raid, waits }, away) {
  const says = raid?.practice ? "practice_over" : waits ? "counting" : "hands_off";
  return h(
    "button",
    { type: "button", class: "countdown-stop", on: { click: away } },
    stopSign(),
    h("span", { class: "countdown-stop-word" }, t("countdown.stop")),
    h("span", { class: "countdown-stop-says" }, t(`countdown.${says}`)),
  );
}
