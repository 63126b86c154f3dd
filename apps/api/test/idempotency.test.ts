import { SearchResult } from "@koma/contract";
import { expect, test } from "vitest";
import { expectProblem } from "./fixtures/expect-problem.ts";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { readQuota } from "./fixtures/test-users.ts";

const library = await openTestLibrary();
const api = await library.openApi();
const image = await readImage("Alpha Show 2.jpg");

const withKey = (key: string) => ({ "idempotency-key": key });

test("returns the first response again for the same key, without a charge, even with no credits left", async () => {
  const limited = await library.openApi({ KOMA_GUEST_SEARCHES_PER_DAY: "1" });
  const from = nextGuest();
  const first = await limited.search({ image }, { from, headers: withKey("first") });
  expect(first.status).toBe(200);
  expect((await limited.search({ image }, { from })).status).toBe(429);
  const again = await limited.search({ image }, { from, headers: withKey("first") });
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
});

test("rejects other values under a guest's key, and separates the keys of guests", async () => {
  const from = nextGuest();
  const first = await api.search({ image }, { from, headers: withKey("k") });
  const others = [
    { image: await readImage("Alpha Show 6.jpg") },
    { image, isPublic: "false" },
    { url: "http://pictures.example/" },
  ];
  for (const fields of others) {
    const response = await api.search(fields, { from, headers: withKey("k") });
    expectProblem(response, "idempotency_key_reused");
  }
  const again = await api.search({ image }, { from, headers: withKey("k") });
  expect([again.status, again.body]).toEqual([200, first.body]);
  const guest = await api.search({ image }, { headers: withKey("k") });
  expect(SearchResult.parse(guest.body).id).not.toBe(SearchResult.parse(first.body).id);
  expect(await readQuota(api, { "x-forwarded-for": from })).toMatchObject({ remaining: 4 });
});

test("derives the outcome of a response that an earlier version stored without one", async () => {
  const from = nextGuest();
  const send = () => api.search({ image }, { from, headers: withKey("old") });
  const first = SearchResult.parse((await send()).body);
  await library.query(
    `UPDATE "IdempotentAnswer" SET "requestHash" = '', "answer" = "answer" - 'outcome' WHERE "answer"->>'id' = $1`,
    [first.id],
  );
  expect((await send()).body).toEqual(first);
});

test("a failure does not consume the key", async () => {
  const from = nextGuest();
  const search = (image: Blob) => api.search({ image }, { from, headers: withKey("k") });
  expect((await search(new Blob(["no picture"]))).status).toBe(415);
  expect((await search(image)).status).toBe(200);
});

test("a request that fails with the database is searched again at once, although its lease was not released", async () => {
  const { searches, idempotency, quota } = library.database;
  let isAway = true;
  const unlessAway =
    <Params extends unknown[], Result>(call: (...params: Params) => Promise<Result>) =>
    async (...params: Params): Promise<Result> => {
      if (isAway) throw new Error("The database is away.");
      return await call(...params);
    };
  const database = {
    ...library.database,
    searches: { ...searches, settle: unlessAway(searches.settle) },
    idempotency: { ...idempotency, release: unlessAway(idempotency.release) },
    quota: { ...quota, release: unlessAway(quota.release) },
  };
  const failing = await library.openApi({}, { database, leaseSeconds: 600 });
  const from = nextGuest();
  const send = () => failing.search({ image }, { from, headers: withKey("k") });
  expect((await send()).status).toBe(500);
  isAway = false;
  const first = await send();
  expect(first.status).toBe(200);
  expect(await send()).toMatchObject({ status: 200, body: first.body });
});

test("rejects an invalid key", async () => {
  const response = await api.search({ image }, { headers: withKey("x".repeat(256)) });
  expectProblem(response, "invalid_request", { errors: [{ path: "idempotency-key" }] });
});
