// Which panels a phone has: those that the game declares, for the one who looks, and one with all that is left.

import { zoneName } from "./map.js";
import { both, t } from "../core/words.js";

/** The panels of a scene {layout, view, seats, me}: [{id, title, sections: [{seat, parts}]}]. Zones that are not on the
    table are left out, and with them parts and panels that would be empty.
    @param {Scene} scene */
export function panelsOf(scene) {
  const found = (scene.layout.panels ?? []).map((panel) => resolved(panel, scene)).filter(({ sections }) => sections.length);
  const shown = new Set(found.flatMap(zonesOf));
  const left = Object.keys(scene.view).filter((zone) => !shown.has(zone) && scene.layout.zones[zone]);
  if (left.length) found.push(rest(left, found.length));
  return found;
}

/** All zones that a resolved panel shows. */
export function zonesOf({ sections }) {
  return sections.flatMap(({ parts }) => parts.flatMap(zonesOfPart));
}

export function zonesOfPart(part) {
  return [part.zones, part.rows].flatMap((list) => (list ?? []).map(({ zone }) => zone)).concat(part.nodes ?? [], part.beside ?? [], part.rings ?? [], [part.honours, part.path, part.plots, part.middle, part.segments, part.left].filter(Boolean));
}

/** @param {Scene} scene */
function resolved(panel, scene) {
  const mine = scene.seats[scene.me]?.colour;
  const others = scene.seats.map(({ colour }) => colour).filter((colour) => colour !== mine);
  const rounds = panel.each ? others : [null];
  const sections = rounds
    .map((other) => ({
      seat: other === null ? null : scene.seats.findIndex(({ colour }) => colour === other),
      parts: panel.parts.map((part) => filled(part, scene, { mine, others: other === null ? others : [other] })).filter(Boolean),
    }))
    .filter(({ parts }) => parts.length);
  return { id: panel.id, title: both(panel.title), sections };
}

/** @param {Scene} scene */
function filled(part, scene, who) {
  const known = Object.keys(scene.view).filter((zone) => scene.layout.zones[zone]);
  const names = (pattern) => (pattern ? matching(pattern, known, part, who) : []);
  const shown = (list) => (list ?? []).flatMap((one) => each(one, names, who));
  const one = (pattern) => names(pattern)[0] ?? null;
  const zones = shown(part.zones);
  const nodes = names(part.nodes);
  const path = one(part.path);
  const rows = shown(part.rows);
  const heart = part.draw === "graph" || part.draw === "nodes" ? nodes : part.draw === "columns" ? rows : part.draw === "ring" ? (path ? [path] : []) : zones;
  if (!heart.length || (part.label?.includes("{me}") && !who.mine)) return null;
  return {
    ...part,
    zones,
    nodes,
    rows,
    path,
    beside: (part.beside ?? []).flatMap(names),
    rings: (part.rings ?? []).flatMap(names),
    unnamed: names(part.unnamed),
    plots: one(part.plots),
    middle: one(part.middle),
    honours: one(part.honours),
    segments: one(part.segments),
    left: one(part.left),
    label: part.label?.replace("{me}", who.mine).replace("{other}", who.others[0]),
  };
}

function each(one, names, { mine, others }) {
  const said = typeof one === "string" ? { zone: one } : one;
  const own = [said.label ?? "", ...(said.cells ?? [])].join(" ");
  if (own.includes("{me}") && !mine) return [];
  const fill = (word) => word.replace("{me}", mine).replace("{other}", others[0]);
  const cells = said.cells?.map(fill);
  return names(said.zone).map((zone) => ({ ...said, zone, ...(cells && { cells }), ...(said.label && { label: fill(said.label) }) }));
}

function matching(pattern, known, part, { mine, others }) {
  if (pattern.includes("{group}"))
    return Object.keys(part.groups ?? {}).flatMap((group) => matching(pattern.replace("{group}", group), known, part, { mine, others }));
  if (pattern.includes("{me}")) return mine ? matching(pattern.replace("{me}", mine), known, part, { mine, others }) : [];
  if (pattern.includes("{other}"))
    return others.flatMap((other) => matching(pattern.replace("{other}", other), known, part, { mine, others }));
  const parts = pattern.split("*").map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const wanted = new RegExp(`^${parts.join(".*")}$`, "u");
  return known.filter((zone) => wanted.test(zone));
}

function rest(zones, before) {
  const parts = [{ draw: "chips", zones: zones.map((zone) => ({ zone })), nodes: [], rows: [], beside: [], rings: [] }];
  return { id: "more", title: t(before ? "table.more" : "table.all"), sections: [{ seat: null, parts }] };
}

/** What a zone is called in a part.
    @param {Shown} shown
    @param {Layout} layout */
export function nameOf(shown, layout) {
  return both(shown.title) || zoneName(shown.zone, layout);
}

/** The panel that shows a zone; the first, if several do.
    @param {string} zone */
export function panelWith(panels, zone) {
  return panels.find((panel) => zonesOf(panel).includes(zone)) ?? null;
}
