// Becoming the host: some things are one person's, and the number that makes somebody that person.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";

/** A word about the host, and the field for the PIN. `done` is called when this phone has become the host's.
    @param {App} app */
export function becomeHost(app, done) {
  const pin = h("input", {
    class: "input",
    type: "text",
    inputmode: "numeric",
    pattern: "[0-9]*",
    maxlength: "6",
    autocomplete: "off",
    id: "host-pin",
    "aria-describedby": "host-where",
  });
  const send = async () => {
    if (!(await app.post("/api/host", { pin: pin.value.trim() }))) return pin.select();
    await app.learnMe();
    done();
  };
  const form = h(
    "form",
    { class: "pin", on: { submit: (event) => (event.preventDefault(), send()) } },
    h("label", { for: "host-pin" }, t("host.pin")),
    h("div", { class: "row" }, pin, button(t("host.become"), send, { kind: "primary" })),
    h("p", { class: "note", id: "host-where" }, t("host.where")),
  );
  return h("section", { class: "become-host" }, h("h2", {}, t("host.only")), h("p", {}, t("host.why")), form);
}
