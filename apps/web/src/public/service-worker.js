// Receives what other apps share with the installed page (https://w3c.github.io/web-share-target/): the
// browser posts a form to `share`, which only a service worker can read.
self.addEventListener("install", (event) => {
  // The requests of the page bypass this worker, which would delay them.
  event.addRoutes?.({ condition: { requestMethod: "GET" }, source: "network" });
  self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "POST" && url === toHref("share")) event.respondWith(receive(event.request));
});

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
