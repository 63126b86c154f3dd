import { ConfigurationError, configurationExitCode } from "@koma/config";
import { DatabaseUnavailableError, MigrationError } from "@koma/database";
import { FfmpegMissingError } from "@koma/library";
import { readConfiguration } from "./config.ts";
import { openServer, PortTakenError, type Server } from "./open-server.ts";

/** Requests in flight and the closing of the rest get this long; then the process ends all the same. */
const shutdownMs = 15_000;

/**
 * The API as a process: says `ready on …` on standard output and ends on SIGINT, SIGTERM or when its parent is gone, with 0;
 * with 1 when searches fail for good, so that `npm start` or a service manager starts it again; with 78 when only a change of
 * the configuration helps.
 */
async function main(): Promise<number> {
  // close-with-grace does not handle `disconnect` and sets the exit code itself; this process has three exit codes.
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

/** Starting again helps with none of these; a database can come back. */
const configurationErrors = [ConfigurationError, MigrationError, FfmpegMissingError, PortTakenError];

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    const { text, exitCode } = explain(error);
    process.stderr.write(`${text}\n`, () => process.exit(exitCode));
  },
);
