import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Database } from "@koma/database";
import { loadModel } from "@koma/engine";
import { findTestVideo, type TestVideoName, testPack } from "@koma/sample-library/test-videos";
import { indexPaths } from "../../src/indexing/index-paths.ts";
import { createDescriptionFinder } from "../../src/pack/find-in-pack.ts";
import { createStillFiles } from "../../src/stills/still-files.ts";

/**
 * Copies test videos to a folder, under the file names that are the keys, and adds them to a library with the
 * descriptions of the pack, which needs no ffmpeg.
 */
export async function indexTestVideos(
  { database, dataDir }: { database: Database; dataDir: string },
  folder: string,
  videos: Readonly<Record<string, TestVideoName>>,
): Promise<void> {
  for (const [file, name] of Object.entries(videos)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    // Two libraries with one folder find the same file: its time tells whether it has changed.
    await cp(findTestVideo(name), join(folder, file), { preserveTimestamps: true });
  }
  const model = await loadModel();
  const unneeded = (what: string) => () => Promise.reject(new Error(`A test video needs ${what}.`));
  const fail = (message: string): never => {
    throw new Error(message);
  };
  const { problems } = await indexPaths(
    {
      database,
      modelId: model.id,
      stills: database.kind === "embedded" ? createStillFiles(join(dataDir, "stills")) : database.stills,
      getTools: unneeded("ffmpeg; `npm run samples` describes it"),
      openEngine: unneeded("the model; `npm run samples` describes it"),
      findDescription: createDescriptionFinder({ file: testPack, modelId: model.id }, fail),
      detectLabels: () => Promise.resolve(),
      onLog: fail,
    },
    [folder],
    {},
  );
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
}
