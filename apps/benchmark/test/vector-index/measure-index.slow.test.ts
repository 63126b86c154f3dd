import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const worker = fileURLToPath(new URL("../../src/vector-index/measure-index.ts", import.meta.url));

// docs/decisions/hnsw-index.md has the results of large indexes.
test("the costs of an index and what it finds are measured", async () => {
  const folder = await mkdtemp(join(tmpdir(), "koma-measure-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const args = ["--expose-gc", worker, "lists", "3000", folder];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const measurement = JSON.parse(stdout);
  expect(measurement).toMatchObject({ implementation: "lists", frames: 3000 });
  for (const name of ["bytesPerFrame", "buildSeconds", "msPerView", "startSeconds"])
    expect(measurement[name], name).toBeGreaterThan(0);
  for (const name of ["foundOf10", "foundOf100"]) expect(measurement[name], name).toBeGreaterThan(0.97);
});
