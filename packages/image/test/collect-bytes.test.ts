import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { collectBytes } from "../src/index.ts";

const limit = { limitBytes: 1_000_000, createLimitError: () => new RangeError("too long") };

function* split(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

function createCountingBudget(limitBytes = Number.POSITIVE_INFINITY) {
  const counted = { bytes: 0, peakBytes: 0 };
  return {
    counted,
    take(bytes: number) {
      if (counted.bytes + bytes > limitBytes) throw new Error("no memory left");
      counted.bytes += bytes;
      counted.peakBytes = Math.max(counted.peakBytes, counted.bytes);
    },
    release(bytes: number) {
      counted.bytes -= bytes;
    },
  };
}

it("joins chunks of any size", async () => {
  const bytes = randomBytes(300_000);
  for (const size of [1, 7, 65_535, 65_536, 65_537, 300_000]) {
    const joined = await collectBytes(split(bytes, size), limit);
    expect(joined.equals(bytes), `chunks of ${size} bytes`).toBe(true);
  }
  expect(await collectBytes([], limit)).toHaveLength(0);
});

it("stops at the chunk that exceeds the limit", async () => {
  let sent = 0;
  const endless = (function* () {
    for (;;) {
      sent++;
      yield new Uint8Array(100_000);
    }
  })();
  await expect(collectBytes(endless, limit)).rejects.toThrow("too long");
  expect(sent).toBe(11);
  expect(await collectBytes([new Uint8Array(1_000_000)], limit)).toHaveLength(1_000_000);
});

it("takes the memory of blocks and result from the budget, and keeps that of the result", async () => {
  const budget = createCountingBudget();
  await collectBytes(split(new Uint8Array(100_000), 1), { ...limit, budget });
  expect(budget.counted).toEqual({ bytes: 100_000, peakBytes: 2 * 65_536 + 100_000 });
  await expect(
    collectBytes([Uint8Array.of(1)], { ...limit, budget: createCountingBudget(65_535) }),
  ).rejects.toThrow("no memory left");
});

it("needs one byte of memory per 1-byte chunk", async () => {
  const before = process.memoryUsage();
  let heldBytes = 0;
  const one = Buffer.from([7]);
  const chunks = (function* () {
    // Chunks in the form of a socket's: views of a larger buffer.
    for (let at = 0; at < 999_999; at++) yield one.subarray();
    gc();
    const { heapUsed, external } = process.memoryUsage();
    heldBytes = heapUsed + external - before.heapUsed - before.external;
  })();
  await collectBytes(chunks, limit);
  expect(heldBytes).toBeLessThan(20_000_000);
});

function gc(): void {
  if (globalThis.gc === undefined) throw new Error("run with --expose-gc");
  globalThis.gc();
}
