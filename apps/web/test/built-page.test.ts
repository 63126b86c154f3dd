import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../dist/page/", import.meta.url));
const files = await readdir(folder, { recursive: true });
const html = await readFile(`${folder}index.html`, "utf8");

test("the JavaScript of the first load is under 100 kB compressed", async () => {
  const entry = /<script type="module"[^>]* src="\.\/(assets\/[^"]+)"/.exec(html)?.[1];
  if (entry === undefined) throw new Error("The page has no script.");
  const loaded = new Set([entry]);
  for (const file of loaded) {
    const text = await readFile(`${folder}${file}`, "utf8");
    for (const [, name] of text.matchAll(/\b(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      loaded.add(`assets/${name}`);
  }
  // The largest language is loaded in addition.
  const languages = files.filter((name) => /^assets\/page-[^/]+\.js$/.test(name));
  const sizes = await Promise.all(
    [...loaded].map(async (file) => gzipSync(await readFile(`${folder}${file}`)).length),
  );
  const largest = Math.max(
    ...(await Promise.all(
      languages.map(async (file) => gzipSync(await readFile(`${folder}${file}`)).length),
    )),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, largest);
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(100_000);
});

test("contains nothing inline or from other origins, and a compressed copy of each file", () => {
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style="|\bon\w+="/);
  expect([...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)).toEqual(
    expect.arrayContaining(["/", "./favicon.svg"]),
  );
  for (const [, address = ""] of html.matchAll(/(?:src|href)="([^"]+)"/g))
    expect(address).toMatch(/^(?:\.\/|\/$|docs$)/);
  for (const name of files.filter((file) => /\.(?:js|css)$/.test(file))) {
    expect(files).toContain(`${name}.br`);
    expect(files).toContain(`${name}.gz`);
  }
});
