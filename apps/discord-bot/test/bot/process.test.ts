import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "@koma/bot-core/testing/run";
import { openFake } from "@koma/fake-discord";
import { expect, test } from "vitest";

test("an occupied port ends the process before it opens the database and connects to Discord", async () => {
  const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), "koma-port-"));
  const fake = await openFake();
  const taken = createServer();
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, "127.0.0.1", () => {
      const address = taken.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  try {
    const ended = await start([main], {
      DISCORD_TOKEN: fake.token,
      DISCORD_API_URL: fake.apiUrl,
      KOMA_BOT_PORT: String(port),
      KOMA_BOT_KEY: "never-asked-for",
      KOMA_SECRET: "not used, but there must be one in any case",
      KOMA_DATA_DIR: folder,
      KOMA_API_URL: "http://127.0.0.1:9",
    }).ended;
    expect(ended.stderr).toContain("EADDRINUSE");
    expect([ended.code, fake.gateway.identifyCount]).toEqual([1, 0]);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    taken.close();
    await fake.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 180_000);
