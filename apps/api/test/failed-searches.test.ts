import pg from "pg";
import { expect, test } from "vitest";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";

const library = await openTestLibrary();

test("a failed search does not pay for the time that it waits for a busy database", async () => {
  const api = await library.openApi({ KOMA_FAILED_SEARCH_SECONDS: "1" });
  const from = nextGuest();
  const image = await readImage("Alpha Show 2.jpg");
  const other = new pg.Client({ connectionString: library.databaseUrl });
  await other.connect();
  await other.query("BEGIN");
  await other.query(`LOCK TABLE "QuotaReservation", "Attempt"`);
  const failed = api.search({ image: image.slice(0, 300) }, { from });
  await other.query("SELECT pg_sleep(1.1)");
  await other.query("COMMIT");
  await other.end();
  expect((await failed).status).toBe(422);
  expect((await api.search({ image }, { from })).status).toBe(200);
});
