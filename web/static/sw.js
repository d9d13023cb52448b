// Keeps the shell on the phone: all files, which the server names in `FILES` above this one. So it opens even while the
// table is out of reach. What the table says is never kept here: a phone shows that it has no connection rather than
// something old.

const worker = /** @type {ServiceWorkerGlobalScope & {FILES: string[]}} */ (/** @type {unknown} */ (self));
const SHELL = "shell";
const WAIT = 2500; // ms that the table has to answer before the kept file is shown

const isShell = ({ pathname }) => pathname === "/" || pathname === "/tv" || /^\/(static|words)\//.test(pathname);

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(caches.open(SHELL).then((kept) => kept.addAll(worker.FILES)));
});

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (event) => {
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
