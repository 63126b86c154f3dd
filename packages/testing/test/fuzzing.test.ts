import { expect, test } from "vitest";
import { fuzzKinds, openFuzzRequests, writeRequest } from "../src/fuzzing/index.ts";

test.each(fuzzKinds)("a request of kind %s depends on the seed and its number alone", async (kind) => {
  const videos = [Buffer.from("a video")];
  const [first, again, other] = await Promise.all(
    [1, 1, 2].map((seed) => openFuzzRequests({ seed, videos })),
  );
  const write = (generator: typeof first, index: number) =>
    generator && writeRequest(generator.create(kind, index), "2001:db8::1").toString("latin1");
  const requests = Array.from({ length: 20 }, (_, index) => write(first, index));
  // The order of the calls has no influence.
  const repeated = Array.from({ length: 20 }, (_, index) => write(again, 19 - index)).reverse();
  expect(repeated).toEqual(requests);
  expect(new Set(requests).size).toBeGreaterThan(10);
  expect(Array.from({ length: 20 }, (_, index) => write(other, index))).not.toEqual(requests);
});
