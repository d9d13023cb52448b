// Councils on their balconies and dials, as pictures.

import { svg } from "../core/dom.js";
import { pawn } from "./tokens.js";

/** Councillors on a ledge; new ones come in at the left, and one falls off at the right.
    @param {string} zone
    @param {Context} ctx */
export function balcony(zone, ctx, width = 106) {
  const cells = Object.entries(ctx.view[zone].at).filter(([, label]) => label);
  const step = Math.min(21, (width - 20) / Math.max(4, cells.length));
  const wide = cells.length * step + 22;
  const arrow = (x) => svg("path", { class: "balcony-arrow", d: `M${x - 2.5} -5L${x + 2.5} 0L${x - 2.5} 5` });
  return svg(
    "svg",
    { class: "balcony", viewBox: `0 0 ${wide} 46`, width: wide, height: 46, "aria-hidden": "true" },
    svg("g", { transform: "translate(5 26)" }, arrow(0)),
    svg("g", { transform: `translate(${wide - 5} 26)` }, arrow(0)),
    cells.map(([, label], i) => svg("g", { transform: `translate(${11 + (i + 0.5) * step} 24)` }, pawn(label, zone, ctx, step - 1.5))),
    svg("rect", { class: "ledge", x: 9, y: 36, width: wide - 18, height: 8, rx: 2 }),
  );
}

/** An arrow on a disc with sectors, the one that counts tinted.
    @param {string} zone
    @param {Context} ctx */
export function dial(zone, ctx, size = 56) {
  const { sectors } = ctx.layout.zones[zone];
  const { value } = ctx.view[zone];
  const at = (angle, r) => [r * Math.sin((angle * Math.PI) / 180), -r * Math.cos((angle * Math.PI) / 180)].map((one) => one.toFixed(2));
  const aim = sectors.find((sector) => sector.value === value);
  return svg(
    "svg",
    { class: "dial", viewBox: "-30 -30 60 60", width: size, height: size, role: "img", "aria-label": String(value ?? "") },
    sectors.map((sector) => {
      const large = (sector.end - sector.start + 360) % 360 > 180 ? 1 : 0;
      return [
        svg("path", { class: `dial-sector ${sector === aim ? "aim" : ""}`, d: `M0 0L${at(sector.start, 28)}A28 28 0 ${large} 1 ${at(sector.end, 28)}z` }),
        svg("text", { class: `dial-number ${sector === aim ? "aim" : ""}`, x: at((sector.start + sector.end) / 2, 18.5)[0], y: Number(at((sector.start + sector.end) / 2, 18.5)[1]) + 4.5 }, sector.value),
      ];
    }),
    aim && svg("path", { class: "dial-arrow", d: `M${at((aim.start + aim.end) / 2, 12)}L${at((aim.start + aim.end) / 2 + 130, 6)}L${at((aim.start + aim.end) / 2 - 130, 6)}z` }),
  );
}
