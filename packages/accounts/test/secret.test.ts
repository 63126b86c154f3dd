import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deriveKey, openSecret } from "../src/secret.ts";

test("a secret is made once, kept for its owner only, and the same for all who start at once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "koma-secret-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const dataDir = join(folder, "data");
  const secrets = await Promise.all(Array.from({ length: 4 }, () => openSecret({ dataDir })));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[\w-]{43}$/);
  expect(await openSecret({ dataDir })).toBe(secrets[0]);
  expect((await stat(join(dataDir, "secret"))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(["secret"]);
});

test("a configured secret is taken as it is; keys differ by purpose", async () => {
  expect(await openSecret({ dataDir: "/nowhere", given: "configured" })).toBe("configured");
  expect(deriveKey("s", "caller").equals(deriveKey("s", "preview"))).toBe(false);
  expect(deriveKey("s", "caller").equals(deriveKey("s", "caller"))).toBe(true);
});
