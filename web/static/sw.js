// Keeps the shell on the phone, so that it opens even while the table is out of reach. What the table says is never
// kept: a phone shows that it has no connection rather than something old.

const SHELL = "shell";
const MODULES = [
  "core/app",
  "core/connection",
  "core/demo",
  "core/dom",
  "drawing/geometry",
  "core/icons",
  "drawing/looks",
  "drawing/map",
  "core/moves",
  "drawing/pieces",
  "overlays/countdown",
  "overlays/countdown_pictures",
  "drawing/panel",
  "drawing/panels",
  "drawing/part_flow",
  "drawing/part_graph",
  "drawing/part_grid",
  "drawing/part_piles",
  "drawing/part_ring",
  "drawing/part_wheel",
  "drawing/tokens",
  "core/seats",
  "core/sheet",
  "core/sound",
  "overlays/problem",
  "core/words",
  "drawing/zoom",
  "pages/join",
  "pages/table",
  "pages/table_map",
  "pages/table_panels",
];
const STYLES = ["core/style", "core/parts", "core/sheet", "core/moves", "drawing/map", "drawing/panel", "overlays/countdown", "overlays/problem", "pages/join", "pages/table"];
const FIRST = [
  "/",
  "/words/de.json",
  "/words/en.json",
  ...MODULES.map((name) => `/static/${name}.js`),
  ...STYLES.map((name) => `/static/${name}.css`),
];
const WAIT = 2500; // ms that the table has to answer before the kept file is shown

const isShell = ({ pathname }) => pathname === "/" || pathname === "/tv" || /^\/(static|words)\//.test(pathname);

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(SHELL).then((kept) => kept.addAll(FIRST)));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || !isShell(url)) return;
  event.respondWith(fresh(event.request, url));
});

/** The table's own file if it answers in time, else the kept one. */
async function fresh(request, url) {
  const kept = await caches.open(SHELL);
  const name = url.pathname; // one copy of each, whatever its version
  const asked = fetch(request).then((answer) => {
    if (answer.ok) kept.put(name, answer.clone());
    return answer;
  });
  const late = new Promise((resolve) => setTimeout(resolve, WAIT));
  try {
    return (await Promise.race([asked, late])) ?? (await kept.match(name)) ?? (await asked);
  } catch (problem) {
    const found = await kept.match(name);
    if (found) return found;
    throw problem;
  }
}
