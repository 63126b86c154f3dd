import { ApiProblem } from "@koma/client";
import type { ErrorCode } from "@koma/contract";
import { effect, signal } from "@preact/signals";
import { findSearchDeadline, koma } from "../api/koma.ts";
import { navigate, pageLocation } from "../routing/router.ts";
import { loadQuota, quota } from "../state/quota.ts";
import { site } from "../state/site.ts";
import { nameMatch } from "../ui/scene-words.ts";
import { animeFilter, resolveFilter } from "./anime-filter.ts";
import { type BatchItem, loadBatchList, type Refusal, saveBatchList } from "./batch-item.ts";
import { removeBatchImages, removeImage, saveImage } from "./image-store.ts";
import { ImageRefused, prepareImage } from "./prepare-image.ts";
import { saveToken } from "./search-tokens.ts";
import { readSearchOptions } from "./searching.ts";

/** The images of the latest batch of this tab. */
export const batch = signal<readonly BatchItem[]>([]);

/** Why images of the batch wait although nothing is searched: an error, or a reload of the page. */
export const batchPause = signal<{ error: unknown } | "reload" | undefined>(undefined);

/** The maximum number of images of one batch. */
export const batchLimit = 100;

/** Ends the batch and removes its images from the page and the browser. */
export function forgetBatch(): void {
  for (const { url } of batch.value) URL.revokeObjectURL(url);
  batch.value = [];
  batchPause.value = undefined;
  removal = removeBatchImages();
}

let removal: Promise<void> = Promise.resolve();

/** Shows the batch that this tab had before a reload. It goes on when the reader asks for it. */
export async function restoreBatch(): Promise<void> {
  const items = await loadBatchList();
  if (batch.value.length === 0 && items.length > 0) {
    batch.value = items;
    if (items.some(({ state }) => state === "waiting")) batchPause.value = "reload";
  }
  effect(() => saveBatchList(batch.value));
}

/** Searches several images, one after the other. A failure, such as the end of the quota, pauses the batch. */
export async function searchBatch(files: readonly Blob[]): Promise<void> {
  forgetBatch();
  const items = files.slice(0, batchLimit).map((file, index): BatchItem => {
    const isVideo = file.type.startsWith("video/");
    return { key: `batch ${index}`, file, isVideo, url: URL.createObjectURL(file), state: "waiting" };
  });
  batch.value = items;
  if (pageLocation.value.path !== "/") navigate("/");
  void saveFiles(items);
  await continueBatch();
}

/** Searches the images that still wait. */
export async function continueBatch(): Promise<void> {
  batchPause.value = undefined;
  const waiting = batch.value.filter(({ state }) => state === "waiting");
  if (!(await isFilterClear(waiting[0]))) return;
  for (const { url } of waiting) if (!(await searchItem(url))) return;
}

/** Saves the files, in their order, for a reload of the page. */
async function saveFiles(items: readonly BatchItem[]): Promise<void> {
  await removal;
  for (const { url, key, file } of items) {
    const item = findItem(url);
    if (item === undefined) return;
    if (item.state !== "found") await saveImage(key, { blob: file, isOfBatch: true });
  }
}

/** Whether the batch can be searched; false if the filter means no anime, or another batch began. */
async function isFilterClear(first: BatchItem | undefined): Promise<boolean> {
  const isGone = () => first === undefined || findItem(first.url) === undefined;
  try {
    const isClear = await resolveFilter();
    if (isGone()) return false;
    if (!isClear) forgetBatch();
    return isClear;
  } catch (error) {
    if (!isGone()) batchPause.value = { error };
    return false;
  }
}

function findItem(url: string): BatchItem | undefined {
  return batch.value.find((one) => one.url === url);
}

/** Searches one item; false if the rest of the batch is not to be searched now. */
async function searchItem(url: string): Promise<boolean> {
  const item = findItem(url);
  if (item === undefined) return false;
  const { key, isVideo } = item;
  const change = (state: object) => {
    batch.value = batch.value.map((one) => (one.url === url ? ({ ...one, ...state } as BatchItem) : one));
  };
  const isGone = () => findItem(url) === undefined;
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
    const frameSeconds = response.queryFrame?.timestamp;
    await saveImage(response.id, { blob, frameSeconds, onlyIn, isOfBatch: true });
    const [first] = response.matches;
    change({
      state: "found",
      id: response.id,
      outcome: response.outcome,
      onlyIn,
      name: response.outcome === "found" && first ? nameMatch(first) : undefined,
    });
    void removeImage(key);
    return true;
  } catch (error) {
    if (isGone()) return false;
    const refusal = findRefusal(error, isVideo);
    if (refusal !== undefined) {
      change({ state: "refused", refusal });
      return true;
    }
    change({ state: "waiting" });
    batchPause.value = { error };
    if (error instanceof ApiProblem && error.quota !== undefined) quota.value = error.quota;
    else void loadQuota();
    return false;
  }
}

/** The refusal of one image; undefined for an error that the other images would have too. */
function findRefusal(error: unknown, isVideo: boolean): Refusal | undefined {
  if (error instanceof ImageRefused) return { reason: error.reason };
  if (!(error instanceof ApiProblem) || !imageErrors.has(error.code)) return undefined;
  if (!isVideo) return { code: error.code };
  return { reason: error.code === "image_too_large" ? "videoTooLarge" : "video" };
}

const imageErrors: ReadonlySet<ErrorCode> = new Set([
  "image_unreadable",
  "unsupported_image_type",
  "image_too_large",
]);
