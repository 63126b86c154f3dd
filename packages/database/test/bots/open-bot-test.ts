import { tmpdir } from "node:os";
import { type BotStore, openBotStore } from "@koma/database/bots";
import { afterAll } from "vitest";
import { openTestDatabase } from "../open-test-database.ts";

/** Opens the bots' store on a database for the tests of a file; `openAgain` opens it as another process would. */
export async function openBotTest() {
  const { databaseUrl } = await openTestDatabase();
  const opened: BotStore[] = [];
  afterAll(async () => {
    for (const store of opened) await store.close();
  });
  const openAgain = async () => {
    const store = await openBotStore({ dataDir: tmpdir(), databaseUrl });
    opened.push(store);
    return store;
  };
  return { store: await openAgain(), openAgain, databaseUrl };
}
