import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@koma/config";
import { type CheckContext, type Finding, ok, problem, warning } from "./finding.ts";

/** Checks that the secret is readable for Koma, long enough and private. */
export async function checkSecret({ configuration, database }: CheckContext): Promise<Finding[]> {
  const { KOMA_SECRET: environmentSecret, KOMA_DATA_DIR: dataDir } = configuration;
  if (environmentSecret !== undefined) return [ok("KOMA_SECRET is set.")];
  const file = join(dataDir, "secret");
  const { findSecret } = await import("@koma/accounts");
  const secret = await findSecret({ dataDir }).catch((error: unknown) => problemOf(error, file));
  if (typeof secret === "object") return [secret];
  if (secret !== undefined) return [await checkMode(file)];
  const hasDatabase =
    database.status === "stopped" || (database.status === "connected" && !database.schemas.isEmpty);
  if (!hasDatabase) return [ok(`${file} does not exist yet; the first start creates it.`)];
  return [
    warning(
      `${file} does not exist although there is a database: restore it from a backup before the next start, which creates another one and signs every user out.`,
    ),
  ];
}

/** Checks that only the owner can read a file. */
export async function checkMode(file: string): Promise<Finding> {
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0) return ok(`${file} is readable for its owner only.`);
  return problem(`${file} is readable for other users: run \`chmod 600 ${file}\`.`);
}

function problemOf(error: unknown, file: string): Finding {
  if (error instanceof ConfigurationError) {
    return problem(error.problems.map(({ variable, message }) => `${variable} ${message}.`).join(" "));
  }
  const reason = error instanceof Error ? error.message : String(error);
  return problem(`${file} cannot be read (${reason}): make the user of Koma its owner.`);
}
