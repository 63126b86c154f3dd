import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "@koma/bot-core/testing/run";
import { drawVideo, takeFrame, type VideoName, videos } from "@koma/bot-core/testing/videos";
import { startReplication } from "@koma/database/testing/start-replication";
import { openFake } from "@koma/fake-telegram";
import { openProxy } from "./open-proxy.ts";
import { supervise } from "./supervise.ts";

const komaFile = fileURLToPath(import.meta.resolve("@koma/cli/koma"));
const apiFile = fileURLToPath(import.meta.resolve("@koma/api/main"));
const botFile = fileURLToPath(import.meta.resolve("@koma/telegram-bot/main"));
const diskMiB = 800;
const frameSeconds = [1, 2, 3, 4, 5, 6];

/** A whole installation on a small disk of its own. */
export type System = Awaited<ReturnType<typeof openSystem>>;

/**
 * Starts PostgreSQL, the API and the Telegram bot with an indexed library. All files are on a file system of
 * their own, which needs root. The API and the indexer reach PostgreSQL through a proxy.
 */
export async function openSystem() {
  const faketime = findFaketime();
  const folder = await mkdtemp(join(tmpdir(), "koma-chaos-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMiB}m,mode=755`, "tmpfs", folder]);
  const unmount = async () => {
    execFileSync("umount", ["--lazy", folder]);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const dataDir = join(folder, "data");
    const videosDir = join(folder, "videos");
    const clockFile = join(folder, "clock");
    await mkdir(videosDir);
    await writeFile(clockFile, "+0");
    const server = await startReplication(0, folder);
    const proxy = await openProxy(server.primary.socketFile);
    const databaseUrl = `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`;
    const secret = randomUUID();
    const common = {
      KOMA_DATA_DIR: dataDir,
      KOMA_SECRET: secret,
      KOMA_SAMPLE_LIBRARY: "false",
      KOMA_ENGINE_WORKERS: "1",
      DATABASE_URL: databaseUrl,
    };
    const koma = async (...args: string[]) => {
      const { code, stdout, stderr } = await start([komaFile, ...args], common).ended;
      if (code !== 0) throw new Error(`koma ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
    };
    const images = await drawLibrary(videosDir);
    await koma("index", videosDir);
    await koma("bot", "key", "ensure");
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const fake = await openFake({ patienceMs: 240_000 });
    const clock = {
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      NO_FAKE_STAT: "1",
    };
    const limits = {
      KOMA_TRUSTED_PROXIES: "127.0.0.1",
      KOMA_REQUESTS_PER_MINUTE: "1000000",
      KOMA_SEARCHES_PER_HOUR: "1000000",
      KOMA_GUEST_SEARCHES_PER_DAY: "1000000",
      KOMA_FREE_CREDITS_PER_DAY: "0",
    };
    const settings = { ...common, ...clock, ...limits, PORT: String(port), LOG_LEVEL: "warn" };
    const api = supervise([apiFile], settings, /^ready on/m);
    const bot = supervise(
      [botFile],
      {
        ...common,
        KOMA_API_URL: url,
        TELEGRAM_TOKEN: fake.token,
        TELEGRAM_API_URL: fake.apiUrl,
        LOG_LEVEL: "warn",
      },
      /^ready on Telegram/m,
    );
    return {
      folder,
      dataDir,
      videosDir,
      url,
      images,
      secret,
      environment: common,
      komaFile,
      proxy,
      api,
      bot,
      fake,
      server: server.primary,
      /** The database without the proxy. */
      databaseUrl: server.primary.url,
      moveClock: (seconds: number) => writeFile(clockFile, `${seconds < 0 ? "" : "+"}${seconds}`),
      async close(): Promise<void> {
        await bot.stop();
        await api.stop();
        await fake.close();
        await proxy.close();
        await server.remove();
        await unmount();
      },
    };
  } catch (error) {
    await unmount();
    throw error;
  }
}

/** Draws the videos of the library and returns frames of them. */
async function drawLibrary(videosDir: string): Promise<Uint8Array<ArrayBuffer>[]> {
  const images: Uint8Array<ArrayBuffer>[] = [];
  for (const name of ["alpha", "beta"] satisfies VideoName[]) {
    const { title, episode } = videos[name];
    const video = join(videosDir, `${title} - ${episode}.mp4`);
    await drawVideo(name, video);
    for (const seconds of frameSeconds) {
      const file = join(videosDir, "..", `${name}-${seconds}.jpg`);
      await takeFrame(video, seconds, file);
      images.push(new Uint8Array(await readFile(file)));
    }
  }
  return images;
}

function findFaketime(): string {
  const found = execFileSync("find", ["/usr/lib", "-name", "libfaketimeMT.so.1"], { encoding: "utf8" });
  const [file = ""] = found.split("\n");
  if (file === "") throw new Error("Install libfaketime (apt install faketime).");
  return file;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  return await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
