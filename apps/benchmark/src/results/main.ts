import { readFile, writeFile } from "node:fs/promises";
import { runCommand } from "../run-command.ts";
import { hashSources, readResults, readVersion, repository } from "./stored-result.ts";
import { tables } from "./tables.ts";

const documents = ["README.md", "docs/decisions/times.md", "docs/decisions/hnsw-index.md"];
/** Figures of older code must be measured again when Koma's minor version has grown by this much. */
const MOST_MINORS = 2;
const block = /(<!-- results:([a-z-]+) -->)[\s\S]*?(<!-- results:end -->)/g;

await runCommand(async () => await main(process.argv.includes("--check")));

/**
 * Writes the stored figures into the documents. With --check it changes nothing, and fails for a document
 * that states other figures, and for figures that are too old.
 */
async function main(isCheck: boolean): Promise<number> {
  const results = await readResults();
  const problems: string[] = [];
  for (const name of documents) {
    const file = new URL(name, repository);
    const text = await readFile(file, "utf8");
    let count = 0;
    const expected = text.replaceAll(block, (_, start: string, table: string, end: string) => {
      const render = tables[table];
      if (render === undefined) throw new Error(`${name} names the table ${table}, which does not exist.`);
      count += 1;
      return `${start}\n${render(results)}\n${end}`;
    });
    if (count === 0) problems.push(`${name} has no table of results.`);
    if (expected === text) continue;
    if (isCheck) problems.push(`${name} states other figures than the stored ones: run \`npm run results\`.`);
    else await writeFile(file, expected);
  }
  const sources = await hashSources();
  for (const [name, result] of Object.entries(results)) {
    if (result.sources === sources) continue;
    const remedy = `Measure them again: ${result.command} --result`;
    const [present, measured] = [minorOf(await readVersion()), minorOf(result.version)];
    if (present - measured >= MOST_MINORS)
      problems.push(`The figures of ${name} are of version ${result.version}. ${remedy}`);
    else
      console.error(
        `The figures of ${name} are of ${result.commit}, before the last changes of the engine. ${remedy}`,
      );
  }
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

function minorOf(version: string): number {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major * 1000 + minor;
}
