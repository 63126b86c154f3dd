import { type Client, createClient } from "@koma/client";
import { basePath } from "../routing/router.ts";

/** The API of the page's own site. */
export const koma: Client = createClient({ baseUrl: `${location.origin}${basePath}`, deadlineMs: 20_000 });

/**
 * An address of a still or clip on the page's own site: the API names them by its configured address, and a page may be
 * open under another (a machine in the local network).
 */
export function toOwnPreview(address: string, size: "s" | "m" | "l"): string {
  const at = address.indexOf("/previews/");
  const path = at === -1 ? address : `${basePath}${address.slice(at + 1)}`;
  return `${path}?size=${size}`;
}
