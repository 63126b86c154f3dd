// Receives what other apps share with the installed page (https://w3c.github.io/web-share-target/): the
// browser posts a form to `share`, which only a service worker can read. Where a page cannot be loaded, it
// answers with a page that says so (state/offline-page.ts). It stores nothing else.
self.addEventListener("install", (event) => {
  // Other requests than those for pages bypass this worker, which would delay them.
  const modes = ["cors", "no-cors", "same-origin"];
  const routes = modes.map((requestMode) => ({
    condition: { requestMethod: "GET", requestMode },
    source: "network",
  }));
  event.addRoutes?.(routes);
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  // The request for a page starts at once, while the browser starts this worker.
  event.waitUntil(self.registration.navigationPreload?.enable());
});

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method === "POST" && url === toHref("share")) event.respondWith(receive(event.request));
  if (method === "GET" && mode === "navigate") event.respondWith(load(event));
});

/** The response to the request for a page; without one, the stored page that says so. */
async function load({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const cache = await caches.open("koma:offline");
    const page = await cache.match(toHref(navigator.onLine ? "unreachable" : "offline"));
    if (page === undefined) throw error;
    return page;
  }
}

/** Saves shared files for the page, and opens it; a shared address becomes a part of the page's address. */
async function receive(request) {
  const form = await request.formData();
  const files = form.getAll("files").filter((file) => file instanceof File && file.size > 0);
  if (files.length === 0) {
    const query = ["url", "text"].map((name) => [name, String(form.get(name) ?? "")]);
    return Response.redirect(toHref(`?${new URLSearchParams(query)}`), 303);
  }
  await caches.delete("koma:shared");
  const cache = await caches.open("koma:shared");
  for (const [index, file] of files.entries()) await cache.put(toHref(`shared/${index}`), new Response(file));
  return Response.redirect(toHref("?shared"), 303);
}

function toHref(path) {
  return new URL(path, self.registration.scope).href;
}
