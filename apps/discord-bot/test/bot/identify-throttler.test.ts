import { expect, test } from "vitest";
import { createIdentifyThrottler } from "../../src/discord/identify-throttler.ts";

test("a process that misses its turn reserves another one, three in all", async () => {
  let turns = 0;
  const throttler = createIdentifyThrottler({
    maxConcurrency: 1,
    async reserveTurn() {
      turns += 1;
      // The turn began a second before the process could use it.
      return -1000;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  await throttler.waitForIdentify(0, new AbortController().signal);
  expect(turns).toBe(3);
});
