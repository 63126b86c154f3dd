import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../dist/page/", import.meta.url));
const files = await readdir(folder, { recursive: true });
const html = await readFile(`${folder}index.html`, "utf8");

/** A script of the build and the scripts that it imports statically. */
async function findScripts(entry: string): Promise<Set<string>> {
  const found = new Set([entry]);
  for (const file of found) {
    const text = await readFile(`${folder}${file}`, "utf8");
    for (const [, name] of text.matchAll(/\b(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      found.add(`assets/${name}`);
  }
  return found;
}

const entry = /<script type="module"[^>]* src="\.\/(assets\/[^"]+)"/.exec(html)?.[1] ?? "";
const preloaded = [...html.matchAll(/<link rel="modulepreload"[^>]* href="\.\/(assets\/[^"]+)"/g)].map(
  ([, file = ""]) => file,
);

test("the start script loads the texts while the scripts of the page are preloaded", async () => {
  const started = await findScripts(entry);
  const page = preloaded.find((file) => file.startsWith("assets/main-")) ?? "";
  expect(started).not.toContain(page);
  const all = new Set([...started, ...(await findScripts(page))]);
  expect([...all].toSorted()).toEqual([entry, ...preloaded].toSorted());
});

test("the JavaScript of the first load is under 100 kB compressed", async () => {
  const loaded = [entry, ...preloaded];
  // The largest language is loaded in addition.
  const languages = files.filter((name) => /^assets\/page-[^/]+\.js$/.test(name));
  const sizes = await Promise.all(
    loaded.map(async (file) => gzipSync(await readFile(`${folder}${file}`)).length),
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

test("has icons for home screens, old browsers and link previews", async () => {
  const manifest = JSON.parse(await readFile(`${folder}manifest.webmanifest`, "utf8"));
  const icons = new Map<string, string>(
    manifest.icons.map(({ src, sizes }: { src: string; sizes: string }) => [src, sizes]),
  );
  icons.set("apple-touch-icon.png", "180x180").set("link-preview.png", "1200x630").delete("favicon.svg");
  expect(icons.size).toBe(5);
  for (const [name, sizes] of icons) {
    const { width, height, format } = await sharp(await readFile(`${folder}${name}`)).metadata();
    expect([name, format, `${width}x${height}`]).toEqual([name, "png", sizes]);
  }
  const ico = await readFile(`${folder}favicon.ico`);
  expect((await sharp(ico.subarray(22)).metadata()).width).toBe(32);
  for (const name of ["favicon.ico", "favicon.svg", "apple-touch-icon.png"])
    expect(html).toContain(`href="./${name}"`);
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
