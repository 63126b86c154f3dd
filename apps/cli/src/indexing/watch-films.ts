import { once } from "node:events";
import { relative, sep } from "node:path";
import { watch } from "chokidar";
import { isFilm } from "./is-film.ts";

const settledAfterMs = 2000;

/**
 * Calls `index` with all of `paths`, then with films that arrive or change there once nobody has written to them for two
 * seconds, one call at a time; resolves when `signal` aborts. Films that vanish are left to `koma library remove`:
 * an unplugged drive must not empty the library.
 */
export async function watchFilms(
  paths: string[],
  { index, signal }: { index: (films: string[]) => Promise<void>; signal: AbortSignal },
): Promise<void> {
  const arrived = new Set<string>();
  let wake: () => void = () => {};
  const watcher = watch(paths, {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: settledAfterMs, pollInterval: 200 },
    ignored: (file, stat) => isHidden(file, paths) || (stat?.isFile() === true && !isFilm(file)),
  });
  const onFilm = (file: string): void => {
    arrived.add(file);
    wake();
  };
  watcher.on("add", onFilm).on("change", onFilm);
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    // Watching before the first look, so that nothing slips through between the two.
    await once(watcher, "ready", { signal });
    await index(paths);
    while (!signal.aborted) {
      if (arrived.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const films = [...arrived];
      arrived.clear();
      await index(films);
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    await watcher.close();
  }
}

/** Below each of the given paths it is hidden or, by "..", not there: what a walk through folders leaves out too. */
function isHidden(file: string, paths: readonly string[]): boolean {
  return paths.every((path) =>
    relative(path, file)
      .split(sep)
      .some((part) => part.startsWith(".")),
  );
}
