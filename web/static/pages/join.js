// Joining: a seat, watching, or leading the evening; and the code that brings in the next phone.

import { button, clear, h, once } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { colourWord, letters, mark, seatName } from "../core/seats.js";
import { confirmed } from "../core/sheet.js";
import { both, t } from "../core/words.js";
import { picture } from "./picture.js";

export const title = "join.title";

// Names that mean this very machine: of no use to another phone.
const HERE = /^(localhost|127\.|\[::1\])/;

/** @param {App} app */
export function open(app, params = {}) {
  const places = h("div", { class: "join-places" });
  const welcome = h("section", { class: "welcome" });
  const name = h("input", {
    class: "input",
    id: "join-name",
    maxlength: 24,
    autocomplete: "nickname",
    placeholder: t("join.name_hint"),
  });
  name.value = app.me.name ?? "";
  const pin = h("input", {
    class: "input pin",
    id: "join-pin",
    inputmode: "numeric",
    pattern: "[0-9]*",
    maxlength: 6,
    autocomplete: "off",
    placeholder: "••••••",
  });
  const host = h("section", { class: "card join-host" });
  const hosts = h("ul", { class: "join-hosts" });
  const renewed = h("p", { class: "new-pin", role: "status" });
  const node = h(
    "div",
    { class: "join" },
    h(
      "div",
      { class: "stack" },
      welcome,
      h("p", { class: "join-lead" }, t(params.again ? "join.again" : "join.lead")),
      h("div", { class: "field" }, h("label", { for: "join-name" }, t("join.name")), name),
      places,
      host,
    ),
    h(
      "aside",
      { class: "card join-code" },
      h("img", { src: "/qr.svg", alt: t("join.code"), width: 200, height: 200 }),
      !HERE.test(location.hostname) && h("p", { class: "address" }, location.host),
      h("p", { class: "soft small" }, t("join.others")),
    ),
  );

  async function take(path, body) {
    const me = await app.post(path, body);
    if (!me) return false;
    await app.learnMe();
    update(app.standing);
    return true;
  }

  /** @param {number} seat */
  async function sit(seat) {
    if (await take("/api/join", { seat, name: name.value.trim() })) app.go("table");
  }

  async function unlock() {
    if (!/^\d{4,8}$/.test(pin.value)) {
      pin.focus();
      app.toast(t("join.pin_short"));
      return;
    }
    if (await take("/api/host", { pin: pin.value })) pin.value = "";
  }
  pin.addEventListener("keydown", (event) => event.key === "Enter" && unlock());

  /** @param {number} seat */
  async function free(seat) {
    const who = app.standing.seats?.[seat]?.name || seatName(app.standing.table.seats, seat, app.layout);
    const sure = await confirmed({
      title: t("join.free_title", { who }),
      text: t("join.free_text"),
      yes: t("join.free"),
    });
    if (sure) await app.post("/api/seats/free", { seat });
  }

  /** @param {Seat[]} seats */
  function place(seats, number) {
    const { taken, name: owner } = app.standing.seats?.[number] ?? {};
    const mine = app.me.seat === number;
    const word = colourWord(seats[number].colour, app.layout);
    const label = [
      mark(seats[number].colour, letters(seats, app.layout)[number]),
      h(
        "span",
        { class: "grow" },
        h("b", {}, seats[number].name || word),
        h(
          "small",
          {},
          mine
            ? t("join.yours")
            : taken
              ? !owner || owner === seats[number].name
                ? t("join.is_taken", { word })
                : t("join.taken", { who: owner })
              : seats[number].name
                ? word
                : t("join.free_seat"),
        ),
      ),
      mine && icon("done"),
    ];
    const card =
      taken && !mine
        ? h(
            "div",
            { class: "place-card taken" },
            label,
            app.me.host && button(t("join.free"), () => free(number), { kind: "quiet" }),
          )
        : button(label, () => (mine ? app.go("table") : sit(number)), {
            kind: "place-card",
            "aria-pressed": mine ? "true" : null,
          });
    return h("li", {}, card);
  }

  // Before a game is begun the seats are those that the rig has.
  let rig = [];
  let asked = false;
  async function askRig() {
    asked = true;
    const setup = await app.get("/api/setup", { quiet: true });
    rig = (setup?.seats ?? []).map(({ colour }) => ({ colour, name: "" }));
    if (app.standing) update(app.standing);
  }

  /** @param {Standing} standing */
  function update(standing) {
    const seats = standing?.table.seats?.length ? standing.table.seats : rig;
    if (standing && !seats.length && !asked) askRig();
    // A game's own words for its colours come a moment later than its seats.
    const { role, seat, host: leads } = app.me;
    const named = app.layout || !standing?.table.game;
    const { game, title: called, progress } = standing?.table ?? {};
    once(welcome, [game, called, progress?.says], () => [
      picture(game),
      h("h2", {}, game ? both(called) : t("join.welcome")),
      progress && h("p", { class: "soft small" }, both(progress.says)),
    ]);
    if (standing && named) once(places, [seats, standing.seats, role, seat, leads], () => placesNow(seats));
    once(host, [app.me.host, Boolean(standing?.table.game)], () => hostNow(standing));
  }

  /** @param {Seat[]} seats */
  function placesNow(seats) {
    return [
      seats.length > 0
        ? h(
            "ul",
            { class: "place-list" },
            seats.map((_, number) => place(seats, number)),
          )
        : h("p", { class: "card soft" }, t("join.no_seats")),
      h(
        "div",
        { class: "row" },
        app.me.role !== "watcher" && app.me.seat === null && button(t("join.watch"), () => sit(null), { kind: "wide" }),
        app.me.seat !== null && button(t("join.leave"), () => take("/api/leave", {}), { kind: "quiet" }),
      ),
    ];
  }

  async function removeHost({ id, name: named }) {
    const who = named || t("join.unnamed");
    const sure = await confirmed({
      title: t("join.remove_title", { who }),
      text: t("join.remove_text"),
      yes: t("join.remove"),
    });
    if (sure && (await app.post("/api/hosts/remove", { id }))) listHosts();
  }

  async function newPin() {
    const sure = await confirmed({
      title: t("join.new_pin_title"),
      text: t("join.new_pin_text"),
      yes: t("join.new_pin"),
    });
    const made = sure && (await app.post("/api/pin", {}));
    if (made) clear(renewed, t("join.pin_is", made));
  }

  async function listHosts() {
    const others = ((await app.get("/api/hosts", { quiet: true })) ?? []).filter(({ you }) => !you);
    clear(
      hosts,
      others.map((one) =>
        h(
          "li",
          { class: "spread" },
          h("span", {}, t("join.hosts", { who: one.name || t("join.unnamed") })),
          button(t("join.remove"), () => removeHost(one), { kind: "quiet" }),
        ),
      ),
    );
  }

  /** @param {Standing} standing */
  function hostNow(standing) {
    const head = h(
      "div",
      { class: "spread" },
      h("h2", {}, t("join.host")),
      h("span", { class: "host-sign" }, icon("key")),
    );
    if (!app.me.host) {
      const label = h("label", { for: "join-pin", class: "visually-hidden" }, t("join.pin"));
      return [
        head,
        h("p", { class: "soft small" }, t("join.host_says")),
        h("div", { class: "pin-row" }, label, pin, button(t("join.unlock"), unlock)),
      ];
    }
    const acts = [
      !standing?.table.game && button(t("join.setup"), () => app.go("setup"), { kind: "primary" }),
      button(t("join.new_pin"), newPin),
      button(t("join.host_leave"), () => take("/api/host/leave", {})),
    ];
    listHosts();
    return [head, h("p", { class: "soft" }, t("join.is_host")), hosts, h("div", { class: "row" }, acts), renewed];
  }

  update(app.standing);
  return { node, update };
}
