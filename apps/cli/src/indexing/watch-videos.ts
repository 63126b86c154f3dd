import { stat } from "node:fs/promises";
import { relative, sep } from "node:path";
import { type FoundVideo, isVideoName } from "@koma/library";
import { type FSWatcher, watch } from "chokidar";
import { createUnfinished } from "./unfinished-videos.ts";

const settledAfterMs = 2000;
const pollEveryMs = 30_000;
const checkEveryMs = 5000;
/** What no event tells, such as a folder that becomes readable, is seen by the next comparison. */
const hourMs = 3_600_000;

/**
 * Calls `index` with all of `paths`, then with each video that was created or changed there and not written to for two
 * seconds, one call at a time. `index` leaves out the videos that `postpone` names: they are still being written, and are
 * indexed when their container has ended, or when nothing was written for ten minutes. A path that has been away, such as a disk that is mounted again, is indexed again. `report`
 * receives what the operator should know. Resolves when `signal` aborts. Deleted videos stay in the library until
 * `koma library remove`, because an unplugged drive must not empty the library.
 */
export async function watchVideos(
  paths: string[],
  o: {
    index: (videos: string[], postpone: (video: FoundVideo) => Promise<boolean>) => Promise<void>;
    report: (sentence: string) => void;
    signal: AbortSignal;
    /** How often all paths are compared; default every hour. */
    compareEveryMs?: number;
  },
): Promise<void> {
  const { signal } = o;
  const unfinished = createUnfinished(o.report);
  const index = (videos: string[]) => o.index(videos, unfinished.postpone);
  const changes = createChanges(signal);
  const folders = createFolders(paths, o.report);
  const reported = new Set<string>();
  let isPolling = false;
  let watcher: FSWatcher | undefined;

  /** Opens a watcher, in place of one that does not see all paths. Resolves when it has read the folders. */
  async function open(): Promise<void> {
    await watcher?.close();
    watcher = watch(paths, {
      ignoreInitial: true,
      usePolling: isPolling,
      ...(isPolling && { interval: pollEveryMs, binaryInterval: pollEveryMs }),
      awaitWriteFinish: { stabilityThreshold: settledAfterMs, pollInterval: 200 },
      ignored: (file, facts) => isHidden(file, paths) || (facts?.isFile() === true && !isVideoName(file)),
    });
    const opened = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => opened.resolve(), { once: true });
    watcher
      .on("add", changes.add)
      .on("change", changes.add)
      .on("unlinkDir", folders.noteRemoval)
      .on("ready", opened.resolve)
      .on("error", (error) => {
        onError(error as NodeJS.ErrnoException);
        if (isPolling) opened.resolve();
      });
    await opened.promise;
  }

  /** The run goes on: a folder without permission is left out, and polling needs no watches. */
  function onError(error: NodeJS.ErrnoException): void {
    const isLimit = error.code === "ENOSPC" || error.code === "EMFILE";
    const sentence = isLimit ? limitSentence : describeError(error);
    if (!reported.has(sentence)) o.report(sentence);
    reported.add(sentence);
    if (!isLimit || isPolling) return;
    isPolling = true;
    changes.addAll();
  }

  let isChecking = false;
  const check = setInterval(async () => {
    // A network disk that does not respond holds one check, not one more every five seconds.
    if (isChecking) return;
    isChecking = true;
    if (await folders.haveReturned()) changes.addAll();
    for (const video of await unfinished.takeEnded()) changes.add(video);
    isChecking = false;
  }, checkEveryMs);
  const compare = setInterval(changes.addAll, o.compareEveryMs ?? hourMs);
  try {
    await folders.haveReturned();
    // Watching starts before the first run, so that no file is missed between the two.
    await open();
    await index(paths);
    while (!signal.aborted) {
      const { isAll, videos } = await changes.take();
      if (isAll) await open();
      const changed = isAll ? folders.present() : videos;
      if (changed.length > 0 && !signal.aborted) await index(changed);
    }
  } finally {
    clearInterval(check);
    clearInterval(compare);
    await watcher?.close();
  }
}

/** What has changed since it was last taken: videos, or all of the paths. */
function createChanges(signal: AbortSignal) {
  const videos = new Set<string>();
  let isAll = false;
  let arrival = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => arrival.resolve(), { once: true });
  return {
    add(file: string): void {
      videos.add(file);
      arrival.resolve();
    },
    addAll(): void {
      isAll = true;
      arrival.resolve();
    },
    /** Waits for a change, or until the signal aborts. */
    async take(): Promise<{ isAll: boolean; videos: string[] }> {
      if (!signal.aborted) await arrival.promise;
      arrival = Promise.withResolvers();
      const taken = { isAll, videos: [...videos] };
      videos.clear();
      isAll = false;
      return taken;
    },
  };
}

const missing = "missing";

/** The watched paths on the disk: a watcher does not follow a folder that is renamed, or a disk that is mounted. */
function createFolders(paths: readonly string[], report: (sentence: string) => void) {
  const identities = new Map<string, string>();
  const removed = new Set<string>();
  return {
    present: () => paths.filter((path) => identities.get(path) !== missing),

    /** A folder can be back before the next check. */
    noteRemoval(folder: string): void {
      if (paths.includes(folder)) removed.add(folder);
    },

    /** Whether one of the paths was away since the last call, or is another folder now. */
    async haveReturned(): Promise<boolean> {
      let isAnyNew = false;
      for (const path of paths) {
        const before = identities.get(path);
        const identity = await identify(path);
        identities.set(path, identity);
        const wasRemoved = identity !== missing && removed.delete(path);
        if (before === undefined || (identity === before && !wasRemoved)) continue;
        if (identity === missing) report(`${path} is not there any more. Koma waits until it is back.`);
        else
          report(
            `${path} is back, or another folder is there now. Its videos are compared with the library.`,
          );
        isAnyNew ||= identity !== missing;
      }
      return isAnyNew;
    },
  };
}

async function identify(path: string): Promise<string> {
  try {
    const facts = await stat(path, { bigint: true });
    // A file that is replaced is a change that the watcher sees.
    return facts.isDirectory() ? `${facts.dev}:${facts.ino}` : "file";
  } catch {
    return missing;
  }
}

const limitSentence = `The limit of watched folders of this system is reached, so Koma looks for new videos every ${pollEveryMs / 1000} s. To raise it, run "sudo sysctl fs.inotify.max_user_watches=1048576 fs.inotify.max_user_instances=1024" and start again.`;

function describeError({ code, path = "A folder", message }: NodeJS.ErrnoException): string {
  const isDenied = code === "EACCES" || code === "EPERM";
  return isDenied
    ? `${path} cannot be watched: read permission is missing.`
    : `${path} cannot be watched: ${message}`;
}

/**
 * Whether the file is hidden, or outside (`..`), relative to each of the paths; recursive indexing skips it
 * as well.
 */
function isHidden(file: string, paths: readonly string[]): boolean {
  return paths.every((path) =>
    relative(path, file)
      .split(sep)
      .some((part) => part.startsWith(".")),
  );
}
