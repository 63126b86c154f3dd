import { readSettings } from "../settings.ts";
import { toDataUrl } from "./image-data.ts";
import { findJob } from "./jobs.ts";

/** Larger clips would not pass between the parts of the extension (64 MiB). */
const limitBytes = 24 * 1024 ** 2;
const deadlineMs = 30_000;

/**
 * Loads the still or clip of a match as a data address; undefined where the server has none. The background
 * loads it because the page around the panel may forbid images of other sites.
 */
export async function loadPreview(
  jobId: string,
  rank: number,
  what: "still" | "clip",
): Promise<string | undefined> {
  const [job, settings] = await Promise.all([findJob(jobId), readSettings()]);
  const match = job?.result?.matches.find((candidate) => candidate.rank === rank);
  const paths = what === "still" ? match?.previewPaths?.stills : match?.previewPaths?.clips;
  if (paths === undefined || paths === null || settings === undefined) return undefined;
  try {
    // The server publishes its configured address; the chosen one may differ, as in a local network.
    const response = await fetch(`${settings.address}${paths.m}`, {
      credentials: "omit",
      signal: AbortSignal.timeout(deadlineMs),
    });
    if (!response.ok) return undefined;
    const blob = await response.blob();
    return blob.size > limitBytes ? undefined : await toDataUrl(blob);
  } catch {
    return undefined;
  }
}
