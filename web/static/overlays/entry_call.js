// After a raid that no camera sees, every player's phone opens the form for what was taken.

import { mayAct } from "../core/moves.js";

/** @param {App} app */
export function watch(app) {
  let due = null; // whether the form was due at the last look; a phone that comes later is not led away
  const look = () => {
    if (!app.standing) return;
    const { table, camera } = app.standing;
    const stopped = table.haul && !table.haul.goods.length && !table.expects.counting;
    const now = Boolean(stopped && (camera || !table.watched));
    const calls = now && due === false && mayAct(app) && location.pathname !== "/tv";
    if (calls && document.querySelector("dialog[open]")) return;
    if (calls) app.go("by_hand");
    due = now;
  };
  for (const kind of /** @type {const} */ (["standing", "free"])) app.on(kind, look);
  look();
}
