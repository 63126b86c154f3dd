import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import ts from "typescript-api";
import { expect, test } from "vitest";
import { languages } from "../src/index.ts";

/** A module with its types removed; a JSON file unchanged. */
function readModule(file: URL | string): string {
  const source = readFileSync(new URL(file), "utf8");
  if (new URL(file).pathname.endsWith(".json")) return source;
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

/** The files that a module loads statically, itself first, and its imports from other packages. */
function follow(file: URL, files = new Set<string>(), packages = new Set<string>()) {
  if (files.has(file.href)) return { files, packages };
  files.add(file.href);
  for (const [, name = ""] of readModule(file).matchAll(/\bfrom "([^"]+)"/g)) {
    if (name.startsWith(".")) follow(new URL(name, file), files, packages);
    else packages.add(name);
  }
  return { files, packages };
}

const page = new URL(import.meta.resolve("@koma/messages/page"));
const textsOf = (language: string) => new URL(`./locales/${language}/page.ts`, page);
const sizeOf = (files: Iterable<string>) =>
  gzipSync([...files].map((file) => readModule(file)).join("\n")).length;

test("the page's entry loads no language on its own, and no Node module", () => {
  const { files, packages } = follow(page);
  expect([...packages]).toEqual(["i18next"]);
  expect([...files].filter((file) => file.includes("/locales/"))).toEqual([]);
});

test.each(languages)("%s is small and has no imports", (language) => {
  const { files, packages } = follow(textsOf(language));
  expect(packages.size).toBe(0);
  const foreign = [...files].filter(
    (file) => /\/locales\//.test(file) && !file.includes(`/locales/${language}/`),
  );
  expect(foreign).toEqual([]);
  expect(sizeOf(files)).toBeLessThan(16_000);
});

test("the code for one language is a small part of the page's 100 kB", () => {
  const library = new URL("../../i18next.min.js", import.meta.resolve("i18next"));
  const runtime = sizeOf([...follow(page).files, library.href]);
  const largest = Math.max(...languages.map((language) => sizeOf(follow(textsOf(language)).files)));
  expect(runtime + largest).toBeLessThan(36_000);
});
