import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@koma/database";
import { createDatabaseOn } from "@koma/database/testing/databases";
import { sharp } from "@koma/image";
import { indexTestVideos } from "@koma/library/testing/index-test-videos";
import { findTestFrame } from "@koma/sample-library/test-videos";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The database of an indexed library, to be copied. */
    libraryDatabase: string;
    /** A folder with the videos (`films`), frames of them, and the data folder (`data`) of that library. */
    libraryFolder: string;
  }
}

const videos = {
  "Test Card - 01.mp4": "small bars",
  "Test Card - 02.mp4": "small card",
  "Apple Man - OVA 1.mkv": "small spiral",
  "Lost - 01.mp4": "small colors",
} as const;

/** Indexes four short videos, once for all tests, and deletes the last one. */
export default async function prepareLibrary(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), "koma-cli-"));
  const videosFolder = join(folder, "films");
  await copyFile(findTestFrame("small card", 2), join(folder, "card.jpg"));
  await sharp(findTestFrame("small spiral", 3)).png().toFile(join(folder, "apple.png"));

  const { url } = await createDatabaseOn(project.getProvidedContext().testServerUrl);
  const dataDir = join(folder, "data");
  const database = await connectDatabase({ dataDir, databaseUrl: url });
  await indexTestVideos({ database, dataDir }, videosFolder, videos);
  await database.close();
  await rm(join(videosFolder, "Lost - 01.mp4"));

  project.provide("libraryDatabase", new URL(url).pathname.slice(1));
  project.provide("libraryFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
