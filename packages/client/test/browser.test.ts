import { readFileSync } from "node:fs";
import ts from "typescript-api";
import { expect, test } from "vitest";

test("a bundle for browsers contains no Node module", () => {
  const contract = new URL("../package.json", import.meta.resolve("@koma/contract"));
  // This lets a bundler omit modules of the contract that the client does not import from.
  expect(JSON.parse(readFileSync(contract, "utf8"))).toMatchObject({ sideEffects: false });
  const files = new Set([import.meta.resolve("@koma/client")]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const from of readImports(file)) {
      if (from.startsWith(".")) files.add(new URL(from, file).href);
      else packages.add(from);
    }
  }
  // A test of the contract does the same with its files.
  expect([...packages]).toEqual(["@koma/contract"]);
});

function readImports(file: string): string[] {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const text = ts.transpileModule(readFileSync(new URL(file), "utf8"), { compilerOptions }).outputText;
  return [...text.matchAll(/\bfrom "([^"]+)"/g)].map(([, from = ""]) => from);
}
