// The winner's moment: the places come up from the last to the first, then the winner (or those who share the victory),
// calmly and festively.

import { button, calm, h } from "../core/dom.js";
import { letters, mark, paint, seatName } from "../core/seats.js";
import { both, t } from "../core/words.js";

const PAUSE = 900; // ms between two places
const SHAPES = 18; // of the winner's kind, drifting down

/** @param {App} app
    @param {Scores} scores
    @param {Seat[]} seats */
export function reveal(app, scores, seats) {
  const marks = letters(seats, app.layout);
  const sign = (seat) => mark(seats[seat].colour, marks[seat]);
  const named = (seat) => seatName(seats, seat, app.layout);
  const won = ({ seat }) => Number(scores.winners.includes(seat));
  const ranked = [...scores.seats].sort((a, b) => won(a) - won(b) || a.total - b.total || b.seat - a.seat);
  const place = (one, index) => (won(one) ? 1 : ranked.length - index);
  const still = calm();
  const rows = ranked.map((one, index) => row(one, sign, named, place(one, index), still ? 0 : index * PAUSE));
  const [first] = scores.winners;
  const dialog = h(
    "dialog",
    {
      class: "reveal",
      style: { "--seat": paint(seats[first].colour).fill },
      "aria-label": verdict(app, scores, seats),
    },
    !still &&
      h(
        "div",
        { class: "drift", "aria-hidden": "true" },
        drifting((index) => sign(scores.winners[index % scores.winners.length])),
      ),
    h("ol", { class: "places", reversed: true }, rows.reverse()),
    h(
      "div",
      { class: "champion", style: { "animation-delay": `${still ? 0 : ranked.length * PAUSE}ms` } },
      signs(app, scores, seats),
      h("h2", { tabindex: "-1", autofocus: true }, verdict(app, scores, seats)),
      scores.because.map((why) => h("p", {}, both(why))),
    ),
    button(t("scores.close"), () => dialog.close(), { kind: "primary big" }),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** The signs of whoever has won.
    @param {App} app
    @param {Scores} scores
    @param {Seat[]} seats */
export function signs(app, scores, seats) {
  const marks = letters(seats, app.layout);
  return h(
    "div",
    { class: "signs" },
    scores.winners.map((seat) => mark(seats[seat].colour, marks[seat])),
  );
}

/** How the game ended, in a few words.
    @param {App} app
    @param {Scores} scores
    @param {Seat[]} seats */
export function verdict(app, { winners }, seats) {
  const names = winners.map((seat) => seatName(seats, seat, app.layout));
  if (!names.length) return t("scores.over");
  return names.length > 1 ? t("scores.win", { names: names.join(", ") }) : t("scores.wins", { name: names[0] });
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
      sign(index),
    ),
  );
}
