import { connectDatabase } from "@koma/database";
import type { TestProject } from "vitest/node";
import { addressOf, createDatabase, templateName } from "./databases.ts";
import { openTestServers } from "./start-server.ts";

/** Starts the PostgreSQL of a run of vitest, with a migrated database that `createTestDatabase` copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await openTestServers();
  const server = servers.describe();
  await server.start();
  await createDatabase(server.url, templateName);
  const database = await connectDatabase({
    dataDir: servers.folder,
    databaseUrl: addressOf(server.url, templateName),
  });
  await database.close();
  project.provide("testServerUrl", server.url);
  return async () => {
    await server.stop();
    await servers.remove();
  };
}
