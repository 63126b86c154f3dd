import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectDatabase } from "@koma/database";
import type { TestProject } from "vitest/node";
import { stopEmbedded } from "./testing/stop-embedded.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder with a migrated embedded database that is not running; tests copy it. */
    preparedDataDir: string;
  }
}

/** Builds one embedded database, because a first start takes seconds; each test file copies it. */
export default async function prepareEmbedded(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "koma-prepared-"));
  const database = await connectDatabase({ dataDir: folder });
  await database.close();
  await stopEmbedded(folder);
  project.provide("preparedDataDir", folder);
  return () => rm(folder, { recursive: true, force: true });
}
