import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { listMissing } from "../connection/migrate.ts";
import { migrationFolders } from "../connection/migration-folders.ts";
import { openPool } from "../connection/open-pool.ts";
import { MigrationError } from "../errors.ts";
import { createBotAccounts } from "./bot-accounts.ts";
import { createBotMemory } from "./bot-memory.ts";
import { createBotRequests } from "./bot-requests.ts";
import { createBotResults } from "./bot-results.ts";
import { botRole, ensureBotRole, isPooled } from "./bot-role.ts";
import { createBotSettings } from "./bot-settings.ts";
import { botSchema, prepareBotTables } from "./bot-tables.ts";
import { createChatFinds } from "./chat-finds.ts";
import { PrismaClient } from "./generated/client.ts";
import { createPendingLinks } from "./pending-links.ts";
import { createPeople } from "./people.ts";

/** The stores of the bots. */
export type BotStore = ReturnType<typeof createBotStore>;

/**
 * Opens the bots' tables in the database of the API (`databaseUrl`, otherwise the embedded one under
 * `dataDir`) with the role `koma_bots`, which has access to these tables only; or with a login of the bots
 * (`botDatabaseUrl`), which needs existing tables. Applies the bots' migrations. Throws
 * DatabaseUnavailableError and MigrationError.
 */
export async function openBotStore(options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  botDatabaseUrl?: string | undefined;
  onLog?: ((message: string) => void) | undefined;
}): Promise<BotStore> {
  const { dataDir, databaseUrl, botDatabaseUrl, onLog = () => undefined } = options;
  if (botDatabaseUrl !== undefined) {
    const variable = "KOMA_BOT_DATABASE_URL";
    const pool = await openPool({ dataDir, databaseUrl: botDatabaseUrl, poolSize, variable });
    await orEnd(pool, () => checkPrepared(pool));
    return createBotStore(pool, "postgresql");
  }
  const admin = await openPool({ dataDir, databaseUrl, poolSize, onLog: options.onLog });
  await orEnd(admin, () =>
    prepareBotTables(admin, { dataDir, isEmbedded: databaseUrl === undefined, onLog }),
  );
  const kind = databaseUrl === undefined ? "embedded" : "postgresql";
  const problem = await orEnd(admin, async () => {
    if (databaseUrl !== undefined && (await isPooled(admin)))
      return "DATABASE_URL leads to a pooler, which gives connections with the role of the bots to other clients too (`koma bot credentials` creates a login for the bots)";
    return await ensureBotRole(admin);
  });
  if (problem !== undefined) {
    onLog(`The bots use the database role of the API: ${problem}.`);
    return createBotStore(admin, kind);
  }
  await admin.end();
  return createBotStore(await openPool({ dataDir, databaseUrl, poolSize, role: botRole }), kind);
}

const poolSize = 5;

async function orEnd<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function checkPrepared(pool: pg.Pool): Promise<void> {
  const missing = await listMissing(pool, migrationFolders.bots, botSchema);
  if (missing.length === 0) return;
  throw new MigrationError(
    `The bots' tables are not up to date (missing: ${missing.join(", ")}). Run \`koma bot credentials FOLDER\` with the settings of the API, or \`npx prisma migrate deploy --schema prisma/bots/schema.prisma\`.`,
  );
}

function createBotStore(pool: pg.Pool, kind: "embedded" | "postgresql") {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const stores = {
    accounts: createBotAccounts(prisma),
    pendingLinks: createPendingLinks(prisma),
    settings: createBotSettings(prisma),
    results: createBotResults(prisma),
    requests: createBotRequests(prisma),
    memory: createBotMemory(prisma),
    people: createPeople(prisma),
    chatFinds: createChatFinds(prisma),
  };
  let closing: Promise<void> | undefined;
  return {
    kind,
    ...stores,
    /** Resolves when the database responds; rejects otherwise. */
    async ping(): Promise<void> {
      await pool.query("SELECT 1");
    },
    /** Deletes expired rows; cheap, meant for start-up and once an hour. */
    async collectGarbage(at = new Date()): Promise<void> {
      for (const store of [stores.pendingLinks, stores.results, stores.requests, stores.chatFinds])
        await store.collectGarbage(at);
    },
    /** Closes the connections after the calls in progress; a second call has no effect. */
    close(): Promise<void> {
      closing ??= prisma.$disconnect().then(() => pool.end());
      return closing;
    },
  };
}
