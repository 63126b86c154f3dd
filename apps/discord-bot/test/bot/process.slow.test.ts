import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "@koma/bot-core/testing/run";
import { openFake } from "@koma/fake-discord";
import { expect, test } from "vitest";
import { defineCommands } from "../../src/commands/all-commands.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

test("an occupied port ends the process before it opens the database and connects to Discord", async () => {
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

test("`register` registers and ends; an unknown argument is an error", async () => {
  const fake = await openFake();
  const environment = {
    DISCORD_TOKEN: fake.token,
    DISCORD_API_URL: fake.apiUrl,
    KOMA_BOT_KEY: "never-asked-for",
    KOMA_SECRET: "not used, but there must be one in any case",
  };
  expect((await start([main, "register"], environment).ended).code).toBe(0);
  expect(fake.commands).toHaveLength(defineCommands().length);
  expect(await start([main, "regster"], environment).ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Unknown argument regster"),
  });
  expect(fake.requests.filter(({ method }) => method === "PUT")).toHaveLength(1);
  expect(fake.violations).toEqual([]);
  await fake.close();
});
