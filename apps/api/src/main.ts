import { ConfigurationError } from "@koma/config";
import { DatabaseUnavailableError, IndexUnavailableError, isDiskFull, MigrationError } from "@koma/database";
import { FfmpegPathError } from "@koma/library";
import { endProcessAfter, exitCodes, explainError, MetricsPortError, watchShutdown } from "@koma/process";
import { readConfiguration } from "./config.ts";
import { openServer, PortTakenError, type Server } from "./open-server.ts";

/** The time for open requests and for closing; afterwards the process ends in any case. */
const shutdownMs = 15_000;

/**
 * Runs the API as a process. It prints `ready on …` on standard output and ends with 0 on SIGINT, SIGTERM or
 * when its parent has ended. It ends with 1 when searches fail permanently, so that `npm start` or a service
 * manager restarts it, and with 78 when only a change of the configuration helps.
 */
async function main(): Promise<number> {
  const reason = "The API is shutting down.";
  const { requested, endInTime } = watchShutdown({ limitMs: shutdownMs, reason, onRepeat: "ignore" });
  const server = await openServer(readConfiguration());
  await Promise.race([announce(server), requested]);
  const exitCode = await Promise.race([
    requested.then(() => exitCodes.success),
    server.failed.then(() => exitCodes.failure),
  ]);
  endInTime();
  await server.close();
  return exitCode;
}

async function announce(server: Server): Promise<void> {
  await server.ready;
  process.stdout.write(`ready on ${server.url}\n`);
}

const expectedErrors = [
  ConfigurationError,
  DatabaseUnavailableError,
  FfmpegPathError,
  IndexUnavailableError,
  MetricsPortError,
  MigrationError,
  PortTakenError,
];

const fullDisk =
  "The disk of the database or of the data folder is full: free some space. `koma clean` shows files of Koma that can be deleted.";

endProcessAfter(main(), (error) =>
  isDiskFull(error) ? { text: fullDisk, exitCode: exitCodes.failure } : explainError(error, expectedErrors),
);
