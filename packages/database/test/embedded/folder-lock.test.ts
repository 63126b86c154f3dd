import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { takeFolderLock } from "../../src/embedded/folder-lock.ts";

it("locks a folder for one process, until that is killed", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "koma-lock-"));
  const holder = fork(fileURLToPath(new URL("hold-lock.mjs", import.meta.url)), [folder], {
    execArgv: ["--expose-gc"],
  });
  await once(holder, "message");
  expect(await takeFolderLock(folder)).toBeUndefined();
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const lock = await takeFolderLock(folder);
  expect(await takeFolderLock(folder)).toBeUndefined();
  await lock?.release();
  const again = await takeFolderLock(folder);
  expect(again).toBeDefined();
  await again?.release();
  await rm(folder, { recursive: true });
});
