import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript-api";
import { expect, test } from "vitest";

const entry = import.meta.resolve("@koma/client");

test("a bundle for browsers contains no Node module", () => {
  const contract = new URL("../package.json", import.meta.resolve("@koma/contract"));
  // This lets a bundler omit modules of the contract that the client does not import from.
  expect(JSON.parse(readFileSync(contract, "utf8"))).toMatchObject({ sideEffects: false });
  const { files, packages } = walkImports();
  expect(files.some((file) => file.endsWith("/search-anime.ts"))).toBe(true);
  expect([...packages]).toEqual(["zod"]);
});

/** All modules that the built client needs; of the contract's only those that it imports a name from. */
function walkImports(): { files: string[]; packages: Set<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const { names, from } of readImports(file)) {
      if (from.startsWith(".")) files.add(new URL(from, file).href);
      else if (from === "@koma/contract") for (const source of findSources(names)) files.add(source);
      else packages.add(from);
    }
  }
  return { files: [...files], packages };
}

function findSources(names: string[]): string[] {
  const index = import.meta.resolve("@koma/contract");
  const exports = readImports(index);
  return names.map((name) => {
    const source = exports.find(
      ({ names, from }) =>
        names.includes(name) || (names.includes("*") && definesName(new URL(from, index), name)),
    );
    if (source === undefined) throw new Error(`@koma/contract does not export ${name}.`);
    return new URL(source.from, index).href;
  });
}

function definesName(file: URL, name: string): boolean {
  return new RegExp(`^export (?:const|(?:async )?function) ${name}\\b`, "m").test(readFileSync(file, "utf8"));
}

function readImports(file: string): { names: string[]; from: string }[] {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const text = ts.transpileModule(readFileSync(fileURLToPath(file), "utf8"), { compilerOptions }).outputText;
  return [...text.matchAll(/^(?:import|export) (?:([^"';]*?) from )?"([^"]+)";/gm)].map(
    ([, names = "", from = ""]) => ({
      names: names
        .replace(/[{}]/g, "")
        .split(",")
        .map((name) => name.trim()),
      from,
    }),
  );
}
