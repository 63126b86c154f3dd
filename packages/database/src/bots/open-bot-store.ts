/** What the bots keep. */
export type BotStore = {
  kind: "embedded" | "postgresql";
  /** Resolves when the database answers; DatabaseUnavailableError otherwise. */
  ping(): Promise<void>;
  /** Deletes what has expired; cheap, meant for start-up and once an hour. */
  collectGarbage(at?: Date): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the bots' tables, in the same database as the API (`databaseUrl`, else the embedded one under `dataDir`), as the
 * role `koma_bots`; or by a login of the bots' own (`botDatabaseUrl`). Applies the bots' migrations.
 */
export async function openBotStore(_options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  botDatabaseUrl?: string | undefined;
  onNotice?: ((message: string) => void) | undefined;
}): Promise<BotStore> {
  throw new Error("Not yet.");
}
