import { browser } from "wxt/browser";
import type { JobView, PanelRequest, SearchResponse, Source } from "../messages.ts";

/** The job of this panel. */
const jobId = location.hash.slice(1);

/** The requests of the panel to the background, for its job. */
export const background = {
  getJob: () => send<JobView | undefined>({ kind: "getJob", jobId }),
  search: () => send<SearchResponse>({ kind: "search", jobId }),
  loadPreview: (rank: number, what: "still" | "clip") =>
    send<string | undefined>({ kind: "loadPreview", jobId, rank, what }),
  capture: (source: Exclude<Source, "image">) => send<void>({ kind: "capture", jobId, source }),
  openSettings: () => send<void>({ kind: "openSettings", jobId }),
};

async function send<Response>(request: PanelRequest): Promise<Response> {
  const response = await browser.runtime.sendMessage(request);
  // Messages are JSON, which has no undefined.
  return response ?? undefined;
}
