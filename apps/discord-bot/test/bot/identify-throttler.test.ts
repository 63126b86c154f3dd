import { expect, test } from "vitest";
import { createIdentifyThrottler } from "../../src/discord/identify-throttler.ts";

test("a process that misses its slot reserves another one, three in all", async () => {
  let slots = 0;
  const throttler = createIdentifyThrottler({
    maxConcurrency: 1,
    async reserveSlot() {
      slots += 1;
      // The slot began a second before the process could use it.
      return -1000;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  await throttler.waitForIdentify(0, new AbortController().signal);
  expect(slots).toBe(3);
});
