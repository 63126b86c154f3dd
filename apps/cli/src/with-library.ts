import type { Configuration } from "@koma/config";
import { connectDatabase } from "@koma/database";
import { type FfmpegTools, findFfmpeg, type Library, openLibrary } from "@koma/library";
import type { SearchThreads } from "@koma/library/search-threads";
import { samplePack } from "@koma/sample-library";
import { readConfiguration } from "./config.ts";
import { showFraction, withBar } from "./terminal/progress.ts";

/**
 * Opens database and library as configured, runs `use` with them, and closes both in every case. `threads`: threads
 * of the first search that are started already. `signal` ends a backup before migrations, which shows its progress.
 */
export async function withLibrary<Result>(
  use: (library: Library, configuration: Configuration) => Promise<Result>,
  { threads, signal }: { threads?: SearchThreads; signal?: AbortSignal } = {},
): Promise<Result> {
  const configuration = readConfiguration();
  const onLog = (message: string) => process.stderr.write(`${message}\n`);
  const database = await connectDatabase({
    dataDir: configuration.KOMA_DATA_DIR,
    databaseUrl: configuration.DATABASE_URL,
    replicaUrls: configuration.DATABASE_REPLICA_URLS,
    onLog,
    signal,
    showBackup: (write) => withBar("Writing the backup", (bar) => write(showFraction(bar))),
  });
  try {
    const library = await openLibrary({
      database,
      dataDir: configuration.KOMA_DATA_DIR,
      // Most commands read no video, and the search takes longer than they do.
      tools: () => findTools(configuration),
      samplePack,
      index: configuration.KOMA_INDEX,
      engineWorkers: configuration.KOMA_ENGINE_WORKERS,
      threads,
      onLog,
    });
    try {
      return await use(library, configuration);
    } finally {
      await library.close();
    }
  } finally {
    await database.close();
  }
}

async function findTools(configuration: Configuration): Promise<FfmpegTools> {
  const { FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath } = configuration;
  return { ...(await findFfmpeg({ ffmpegPath, ffprobePath })), hardwareDecoder: configuration.KOMA_HWACCEL };
}
