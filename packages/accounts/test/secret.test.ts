import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deriveKey, openSecret } from "../src/secret.ts";

test("a secret is created once, readable by its owner only, and shared by concurrent starts", async () => {
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

test.each(["", "\n", `${" ".repeat(40)}\n`, "half-written-secret", "x".repeat(31)])(
  "the secret %j in the file is rejected with the file's name, and the file does not change",
  async (content) => {
    const dataDir = await mkdtemp(join(tmpdir(), "koma-secret-"));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const file = join(dataDir, "secret");
    await writeFile(file, content);
    const error = await openSecret({ dataDir }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "ConfigurationError" });
    expect(String(error)).toContain(`${file} must have at least 32 characters: restore it from a backup`);
    expect(await readFile(file, "utf8")).toBe(content);
  },
);

test("a secret of 32 characters in the file is accepted", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "koma-secret-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await writeFile(join(dataDir, "secret"), ` ${"x".repeat(32)}\n`);
  expect(await openSecret({ dataDir })).toBe("x".repeat(32));
});

test("a configured secret is used unchanged; keys differ by purpose", async () => {
  expect(await openSecret({ dataDir: "/nowhere", environmentSecret: "configured" })).toBe("configured");
  expect(deriveKey("s", "caller").equals(deriveKey("s", "preview"))).toBe(false);
  expect(deriveKey("s", "caller").equals(deriveKey("s", "caller"))).toBe(true);
});
