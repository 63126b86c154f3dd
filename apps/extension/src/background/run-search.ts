import type { SearchResult } from "@koma/contract";
import { connect, isAllowed } from "../connect.ts";
import { LocalError, toFailure } from "../failure.ts";
import type { SearchResponse } from "../messages.ts";
import { readSettings, type Settings } from "../settings.ts";
import { readDataUrl } from "./image-data.ts";
import { findJob, type Job, saveJob } from "./jobs.ts";

/** Runs the search of a job, or returns the result that it already has. */
export async function runSearch(jobId: string): Promise<SearchResponse> {
  try {
    const job = await findJob(jobId);
    if (job === undefined) throw new LocalError("jobGone");
    if (job.reason !== undefined) throw new LocalError(job.reason);
    return { result: job.result ?? (await search(job)) };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

async function search(job: Job) {
  const settings = await readSettings();
  if (settings === undefined) throw new LocalError("noServer");
  if (!(await isAllowed(settings.address))) throw new LocalError("noPermission");
  const response = await connect(settings).searchAnime(
    // A search from a browser stays private unless it is confirmed on the server's own page.
    { ...(await readJobImage(job)), isPublic: false },
    { headers: { "idempotency-key": job.id } },
  );
  const result = {
    outcome: response.outcome,
    matches: response.matches,
    searchUrl: buildSearchUrl(settings, response),
    serverHost: new URL(settings.address).host,
    quota: response.quota,
  };
  await saveJob({ ...job, result });
  return result;
}

async function readJobImage({ imageDataUrl, imageUrl }: Job): Promise<{ image: Blob } | { url: string }> {
  if (imageDataUrl !== undefined) return { image: await readDataUrl(imageDataUrl) };
  if (imageUrl !== undefined) return { url: imageUrl };
  throw new LocalError("noImage");
}

/**
 * The page of a search. The fragment, which browsers never send, proves there that the search is the
 * visitor's own.
 */
function buildSearchUrl({ address }: Settings, { id, confirmToken }: SearchResult): string {
  return `${address}/search/${encodeURIComponent(id)}#token=${encodeURIComponent(confirmToken)}`;
}
