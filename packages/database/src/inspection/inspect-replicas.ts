import { openCheckPool, readPosition } from "../connection/read-position.ts";

/** The state of a replica. */
export type ReplicaInspection =
  | { status: "unavailable"; reason: string }
  /** The server belongs to another cluster than the primary. */
  | { status: "foreign" }
  /** `behindBytes` of the primary's write-ahead log are not replayed yet. */
  | { status: "connected"; behindBytes: number };

/** Compares the servers at `replicaUrls`, in their order, with the primary. Throws if the primary does not respond. */
export async function inspectReplicas(options: {
  databaseUrl: string;
  replicaUrls: readonly string[];
}): Promise<ReplicaInspection[]> {
  const primary = await readPositionAt(options.databaseUrl);
  return await Promise.all(
    options.replicaUrls.map(async (address): Promise<ReplicaInspection> => {
      try {
        const { position, cluster } = await readPositionAt(address);
        if (cluster !== primary.cluster) return { status: "foreign" };
        return { status: "connected", behindBytes: Math.max(0, primary.position - position) };
      } catch (error) {
        return { status: "unavailable", reason: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

async function readPositionAt(address: string): Promise<{ position: number; cluster: string }> {
  const pool = openCheckPool(address);
  try {
    return await readPosition(pool);
  } finally {
    await pool.end();
  }
}
