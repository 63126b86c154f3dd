import { inspectReplicas, type ReplicaInspection } from "@koma/database";
import { type CheckContext, type Finding, ok, warning } from "./finding.ts";

/** Checks the replicas of PostgreSQL, which are named by their numbers because their addresses have passwords. */
export async function checkReplicas({ configuration, database }: CheckContext): Promise<Finding[]> {
  const { DATABASE_URL: databaseUrl, DATABASE_REPLICA_URLS: replicaUrls } = configuration;
  // The check of the database reports a primary that does not respond.
  if (databaseUrl === undefined || replicaUrls.length === 0 || database.status !== "connected") return [];
  const replicas = await inspectReplicas({ databaseUrl, replicaUrls });
  return replicas.map((replica, index) => describe(replica, `Replica ${index + 1} of ${replicas.length}`));
}

function describe(replica: ReplicaInspection, name: string): Finding {
  switch (replica.status) {
    case "connected":
      return ok(`${name} is ${Math.ceil(replica.behindBytes / 1024)} KiB behind the primary.`);
    case "foreign":
      return warning(
        `${name} is skipped, because it is no replica of DATABASE_URL: correct DATABASE_REPLICA_URLS.`,
      );
    case "unavailable":
      return warning(
        `${name} is skipped: ${replica.reason}. Start it, or correct DATABASE_REPLICA_URLS; reads go to the others.`,
      );
  }
}
