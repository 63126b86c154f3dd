import { signal } from "@preact/signals";
import { basePath, pageLocation, setQuery, toHref } from "../routing/router.ts";

/** Files that another app shared with the installed page, until the reader searches or discards them. */
export const sharedFiles = signal<readonly File[]>([]);

/** Loads the files that the service worker saved, and deletes its copies. */
export async function loadSharedFiles(): Promise<void> {
  if (!pageLocation.value.query.has("shared") || !("caches" in window)) return;
  setQuery({});
  const cache = await caches.open("koma:shared");
  const files: File[] = [];
  for (const request of await cache.keys()) {
    const blob = await (await cache.match(request))?.blob();
    if (blob !== undefined) files.push(new File([blob], "", { type: blob.type }));
  }
  await caches.delete("koma:shared");
  sharedFiles.value = files;
}

declare global {
  interface Window {
    /** Not in all browsers (https://w3c.github.io/trusted-types/). */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(text: string): string },
      ): { createScriptURL(text: string): string };
    };
  }
}

/** Registers the service worker that receives shared files, in browsers that can install the page. */
export function startShareWorker(): void {
  if (!("onbeforeinstallprompt" in window) || !("serviceWorker" in navigator)) return;
  const address = toHref("/share-worker.js");
  const policy = window.trustedTypes?.createPolicy("share-worker", { createScriptURL: () => address });
  const script = policy?.createScriptURL(address) ?? address;
  // It must not compete with the first load. Some private windows reject it, and the page works without it.
  requestIdleCallback(() =>
    navigator.serviceWorker.register(script, { scope: basePath }).catch(() => undefined),
  );
}
