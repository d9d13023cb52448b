// The few signs of the shell, drawn as strokes on a 24 × 24 field.

import { svg } from "./dom.js";

const PATHS = {
  table: "M4 7h16v8H4zM7 15v4M17 15v4M9 11h2M14 11h1",
  scores: "M5 20V11M12 20V4M19 20v-6M3 20h18",
  by_hand:
    "M8 13V6.5a1.5 1.5 0 0 1 3 0V11M11 11V5a1.5 1.5 0 0 1 3 0v6M14 11V6.5a1.5 1.5 0 0 1 3 0V15c0 3.5-2 6-5.5 6S7 19 5.5 16.5L4 14c-.8-1.5 1-2.6 2-1.5l2 2.5",
  history: "M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4l3 2",
  more: "M5 7h14M5 12h14M5 17h14",
  close: "M6 6l12 12M18 6L6 18",
  back: "M15 5l-7 7 7 7",
  on: "M9 5l7 7-7 7",
  up: "M5 15l7-7 7 7",
  pause: "M9 6v12M15 6v12",
  go_on: "M8 5l11 7-11 7z",
  whole: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  setup: "M4 8h9M17 8h3M4 16h3M11 16h9M15 5.5v5M9 13.5v5",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z",
  blind: "M4 8h3l2-3h6l2 3h3v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 2.5l19 19",
  health: "M3 12h4l2-6 4 12 2-6h6",
  seat: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.5-4.5 3.5-7 8-7s7.5 2.5 8 7",
  words: "M4 6h9M8.5 4v2c0 4-2 7-4.5 8M6 9c1.5 3 4 5 6 5.5M12 20l4-9 4 9M13.5 17h5",
  light: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  tv: "M3 5h18v12H3zM8 21h8",
  practice: "M12 21a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 9v4M9.5 2h5M18.5 6l1.5-1.5",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  done: "M5 12.5l4.5 4.5L19 7",
  warn: "M12 4L2.5 20h19zM12 10v4.5M12 17.2v.3",
  ask: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.3M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20z",
  hint: "M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20zM12 11v5.5M12 7.5v.3",
  lost: "M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.8 12 21 12 21zM10.3 8a1.8 1.8 0 1 1 2.6 1.7c-.6.4-.9.7-.9 1.5M12 13.8v.2",
  key: "M8 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 13h9M18 13v3",
  sound: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
};

/** A sign that says nothing by itself to a screen reader: the words stand beside it. */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: PATHS[name] ?? PATHS.more }),
  );
}
