import { createClientOf } from "@koma/client";
import { userEndpoints } from "@koma/contract";
import { basePath } from "../routing/router.ts";

const deadlineMs = 20_000;

/** The options of a client of the page's own site. */
export const siteOptions = { baseUrl: `${location.origin}${basePath}`, deadlineMs };

/** The API of the page's own site. */
export const koma = createClientOf(userEndpoints, siteOptions);

/** The maximum milliseconds of a search: an upload of 64 KiB per second, which the API accepts, and a call. */
export function findSearchDeadline(image: Blob): number {
  return deadlineMs + (image.size / (64 * 1024)) * 1000;
}

/** The address of a preview: its path is relative to the base address, which may have a path prefix. */
export function toPreviewHref(path: string): string {
  return `${basePath}${path.replace(/^\//, "")}`;
}

/**
 * The address at which the server responds at once with a still of the same shot, at most 320 pixels wide.
 */
export function toQuickStillHref(path: string): string {
  return `${toPreviewHref(path)}&quick=true`;
}

/** The width of the widest still of a shot; a wider image is the exact still. */
export const quickStillWidth = 320;
