import type { Anime, SearchOutcome } from "@koma/contract";
import { signal } from "@preact/signals";
import { findSearchDeadline, koma } from "../api/koma.ts";
import { navigate, pageLocation } from "../routing/router.ts";
import { quota } from "../state/quota.ts";
import { site } from "../state/site.ts";
import { nameMatch } from "../ui/scene-words.ts";
import { animeFilter, resolveFilter } from "./anime-filter.ts";
import { saveImage } from "./image-store.ts";
import { ImageRefused, prepareImage } from "./prepare-image.ts";
import { saveToken } from "./search-tokens.ts";
import { readSearchOptions } from "./searching.ts";

/** One of several images and videos that are searched one after the other. */
export type BatchItem = { url: string; file: Blob; isVideo: boolean } & (
  | { state: "waiting" | "searching" }
  | {
      state: "found";
      id: string;
      outcome: SearchOutcome;
      name: string | undefined;
      onlyIn: Anime | undefined;
    }
  | { state: "failed"; error: unknown }
);

/** The images of the latest batch. */
export const batch = signal<readonly BatchItem[]>([]);

/** The maximum number of images of one batch. */
export const batchLimit = 10;

/** Ends the batch and removes its images from the page. */
export function forgetBatch(): void {
  for (const { url } of batch.value) URL.revokeObjectURL(url);
  batch.value = [];
}

/** Searches several images, one after the other. A failure, such as the end of the quota, ends the batch. */
export async function searchBatch(files: readonly Blob[]): Promise<void> {
  forgetBatch();
  const items = files.slice(0, batchLimit).map((file): BatchItem => {
    const isVideo = file.type.startsWith("video/");
    return { file, isVideo, url: URL.createObjectURL(file), state: "waiting" };
  });
  if (pageLocation.value.path !== "/") navigate("/");
  await searchItems(items);
}

/** Searches the rest of a batch that ended with a failure. */
export async function retryBatch(): Promise<void> {
  await searchItems(
    batch.value.map((item) => {
      const isOver = item.state !== "failed" || item.error instanceof ImageRefused;
      return isOver ? item : { url: item.url, file: item.file, isVideo: item.isVideo, state: "waiting" };
    }),
  );
}

async function searchItems(items: readonly BatchItem[]): Promise<void> {
  batch.value = items;
  if (!(await isFilterClear(items))) return;
  for (const { url, state } of items) {
    if (state === "waiting" && !(await searchItem(url))) return;
  }
}

/** Whether the batch can be searched; false if the filter means no anime, or another batch began. */
async function isFilterClear(items: readonly BatchItem[]): Promise<boolean> {
  try {
    const isClear = await resolveFilter();
    if (batch.value !== items) return false;
    if (!isClear) forgetBatch();
    return isClear;
  } catch (error) {
    if (batch.value === items) failWaiting(error);
    return false;
  }
}

function failWaiting(error: unknown): void {
  batch.value = batch.value.map((one) =>
    one.state === "waiting" ? { ...one, state: "failed", error } : one,
  );
}

/** Searches one item; false if the rest of the batch is not to be searched. */
async function searchItem(url: string): Promise<boolean> {
  const item = batch.value.find((one) => one.url === url);
  if (item === undefined) return false;
  const change = (state: object) => {
    batch.value = batch.value.map((one) => (one.url === url ? ({ ...one, ...state } as BatchItem) : one));
  };
  const isGone = () => batch.value.every((one) => one.url !== url);
  change({ state: "searching" });
  try {
    const { blob } = await prepareImage(item.file, site.value?.limits.imageBytes ?? 10 * 1024 ** 2);
    if (isGone()) return false;
    const onlyIn = animeFilter.value;
    const deadlineMs = findSearchDeadline(blob);
    const response = await koma.searchAnime({ image: blob, ...readSearchOptions() }, { deadlineMs });
    if (isGone()) return false;
    quota.value = response.quota;
    if (response.quota.kind === "guest") saveToken(response.id, response.confirmToken);
    await saveImage(response.id, { blob, frameSeconds: response.queryFrame?.timestamp, onlyIn });
    const [first] = response.matches;
    change({
      state: "found",
      id: response.id,
      outcome: response.outcome,
      onlyIn,
      name: response.outcome === "found" && first ? nameMatch(first) : undefined,
    });
    return true;
  } catch (error) {
    if (isGone()) return false;
    change({ state: "failed", error });
    if (error instanceof ImageRefused) return true;
    failWaiting(error);
    return false;
  }
}
