import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const service = fileURLToPath(new URL("./fixtures/service.ts", import.meta.url));

/** A service that is ready; `next` resolves when it prints its next line. */
async function start(...args: string[]) {
  const child = fork(service, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const next = () => once(child.stdout ?? child, "data");
  const ended = once(child, "exit");
  await next();
  return { child, next, ended };
}

test.each<[string, (child: ChildProcess) => void]>([
  ["SIGINT", (child) => child.kill("SIGINT")],
  ["SIGTERM", (child) => child.kill("SIGTERM")],
  [
    "the end of its parent, which also read its output",
    (child) => {
      child.stdout?.destroy();
      child.disconnect();
    },
  ],
])("a service ends with 0 on %s", async (_name, request) => {
  const { child, ended } = await start("ends");
  request(child);
  expect(await ended).toEqual([0, null]);
});

test("a service that does not end in time ends with 1", async () => {
  const { child, ended } = await start("hangs");
  child.kill("SIGTERM");
  expect(await ended).toEqual([1, null]);
});

test.each([
  ["ignore", [0, null]],
  ["end", [null, "SIGINT"]],
])("a repeated signal: %s", async (onRepeat, end) => {
  const { child, next, ended } = await start("ends", onRepeat);
  const requested = next();
  child.kill("SIGINT");
  await requested;
  child.kill("SIGINT");
  expect(await ended).toEqual(end);
});
