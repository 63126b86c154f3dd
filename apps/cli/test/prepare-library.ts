import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@koma/database";
import { createDatabaseOn } from "@koma/database/testing/databases";
import { findFfmpeg, openLibrary } from "@koma/library";
import type { TestProject } from "vitest/node";
import { drawVideo, takeFrame } from "./draw-video.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The database of an indexed library, to be copied. */
    libraryDatabase: string;
    /** A folder with the videos (`films`), frames of them, and the data folder (`data`) of that library. */
    libraryFolder: string;
  }
}

/** Renders and indexes four short videos, once for all tests, and deletes the last one. */
export default async function prepareLibrary(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), "koma-cli-"));
  const videosFolder = join(folder, "films");
  await mkdir(videosFolder);
  const card = join(videosFolder, "Test Card - 02.mp4");
  const apple = join(videosFolder, "Apple Man - OVA 1.mkv");
  const lost = join(videosFolder, "Lost - 01.mp4");
  await Promise.all([
    drawVideo(join(videosFolder, "Test Card - 01.mp4"), { source: "smptebars", seconds: 2 }),
    drawVideo(card, { source: "testsrc2", seconds: 4 }),
    drawVideo(apple, { source: "mandelbrot", seconds: 4 }),
    drawVideo(lost, { source: "rgbtestsrc", seconds: 1 }),
  ]);
  await Promise.all([
    takeFrame(card, 2, join(folder, "card.jpg")),
    takeFrame(apple, 3, join(folder, "apple.png")),
  ]);

  const { url } = await createDatabaseOn(project.getProvidedContext().testServerUrl);
  const dataDir = join(folder, "data");
  const database = await connectDatabase({ dataDir, databaseUrl: url });
  const library = await openLibrary({ database, dataDir, tools: findFfmpeg, engineWorkers: 1 });
  const { problems } = await library.indexPaths([videosFolder]);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  await library.close();
  await database.close();
  await rm(lost);

  project.provide("libraryDatabase", new URL(url).pathname.slice(1));
  project.provide("libraryFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
