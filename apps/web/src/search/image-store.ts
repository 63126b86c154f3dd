import type { Anime } from "@koma/contract";

/**
 * A query image or video, the time in seconds of the frame of it that was searched, and the anime that the
 * search was limited to.
 */
export type SavedImage = {
  blob: Blob;
  frameSeconds?: number | undefined;
  onlyIn?: Anime | undefined;
  /** It is stored until `removeBatchImages`, beside the last few of other searches. */
  isOfBatch?: boolean | undefined;
};

type Entry = SavedImage & { key: string; tab: string; atMs: number };

const limit = 5;
/** The bytes of a batch that a tab stores. */
const batchBytes = 256 * 1024 ** 2;
const lifetimeMs = 24 * 60 * 60 * 1000;
const tabKey = "koma:tab";
const storeName = "images";

/** The images since the last reload, also for a browser without storage. */
const recent = new Map<string, SavedImage>();
let opening: Promise<IDBDatabase> | undefined;

/**
 * Saves an image or a video of this browser tab under a name, so that it survives a reload. The browser has
 * the last few of a tab and those of its batch, for at most a day; other tabs do not load them.
 */
export async function saveImage(name: string, image: SavedImage): Promise<void> {
  recent.delete(name);
  recent.set(name, image);
  const single = [...recent].filter(([, { isOfBatch }]) => isOfBatch !== true);
  for (const [oldest] of single.slice(0, -limit)) recent.delete(oldest);
  const key = toKey(name);
  const entry: Entry = { ...image, key, tab: readTab(), atMs: Date.now() };
  await run("readwrite", (store) => store.put(entry, key));
  await removeOld();
}

/** The image that was saved under a name in this tab. */
export async function loadImage(name: string): Promise<SavedImage | undefined> {
  const entry = recent.get(name) ?? (await run("readonly", (store) => store.get(toKey(name))));
  return entry as SavedImage | undefined;
}

/** Deletes a saved image. */
export async function removeImage(name: string): Promise<void> {
  recent.delete(name);
  await run("readwrite", (store) => store.delete(toKey(name)));
}

/** Deletes the saved images of all tabs. */
export async function removeImages(): Promise<void> {
  recent.clear();
  await run("readwrite", (store) => store.clear());
}

/** Deletes the images of the batch of this tab. */
export async function removeBatchImages(): Promise<void> {
  for (const [name, { isOfBatch }] of recent) if (isOfBatch) recent.delete(name);
  const own = (await listEntries()).filter(({ tab, isOfBatch }) => tab === readTab() && isOfBatch);
  await removeEntries(own);
}

/**
 * Deletes the images that are older than a day, those of this tab except for the last few, and the oldest ones of
 * a batch that takes too much room.
 */
export async function removeOld(): Promise<void> {
  const entries = (await listEntries()).toSorted((one, other) => other.atMs - one.atMs);
  let count = 0;
  let bytes = 0;
  const old = entries.filter(({ tab, atMs, isOfBatch, blob }) => {
    if (Date.now() - atMs > lifetimeMs) return true;
    if (tab !== readTab()) return false;
    if (isOfBatch) bytes += blob.size;
    else count += 1;
    return isOfBatch ? bytes > batchBytes : count > limit;
  });
  await removeEntries(old);
}

async function listEntries(): Promise<Entry[]> {
  return (await run("readonly", (store) => store.getAll() as IDBRequest<Entry[]>)) ?? [];
}

async function removeEntries(entries: readonly Entry[]): Promise<void> {
  for (const { key } of entries) await run("readwrite", (store) => store.delete(key));
}

type Use<T> = (store: IDBObjectStore) => IDBRequest<T>;

/** The result of one request; undefined if the browser has no storage, or it is full. */
async function run<T>(mode: IDBTransactionMode, use: Use<T>): Promise<T | undefined> {
  try {
    return await request(mode, use);
  } catch {
    // The browser may have closed the connection, which does not work again.
    opening = undefined;
    return await request(mode, use).catch(() => undefined);
  }
}

async function request<T>(mode: IDBTransactionMode, use: Use<T>): Promise<T> {
  opening ??= open();
  const database = await opening;
  return await toPromise(use(database.transaction(storeName, mode).objectStore(storeName)));
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open("koma", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(storeName);
  const database = await toPromise(request);
  database.onclose = () => {
    opening = undefined;
  };
  return database;
}

async function toPromise<T>(request: IDBRequest<T>): Promise<T> {
  return await new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The storage of the browser failed."));
  });
}

function toKey(name: string): string {
  return `${readTab()} ${name}`;
}

const newTab = createId();

/** The id of this tab, which survives a reload. */
function readTab(): string {
  try {
    const saved = sessionStorage.getItem(tabKey);
    if (saved === null) sessionStorage.setItem(tabKey, newTab);
    return saved ?? newTab;
  } catch {
    return newTab;
  }
}

/** Not `randomUUID`, which is undefined on pages without https. */
function createId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
