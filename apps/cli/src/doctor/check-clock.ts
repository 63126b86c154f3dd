import { type CheckContext, type Finding, ok, problem, warning } from "./finding.ts";

/** Compares the system time with that of PostgreSQL or the file system, and with the newest row. */
export async function checkClock(context: CheckContext): Promise<Finding[]> {
  const { database } = context;
  const findings: Finding[] = [];
  const newestRowAt = database.status === "connected" ? database.content?.newestRowAt : undefined;
  if (newestRowAt && newestRowAt.getTime() > Date.now() + warningMs) {
    findings.push(
      warning(
        `The database has a row of ${newestRowAt.toISOString()}, which is in the future: this clock is behind, or was ahead; synchronise it by NTP.`,
      ),
    );
  }
  const compared = compareClocks(context);
  if (compared === undefined) return [...findings, ok(`${now()}; no other clock to compare with`)];
  const offsetMs = Math.abs(compared.offsetMs);
  const detail = `${now()}; the clock of ${compared.name} differs by ${(offsetMs / 1000).toFixed(1)} s`;
  if (offsetMs <= warningMs) return [...findings, ok(detail)];
  const report = offsetMs > problemMs ? problem : warning;
  return [...findings, report(`${detail}: synchronise both by NTP.`)];
}

const warningMs = 10_000;
/** Leases end after minutes, so a larger difference ends those of running searches. */
const problemMs = 60_000;

function compareClocks(context: CheckContext): { name: string; offsetMs: number } | undefined {
  const { configuration, database, dataFolder } = context;
  if (configuration.DATABASE_URL !== undefined && database.status === "connected") {
    return { name: "PostgreSQL", offsetMs: database.server.clockOffsetMs };
  }
  if (dataFolder.status === "writable") {
    return { name: "the file system", offsetMs: dataFolder.clockOffsetMs };
  }
  return undefined;
}

function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
