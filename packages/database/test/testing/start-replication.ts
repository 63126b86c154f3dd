import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import { openTestServers, type TestServer } from "./start-server.ts";

export type { TestServer };

/**
 * Starts a primary and streaming replicas of it in a temporary folder below `parent`, which `remove` deletes.
 */
export async function startReplication(
  replicaCount: number,
  parent?: string,
): Promise<{ primary: TestServer; replicas: TestServer[]; remove(): Promise<void> }> {
  const servers = await openTestServers(parent);
  // A replica needs at least as many connections as the primary had when its data were created.
  const settings = {
    wal_level: "replica",
    max_wal_senders: "10",
    shared_buffers: "16MB",
    max_connections: "100",
  };
  const primary = servers.describe(servers.dataFolder, settings);
  const replicas: TestServer[] = [];
  for (let number = 1; number <= replicaCount; number++) {
    // A copy of the data before the first start is a backup.
    const data = path.join(servers.folder, `replica-${number}`);
    await cp(servers.dataFolder, data, { recursive: true });
    await writeFile(path.join(data, "standby.signal"), "");
    const primary_conninfo = `host=${servers.dataFolder} user=postgres`;
    replicas.push(servers.describe(data, { ...settings, primary_conninfo, port: String(5432 + number) }));
  }
  const remove = async () => {
    for (const server of [...replicas, primary]) await server.stop();
    await servers.remove();
  };
  try {
    for (const server of [primary, ...replicas]) await server.start();
  } catch (error) {
    await remove();
    throw error;
  }
  return { primary, replicas, remove };
}
