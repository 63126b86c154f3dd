import { ConfigurationError, configurationExitCode } from "@koma/config";
import { DatabaseUnavailableError, IndexUnavailableError, MigrationError } from "@koma/database";
import { FfmpegPathError } from "@koma/library";
import { MetricsPortError } from "@koma/process/metrics";
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
  // close-with-grace does not handle `disconnect` and sets the exit code itself; this process has three exit
  // codes.
  const stopping = new Promise<void>((stop) => {
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
    process.on("disconnect", stop);
  });
  const endInTime = () => setTimeout(() => process.exit(1), shutdownMs).unref();
  stopping.then(endInTime);
  const server = await openServer(readConfiguration());
  await Promise.race([announce(server), stopping]);
  const exitCode = await Promise.race([stopping.then(() => 0), server.failed.then(() => 1)]);
  endInTime();
  await server.close();
  return exitCode;
}

async function announce(server: Server): Promise<void> {
  await server.ready;
  process.stdout.write(`ready on ${server.url}\n`);
}

function explain(error: unknown): { text: string; exitCode: number } {
  const exitCode = configurationErrors.some((kind) => error instanceof kind) ? configurationExitCode : 1;
  if (!(error instanceof Error)) return { text: String(error), exitCode };
  const isKnown = exitCode !== 1 || error instanceof DatabaseUnavailableError;
  return { text: isKnown ? error.message : (error.stack ?? error.message), exitCode };
}

/** A restart fixes none of these. An unavailable database is not among them, because it can recover. */
const configurationErrors = [
  ConfigurationError,
  IndexUnavailableError,
  MigrationError,
  FfmpegPathError,
  MetricsPortError,
  PortTakenError,
];

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    const { text, exitCode } = explain(error);
    process.stderr.write(`${text}\n`, () => process.exit(exitCode));
  },
);
