import type { Anime, ErrorCode, SearchOutcome } from "@koma/contract";
import { loadImage } from "./image-store.ts";
import type { ImageRefused } from "./prepare-image.ts";

/** Why one image of a batch cannot be searched, while the others can. */
export type Refusal = { reason: ImageRefused["reason"] } | { code: ErrorCode };

type State =
  | { state: "waiting" | "searching" }
  | {
      state: "found";
      id: string;
      outcome: SearchOutcome;
      name: string | undefined;
      onlyIn: Anime | undefined;
    }
  | { state: "refused"; refusal: Refusal };

/** One of several images and videos that are searched one after the other; `key` is its name in the image store. */
export type BatchItem = { key: string; url: string; file: Blob; isVideo: boolean } & State;

const storageKey = "koma:batch";

/** Saves the list for a reload of this tab, without its images; an empty one is deleted. */
export function saveBatchList(items: readonly BatchItem[]): void {
  try {
    const list = items.map(({ url: _url, file: _file, ...item }) =>
      item.state === "searching" ? { ...item, state: "waiting" } : item,
    );
    if (list.length === 0) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(list));
  } catch {
    // The storage is full or disabled: the list is lost with a reload.
  }
}

/** The saved list with its images; an item whose image the browser has not stored is left out. */
export async function loadBatchList(): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  for (const item of readList()) {
    const name = item.state === "found" ? item.id : item.key;
    const saved = await loadImage(name);
    if (saved === undefined) continue;
    items.push({ ...item, file: saved.blob, url: URL.createObjectURL(saved.blob) });
  }
  return items;
}

function readList(): (State & { key: string; isVideo: boolean })[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(saved) ? saved : [];
  } catch {
    return [];
  }
}
