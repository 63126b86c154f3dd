import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawnGroup, waitForGroup } from "../../src/starter/run-child.ts";

/** Ends at once and leaves a child that writes a file after it has been interrupted, as turbo ends its tasks. */
const leader = `
  const { spawn } = require("node:child_process");
  const follower = \`process.on("SIGINT", () => setTimeout(() => {
    require("node:fs").writeFileSync(process.argv[1], "ended");
    process.exit();
  }, 300)); setInterval(() => {}, 1000); console.log("ready")\`;
  spawn(process.execPath, ["-e", follower, process.argv[1]], { stdio: ["ignore", "inherit", "inherit"] });
`;

test.skipIf(process.platform === "win32")("an interruption waits for what the children end", async () => {
  const folder = await mkdtemp(join(tmpdir(), "koma-group-"));
  const file = join(folder, "ended");
  const controller = new AbortController();
  const interruption = { signal: controller.signal, name: () => "SIGINT" as const, onRepeat: () => () => {} };
  const child = spawnGroup("node", ["-e", leader, file], { stdio: ["ignore", "pipe", "inherit"] });
  if (child.stdout === null) throw new Error("The child has no output.");
  await once(child.stdout, "data");
  // The pipe of the follower would keep the end of the leader back.
  child.stdout.destroy();
  const ended = waitForGroup(child, interruption);
  controller.abort(new Error("interrupted by SIGINT"));
  await ended;
  expect(await readFile(file, "utf8")).toBe("ended");
  await rm(folder, { recursive: true });
});
