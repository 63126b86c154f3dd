import type { Configuration } from "@koma/config";
import { connectDatabase } from "@koma/database";
import { findFfmpeg, type Library, openLibrary } from "@koma/library";
import { readConfiguration } from "./config.ts";

/** Opens database and library as configured, runs `use` with them, and closes both in every case. */
export async function withLibrary<Result>(
  use: (library: Library, configuration: Configuration) => Promise<Result>,
): Promise<Result> {
  const configuration = readConfiguration();
  const onLog = (message: string) => process.stderr.write(`${message}\n`);
  const [database, tools] = await settleBoth(
    connectDatabase({
      dataDir: configuration.KOMA_DATA_DIR,
      databaseUrl: configuration.DATABASE_URL,
      replicaUrls: configuration.DATABASE_REPLICA_URLS,
      onLog,
    }),
    findFfmpeg({ ffmpegPath: configuration.FFMPEG_PATH, ffprobePath: configuration.FFPROBE_PATH }),
    (unused) => unused.close(),
  );
  try {
    const library = await openLibrary({
      database,
      dataDir: configuration.KOMA_DATA_DIR,
      tools: { ...tools, hardwareDecoder: configuration.KOMA_HWACCEL },
      index: configuration.KOMA_INDEX,
      engineWorkers: configuration.KOMA_ENGINE_WORKERS,
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

/** Both results; when the second fails, the first is closed before the error is thrown. */
async function settleBoth<A, B>(
  first: Promise<A>,
  second: Promise<B>,
  close: (unused: A) => Promise<void>,
): Promise<[A, B]> {
  const [one, other] = await Promise.allSettled([first, second]);
  if (one.status === "rejected") throw one.reason;
  if (other.status === "rejected") {
    await close(one.value);
    throw other.reason;
  }
  return [one.value, other.value];
}
