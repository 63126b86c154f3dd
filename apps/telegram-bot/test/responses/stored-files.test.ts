import type { Message } from "grammy/types";
import { expect, test } from "vitest";
import { createPreviewFiles } from "../../src/responses/preview-files.ts";
import { openStoredFiles } from "../../src/responses/stored-files.ts";

const dayMs = 24 * 3_600_000;

function createMemory() {
  const values = new Map<string, string>();
  return {
    values,
    get: async (name: string) => values.get(name),
    set: async (name: string, value: string) => void values.set(name, value),
  };
}

function clip(id: string): Message {
  return { video: { file_id: `file ${id}`, file_unique_id: id } } as Message;
}

/** One run of the bot, which sends these clips. */
async function run(memory: ReturnType<typeof createMemory>, keys: readonly string[], now?: () => number) {
  const previews = createPreviewFiles();
  const onError = (what: string, error: unknown) => {
    throw new Error(`${what}: ${String(error)}`);
  };
  const stored = await openStoredFiles({ previews, memory, botId: 1, onError, ...(now && { now }) });
  const before = keys.map((key) => previews.findByKey(key)?.media);
  for (const key of keys)
    previews.remember({ key, kind: "video", media: "", uniqueId: undefined }, clip(key));
  await stored.close();
  return before;
}

test("a clip that was sent before a restart is not uploaded again", async () => {
  const memory = createMemory();
  expect(await run(memory, ["a"])).toEqual([undefined]);
  expect(await run(memory, ["a", "b"])).toEqual(["file a", undefined]);
});

test("several processes of a bot add to the same files", async () => {
  const memory = createMemory();
  await Promise.all([run(memory, ["a"])]);
  await run(memory, ["b"]);
  expect(await run(memory, ["a", "b"])).toEqual(["file a", "file b"]);
});

test("the stored files are bounded in number and age", async () => {
  const memory = createMemory();
  await run(
    memory,
    Array.from({ length: 700 }, (_, index) => `clip ${index}`),
  );
  expect(JSON.parse(memory.values.get("previews:1") ?? "")).toHaveLength(500);
  expect(await run(memory, ["clip 0", "clip 699"], () => Date.now() + 13 * dayMs)).toEqual([
    undefined,
    "file clip 699",
  ]);
  expect(await run(memory, ["clip 698"], () => Date.now() + 15 * dayMs)).toEqual([undefined]);
});
