import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Library, PreviewGoneError } from "@koma/library";

/**
 * Writes a still of the library, preferably of the sample clips, to the data folder as an example of a query
 * image. Returns its path; null when nothing is indexed or every video file is missing.
 */
export async function writeExampleImage(
  library: Library,
  { dataDir, signal }: { dataDir: string; signal: AbortSignal },
): Promise<string | null> {
  const ready = (await library.list())
    .flatMap((entry) => entry.episodes)
    .filter((episode) => episode.state === "ready" && episode.durationSeconds !== null);
  const candidates = [...ready.filter((episode) => episode.isSample), ...ready].slice(0, 20);
  const previews = library.openPreviews({});
  try {
    for (const { id, durationSeconds } of candidates) {
      try {
        const still = await previews.still(id, (durationSeconds ?? 0) * 0.4, { size: "m", signal });
        const folder = join(dataDir, "sample");
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const file = join(folder, "example.jpg");
        await copyFile(still, file);
        return file;
      } catch (error) {
        if (!(error instanceof PreviewGoneError)) throw error;
      }
    }
    return null;
  } finally {
    await previews.close();
  }
}
