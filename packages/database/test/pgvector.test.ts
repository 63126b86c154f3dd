import { describe, expect, it, test } from "vitest";
import { checkPgvector } from "../src/frame-index/pgvector.ts";
import { openTestDatabase } from "./open-test-database.ts";

describe("checkPgvector", () => {
  it("rejects a server without the extension and a version before 0.8.0", () => {
    expect(() => checkPgvector(undefined)).toThrow(
      /needs the extension pgvector 0\.8\.0.*postgresql-NN-pgvector/,
    );
    for (const installed of ["0.7.4", "0.5.1"]) {
      expect(() => checkPgvector({ available: "0.8.7", installed })).toThrow(
        new RegExp(`this database has ${installed}.*ALTER EXTENSION vector UPDATE`),
      );
    }
    expect(() => checkPgvector({ available: "0.6.0", installed: null })).toThrow("has 0.6.0");
  });

  it("warns about the defects of 0.8.0 to 0.8.6", () => {
    for (const installed of ["0.8.0", "0.8.6"])
      expect(checkPgvector({ available: "0.8.7", installed })).toMatch(/CVE-2026-3172.*vacuum.*0\.8\.7/);
    for (const available of ["0.8.7", "0.9.0", "0.10.0", "1.0"])
      expect(checkPgvector({ available, installed: null })).toBeUndefined();
  });
});

const { database } = await openTestDatabase();

test("rejects a database or a model that cannot have it", async () => {
  const opening = database.openFrameIndex({ id: "model", dimensions: 64 });
  await expect(opening).rejects.toMatchObject({
    name: "IndexUnavailableError",
    message: expect.stringMatching("128 dimensions"),
  });
});
