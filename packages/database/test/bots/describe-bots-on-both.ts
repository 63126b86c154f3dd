import { tmpdir } from "node:os";
import { type BotStore, openBotStore } from "@koma/database/bots";
import type pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { describeOnBoth, type TestDatabase } from "../describe-on-both.ts";

/** The input of a test: the bots' store and the database of the API. */
export type BotTest = {
  store: BotStore;
  /** Opens the store again, as another process would. */
  openAgain(): Promise<BotStore>;
  connection: pg.PoolConfig;
};

/** Runs the same tests of the bots' store on both kinds of database. */
export function describeBotsOnBoth(name: string, define: (open: () => BotTest) => void): void {
  describeOnBoth(name, (open) => {
    const opened: BotStore[] = [];
    const openAgain = async () => {
      const store = await openBotStore(addressOf(open()));
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

function addressOf({ connection }: TestDatabase): { dataDir: string; databaseUrl?: string } {
  const { connectionString, host = "" } = connection;
  if (connectionString !== undefined) return { dataDir: tmpdir(), databaseUrl: connectionString };
  return { dataDir: host.replace(/\/database$/, "") };
}
