import type { DatabaseInspection } from "@koma/database";
import { type CheckContext, type Finding, ok, problem, warning } from "./finding.ts";

/** Checks that the database responds, and its schema and settings. */
export async function checkDatabase({ configuration, database }: CheckContext): Promise<Finding[]> {
  const { KOMA_DATA_DIR: dataDir } = configuration;
  const isEmbedded = configuration.DATABASE_URL === undefined;
  switch (database.status) {
    case "missing":
      return [ok("Embedded; the first start creates it.")];
    case "stopped":
      return [ok("Embedded; it does not run, so its content was not checked.")];
    case "inaccessible":
      return [
        problem(
          `The embedded database is in use by ${database.holder ?? "another process"} and cannot be reached from here: stop that process, or share PostgreSQL with DATABASE_URL.`,
        ),
      ];
    case "unavailable":
      return [
        problem(
          isEmbedded
            ? `The embedded database does not respond: ${database.reason}. See server.log in ${dataDir}/database.`
            : `PostgreSQL does not respond: ${database.reason}. Start it, or correct DATABASE_URL.`,
        ),
      ];
    case "connected":
      return [checkSchemas(database, isEmbedded), ...(isEmbedded ? [] : checkSettings(database))];
  }
}

type Connected = Extract<DatabaseInspection, { status: "connected" }>;

function checkSchemas({ server, schemas }: Connected, isEmbedded: boolean): Finding {
  const name = isEmbedded ? "Embedded" : `PostgreSQL ${server.version}`;
  if (schemas.problem !== undefined) return problem(schemas.problem);
  if (schemas.isEmpty) return ok(`${name}; the first start creates the tables.`);
  if (schemas.missingMigrations.length === 0) return ok(`${name}; the schema is current.`);
  return warning(
    `${name}; the next start backs the database up and applies ${schemas.missingMigrations.join(", ")}.`,
  );
}

function checkSettings({ server }: Connected): Finding[] {
  const { durability, freeConnections } = server;
  const isOld = Number.parseInt(server.version, 10) < oldestMajorVersion;
  const unsafe = Object.entries(durability).filter(([, value]) => value === "off");
  return [
    ...(isOld
      ? [problem(`PostgreSQL ${server.version} is too old: upgrade it to ${oldestMajorVersion} or newer.`)]
      : []),
    ...unsafe.map(([setting]) =>
      (setting === "fsync" ? problem : warning)(
        `${setting} of PostgreSQL is off, so a power failure loses acknowledged writes: set it to on.`,
      ),
    ),
    ...(freeConnections >= neededConnections
      ? []
      : [
          warning(
            `PostgreSQL has ${freeConnections} free connections, and an API with both bots and an indexer opens up to ${neededConnections}: increase max_connections.`,
          ),
        ]),
  ];
}

const oldestMajorVersion = 14;
/** Four processes with a pool of five. */
const neededConnections = 20;
