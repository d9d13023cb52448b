// The last score sheet, which every phone keeps for when the companion is switched off.

import { keep, read } from "./words.js";

const KEPT = "companion.scores";

/** @param {App} app
    @param {Scores} scores */
export function keepScores(app, scores) {
  const { seats, title } = app.standing.table;
  const { colours, labels } = app.layout ?? {};
  keep(KEPT, JSON.stringify({ scores, seats, title, at: new Date().toISOString(), layout: { colours, labels } }));
}

export function keptScores() {
  try {
    return JSON.parse(read(KEPT) ?? "null");
  } catch {
    return null;
  }
}

/** Keep the final scores as soon as a game is over, whatever page is open.
    @param {App} app */
export function watch(app) {
  let kept = "";
  app.on("standing", async ({ table }) => {
    if (!table.game || !table.over || kept === table.journal) return;
    kept = table.journal;
    const scores = await app.get("/api/scores", { quiet: true });
    if (scores) keepScores(app, scores);
    else kept = "";
  });
}
