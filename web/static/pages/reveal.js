// The winner's moment: the places come up from the last to the first, then the winner, calmly and festively.

import { button, calm, h } from "../dom.js";
import { letters, mark, paint, seatName } from "../seats.js";
import { both, t } from "../words.js";

const PAUSE = 900; // ms between two places
const SHAPES = 18; // of the winner's kind, drifting down

export function reveal(app, scores, seats) {
  const marks = letters(seats, app.layout);
  const sign = (seat) => mark(seats[seat].colour, marks[seat]);
  const named = (seat) => seatName(seats, seat, app.layout);
  const ranked = [...scores.seats].sort(
    (a, b) => (a.seat === scores.winner) - (b.seat === scores.winner) || a.total - b.total || b.seat - a.seat,
  );
  const still = calm();
  const rows = ranked.map((one, index) => row(one, sign, named, ranked.length - index, still ? 0 : index * PAUSE));
  const name = named(scores.winner);
  const dialog = h(
    "dialog",
    {
      class: "reveal",
      style: { "--seat": paint(seats[scores.winner].colour).fill },
      "aria-label": t("scores.wins", { name }),
    },
    !still &&
      h(
        "div",
        { class: "drift", "aria-hidden": "true" },
        drifting(() => sign(scores.winner)),
      ),
    h("ol", { class: "places", reversed: true }, rows.reverse()),
    h(
      "div",
      { class: "champion", style: { "animation-delay": `${still ? 0 : ranked.length * PAUSE}ms` } },
      sign(scores.winner),
      h("h2", { tabindex: "-1", autofocus: true }, t("scores.wins", { name })),
      scores.because.map((why) => h("p", {}, both(why))),
    ),
    button(t("scores.close"), () => dialog.close(), { kind: "primary big" }),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function row(one, sign, named, place, delay) {
  return h(
    "li",
    { style: { "animation-delay": `${delay}ms` } },
    h("span", { class: "rank" }, `${place}.`),
    sign(one.seat),
    h("span", { class: "name" }, named(one.seat)),
    h("b", {}, one.total),
  );
}

// A disorder that is the same each time.
function drifting(sign) {
  const any = (index, salt) => Math.abs(Math.sin((index + 1) * 12.9898 + salt * 78.233) * 43758.5453) % 1;
  return Array.from({ length: SHAPES }, (_, index) =>
    h(
      "span",
      {
        style: {
          left: `${(100 * (index + any(index, 1))) / SHAPES}%`,
          "animation-delay": `${any(index, 2) * 6}s`,
          "animation-duration": `${7 + any(index, 3) * 5}s`,
        },
      },
      sign(),
    ),
  );
}
