import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { languages } from "../src/index.ts";

/** The files that a file of `dist` loads at once, itself first, and what comes from outside the package. */
function follow(file: URL, files = new Set<string>(), packages = new Set<string>()) {
  if (files.has(file.href)) return { files, packages };
  files.add(file.href);
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/\bfrom "([^"]+)"/g)) {
    if (name.startsWith(".")) follow(new URL(name, file), files, packages);
    else packages.add(name);
  }
  return { files, packages };
}

const page = new URL(import.meta.resolve("@koma/messages/page"));
const textsOf = (language: string) => new URL(`./languages/${language}/page.js`, page);
const sizeOf = (files: Iterable<string>) =>
  gzipSync([...files].map((file) => readFileSync(new URL(file), "utf8")).join("\n")).length;

test("the page's entry loads no language before it is asked for one, and nothing of Node", () => {
  const { files, packages } = follow(page);
  expect([...packages]).toEqual(["i18next"]);
  expect([...files].filter((file) => file.includes("/languages/"))).toEqual([]);
});

test.each(languages)("%s is small, and alone", (language) => {
  const { files, packages } = follow(textsOf(language));
  expect(packages.size).toBe(0);
  const foreign = [...files].filter(
    (file) => /\/languages\//.test(file) && !file.includes(`/languages/${language}/`),
  );
  expect(foreign).toEqual([]);
  expect(sizeOf(files)).toBeLessThan(16_000);
});

test("all that the page needs to speak one language is a small part of its 100 kB", () => {
  const library = new URL("../../i18next.min.js", import.meta.resolve("i18next"));
  const runtime = sizeOf([...follow(page).files, library.href]);
  const largest = Math.max(...languages.map((language) => sizeOf(follow(textsOf(language)).files)));
  expect(runtime + largest).toBeLessThan(36_000);
});
