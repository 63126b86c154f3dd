import { expect, test } from "vitest";
import { explainCommandError } from "../../src/explain-error.ts";
import { retryUntilStored } from "../../src/indexing/retry-until-stored.ts";

// The shape of Prisma's errors.
const full = Object.assign(new Error("No space left on device"), {
  meta: { driverAdapterError: { cause: { originalCode: "53100" } } },
});
const unreachable = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });

test("a run goes on when the disk has space again and the database responds", async () => {
  const results = [full, unreachable, "indexed"];
  const sentences: string[] = [];
  const work = async () => {
    const result = results.shift();
    if (result instanceof Error) throw result;
    return result;
  };
  const { signal } = new AbortController();
  const report = (sentence: string) => sentences.push(sentence);
  expect(await retryUntilStored(work, { report, signal, retryAfterMs: 1 })).toBe("indexed");
  expect(sentences).toEqual([
    "The disk of the database is full. Indexing is tried again in a minute.",
    "The database does not respond. Indexing is tried again in a minute.",
  ]);
});

test("other errors end the run", async () => {
  const work = () => Promise.reject(new Error("a defect"));
  const { signal } = new AbortController();
  await expect(retryUntilStored(work, { report: () => undefined, signal })).rejects.toThrow("a defect");
});

test("a command names the full disk instead of a stack", () => {
  expect(explainCommandError(full).text).toMatch(/^koma: the disk .* is full\./);
});
