import { signal } from "@preact/signals";
import { pageLocation, setQuery } from "../routing/router.ts";

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
