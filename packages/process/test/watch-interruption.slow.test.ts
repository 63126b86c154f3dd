import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const command = fileURLToPath(new URL("./fixtures/command.ts", import.meta.url));

/** A forked command that watches for an interruption. */
async function start(...args: string[]) {
  const child = fork(command, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await once(child.stdout ?? child, "data");
  return { child, ended };
}

test.each<[string, number, (child: ChildProcess) => void]>([
  ["SIGINT", 130, (child) => child.kill("SIGINT")],
  ["SIGTERM", 143, (child) => child.kill("SIGTERM")],
  ["the end of its parent", 143, (child) => child.disconnect()],
])("a command is interrupted by %s", async (_name, exitCode, request) => {
  const { child, ended } = await start();
  request(child);
  expect(await ended).toEqual([exitCode, null]);
});

test("a command ends by itself while its parent runs", async () => {
  const { ended } = await start("ends");
  expect(await ended).toEqual([0, null]);
});
