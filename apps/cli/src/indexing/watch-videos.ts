import { once } from "node:events";
import { relative, sep } from "node:path";
import { watch } from "chokidar";
import { isVideo } from "./is-video.ts";

const settledAfterMs = 2000;

/**
 * Calls `index` with all of `paths`, then with each video that was created or changed there and not written to for two
 * seconds, one call at a time. Resolves when `signal` aborts. Deleted videos stay in the library until
 * `koma library remove`, because an unplugged drive must not empty the library.
 */
export async function watchVideos(
  paths: string[],
  { index, signal }: { index: (videos: string[]) => Promise<void>; signal: AbortSignal },
): Promise<void> {
  const arrived = new Set<string>();
  let wake: () => void = () => {};
  const watcher = watch(paths, {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: settledAfterMs, pollInterval: 200 },
    ignored: (file, stat) => isHidden(file, paths) || (stat?.isFile() === true && !isVideo(file)),
  });
  const onVideo = (file: string): void => {
    arrived.add(file);
    wake();
  };
  watcher.on("add", onVideo).on("change", onVideo);
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    // Watching starts before the first run, so that no file is missed between the two.
    await once(watcher, "ready", { signal });
    await index(paths);
    while (!signal.aborted) {
      if (arrived.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const videos = [...arrived];
      arrived.clear();
      await index(videos);
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    await watcher.close();
  }
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
