import { tmpdir } from "node:os";
import { type BotStore, openBotStore } from "@koma/database/bots";
import type pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { describeWithDatabase } from "../describe-with-database.ts";

/** The input of a test: the bots' store and the database of the API. */
export type BotTest = {
  store: BotStore;
  /** Opens the store again, as another process would. */
  openAgain(): Promise<BotStore>;
  connection: pg.PoolConfig;
};

/** Runs tests of the bots' store on a database of their own. */
export function describeBots(name: string, define: (open: () => BotTest) => void): void {
  describeWithDatabase(name, (open) => {
    const opened: BotStore[] = [];
    const openAgain = async () => {
      const store = await openBotStore({
        dataDir: tmpdir(),
        databaseUrl: open().connection.connectionString,
      });
      opened.push(store);
      return store;
    };
    beforeAll(async () => {
      await openAgain();
    });
    afterAll(async () => {
      for (const store of opened) await store.close();
    });
    define(() => {
      const [store] = opened;
      if (store === undefined) throw new Error("The store is open only while tests run.");
      return { store, openAgain, connection: open().connection };
    });
  });
}
