import { readFile } from "node:fs/promises";
import ts from "typescript-api";
import { expect, test } from "vitest";

/** The packages that a file and its imports load. */
async function findPackages(file: URL, seen = new Set<string>()): Promise<Set<string>> {
  const found = new Set<string>();
  if (seen.has(file.href)) return found;
  seen.add(file.href);
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const text = ts.transpileModule(await readFile(file, "utf8"), { compilerOptions }).outputText;
  for (const [, name = ""] of text.matchAll(/\bfrom "([^"]+)"/g)) {
    if (!name.startsWith(".")) found.add(name);
    else for (const inner of await findPackages(new URL(name, file), seen)) found.add(inner);
  }
  return found;
}

test("the main entry loads only modules that browsers support", async () => {
  const main = new URL(import.meta.resolve("@koma/contract"));
  expect([...(await findPackages(main))]).toEqual(["zod"]);
});
