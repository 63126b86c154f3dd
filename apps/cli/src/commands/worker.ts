import type { Configuration } from "@koma/config";
import type { IndexEvent, Library, MappedRoot } from "@koma/library";
import { Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { createIndexReport } from "../indexing/index-report.ts";
import { serveIndexingMetrics } from "../indexing/serve-indexing-metrics.ts";
import { type ListenAddress, servePreviews } from "../indexing/serve-previews.ts";
import { formatCount } from "../terminal/format.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";
import { positiveInteger } from "./whole-number.ts";

type Options = { root?: MappedRoot[]; serve?: ListenAddress; jobs?: number; drain?: true; json?: true };

/** `koma worker` */
export function createWorkerCommand(context: CommandContext): Command {
  return new Command("worker")
    .summary("Index the videos of the queue.")
    .description(
      "Takes videos from the queue of `koma index --queue` and indexes them. Any number of workers on machines with the same PostgreSQL share the queue. A stopped worker's videos go to another worker within 15 s. SIGTERM ends the worker; its videos return to the queue.",
    )
    .option(
      "--root <queued=local>",
      "the folder that the queueing machine sees as QUEUED is LOCAL here; may be repeated",
      addRoot,
    )
    .option(
      "--serve <host:port>",
      "serve previews of the videos in the roots at this address to APIs that cannot read them",
      parseAddress,
    )
    .option("-j, --jobs <number>", "number of videos indexed at the same time", positiveInteger)
    .option("--drain", "end when no video waits or runs")
    .option("--json", "print one JSON line per event; the last line is the summary")
    .addHelpText("after", examples)
    .action(async (options: Options, command: Command) => {
      if (options.serve !== undefined && options.root === undefined)
        command.error("error: --serve needs --root");
      await withLibrary((library, configuration) =>
        runWorker(library, configuration, { options, signal: context.signal }),
      );
    });
}

const examples = `
Examples:
  koma worker
  koma worker --root /mnt/anime=/data/anime --jobs 4
  koma worker --root /mnt/anime=/mnt/anime --serve 10.0.0.7:8790

A worker with --root takes only videos in these folders. Failed videos: \`koma library queue\`.
--serve needs the DATABASE_URL and the KOMA_SECRET of the API. The API must reach HOST; 0.0.0.0 registers the host
name of this machine.`;

async function runWorker(
  library: Library,
  configuration: Configuration,
  { options, signal }: { options: Options; signal: AbortSignal },
): Promise<void> {
  const { json: isJson, root: roots, jobs, drain } = options;
  const served = await serveIndexingMetrics(configuration, library.queue);
  let previews: Awaited<ReturnType<typeof openPreviewServer>>;
  const report = createIndexReport({ isJson: isJson === true });
  const onEvent = (event: IndexEvent) => {
    served?.metrics.onEvent(event);
    report.event(event);
  };
  try {
    previews = await openPreviewServer(library, configuration, options);
    if (drain !== true) report.line("The worker waits for videos; press Ctrl-C to stop.");
    const previewAddress = previews?.address;
    const summary = await library.runWorker({ roots, previewAddress, jobs, drain, onEvent, signal });
    report.close();
    if (isJson) return await writeJsonLine({ kind: "summary", ...summary });
    const { name, done, retried, dead } = summary;
    process.stdout.write(
      `${name}: ${formatCount(done, "video")} done, ${retried} to be tried again, ${dead} failed.\n`,
    );
  } finally {
    report.close();
    await served?.close();
    await previews?.close();
  }
}

async function openPreviewServer(
  library: Library,
  { DATABASE_URL, KOMA_DATA_DIR: dataDir, KOMA_SECRET: environmentSecret }: Configuration,
  { root: roots, serve: listen }: Options,
) {
  if (listen === undefined) return undefined;
  if (DATABASE_URL === undefined)
    throw new CommandError("--serve needs DATABASE_URL: APIs find the worker there.");
  const { deriveKey, findSecret } = await import("@koma/accounts");
  const secret = await findSecret({ dataDir, environmentSecret });
  if (secret === undefined) throw new CommandError("--serve needs KOMA_SECRET, with the value of the API.");
  const previews = library.openPreviews({ roots });
  const key = deriveKey(secret, "worker-preview");
  const onLog = (message: string) => process.stderr.write(`${message}\n`);
  const server = await servePreviews({ listen, previews, key, onLog });
  process.stderr.write(`previews: ${server.address}\n`);
  return server;
}

function parseAddress(text: string): ListenAddress {
  const [, ipv6, name, port] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError("It must be HOST:PORT, for example 10.0.0.7:8790.");
  }
  return { host, port: Number(port) };
}

function addRoot(text: string, before: MappedRoot[] = []): MappedRoot[] {
  const parts = text.split("=");
  const [queued, local] = parts;
  if (parts.length !== 2 || !queued || !local) {
    throw new InvalidArgumentError("It must be QUEUED=LOCAL, for example /mnt/anime=/data/anime.");
  }
  return [...before, { queued, local }];
}
