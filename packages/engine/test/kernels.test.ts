import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { kernelSourcesSha256 as image } from "../src/image/kernel-bytes.ts";
import { kernelSourcesSha256 as signCodes } from "../src/index/sign-codes/kernel-bytes.ts";
import { kernelSourcesSha256 as vectorIndex } from "../src/vector-index/kernel-bytes.ts";
import { kernelSourcesSha256 as verification } from "../src/verification/kernel-bytes.ts";

it.each([
  ["vector-index", vectorIndex],
  ["image", image],
  ["verification", verification],
  ["sign-codes", signCodes],
])("contains the kernel %s that its sources define", async (name, expected) => {
  const folder = new URL(`../kernels/${name}/`, import.meta.url);
  const hash = createHash("sha256");
  for (const file of (await readdir(folder)).filter((entry) => entry.endsWith(".ts")).sort()) {
    hash.update(`${file}\n`).update(await readFile(new URL(file, folder)));
  }
  expect(expected, "run npm run build:kernels -w @koma/engine").toBe(hash.digest("hex"));
});
