import { Quota, SearchResult } from "@koma/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nextGuest, openTestLibrary, readImage, type TestClient } from "./fixtures/open-test-api.ts";

let library: Awaited<ReturnType<typeof openTestLibrary>>;
let api: TestClient;
beforeAll(async () => {
  library = await openTestLibrary();
  api = await library.openApi();
});
afterAll(() => library.close());

const withKey = (key: string) => ({ "idempotency-key": key });
const remainingOf = async (from: string): Promise<number> => {
  const response = await api.call("/api/anime/quota", {
    headers: { "x-forwarded-for": from },
  });
  return Quota.parse(response.body).remaining;
};

test("the same key gets the first answer again, free of charge, even with nothing left", async () => {
  const limited = await library.openApi({ KOMA_GUEST_SEARCHES_PER_DAY: "1" });
  const from = nextGuest();
  const image = await readImage("Alpha Show 2.jpg");
  const first = await limited.search({ image }, { from, headers: withKey("first") });
  expect(first.status).toBe(200);
  expect((await limited.search({ image }, { from })).status).toBe(429);
  const again = await limited.search({ image }, { from, headers: withKey("first") });
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
});

test("the same key with another request gets the first answer, another caller's key is another key", async () => {
  const from = nextGuest();
  const image = await readImage("Alpha Show 2.jpg");
  const first = await api.search({ image }, { from, headers: withKey("k") });
  const others = [
    { image: await readImage("Alpha Show 6.jpg") },
    { image, isPublic: "false" },
    { url: "http://pictures.example/" },
  ];
  for (const fields of others) {
    const response = await api.search(fields, { from, headers: withKey("k") });
    expect([response.status, response.body]).toEqual([200, first.body]);
  }
  const guest = await api.search({ image }, { headers: withKey("k") });
  expect(SearchResult.parse(guest.body).id).not.toBe(SearchResult.parse(first.body).id);
  expect(await remainingOf(from)).toBe(4);
});

test("requests with one key at the same time become one search", async () => {
  const from = nextGuest();
  const image = await readImage("Beta Show 2.png");
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => api.search({ image }, { from, headers: withKey("at once") })),
  );
  expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(new Set(responses.map((response) => SearchResult.parse(response.body).id)).size).toBe(1);
  expect(await remainingOf(from)).toBe(4);
});

test("a failure does not use the key up", async () => {
  const from = nextGuest();
  const image = new Blob(["no picture"]);
  expect((await api.search({ image }, { from, headers: withKey("k") })).status).toBe(415);
  const validImage = await readImage("Alpha Show 2.jpg");
  expect((await api.search({ image: validImage }, { from, headers: withKey("k") })).status).toBe(200);
});

test("a key that is no key is refused", async () => {
  const image = await readImage("Alpha Show 2.jpg");
  const response = await api.search({ image }, { headers: withKey("x".repeat(256)) });
  expect(response.body).toMatchObject({
    code: "invalid_request",
    errors: [{ path: "idempotency-key" }],
  });
});
