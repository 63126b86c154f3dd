import { ConfigurationError } from "@koma/contract";
import { DatabaseUnavailableError, MigrationError } from "@koma/database";
import { FfmpegMissingError } from "@koma/library";
import { readConfiguration } from "./config.ts";
import { openServer, PortTakenError, type Server } from "./open-server.ts";

/** Requests in flight and the closing of the rest get this long; then the process ends all the same. */
const shutdownMs = 15_000;

/** The API as a process: says `ready on …` on standard output and ends on SIGINT, SIGTERM or when its parent is gone. */
async function main(): Promise<void> {
  const stopping = new Promise<void>((stop) => {
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
    process.on("disconnect", stop);
  });
  stopping.then(() => setTimeout(() => process.exit(1), shutdownMs).unref());
  const server = await openServer(readConfiguration());
  await Promise.race([announce(server), stopping]);
  await stopping;
  await server.close();
}

async function announce(server: Server): Promise<void> {
  await server.ready;
  process.stdout.write(`ready on ${server.url}\n`);
}

function explain(error: unknown): string {
  const isKnown = [
    ConfigurationError,
    DatabaseUnavailableError,
    MigrationError,
    FfmpegMissingError,
    PortTakenError,
  ].some((kind) => error instanceof kind);
  if (error instanceof Error) return isKnown ? error.message : (error.stack ?? error.message);
  return String(error);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`, () => process.exit(1));
  },
);
