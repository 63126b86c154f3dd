import { spawnSync } from "node:child_process";
import { accessSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const file = ".github/workflows/release.yml";
const { jobs, permissions } = parse(readFileSync(root + file, "utf8")) as Workflow;
const steps = Object.values(jobs).flatMap((job) => job.steps);
const commands = steps.flatMap(({ run }) => run ?? []).join("\n");

const folder = mkdtempSync(join(tmpdir(), "koma-release-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the release workflow grants each job what it writes, and no action but the official ones", () => {
  expect(permissions).toEqual({});
  const granted = Object.entries(jobs).map(([name, job]) => [name, job.permissions]);
  expect(Object.fromEntries(granted)).toEqual({
    test: { contents: "read" },
    image: { contents: "read", packages: "write" },
    release: { contents: "write", packages: "write" },
  });
  for (const { uses } of steps)
    expect(uses ?? "actions/none@v1").toMatch(/^(?:actions|docker)\/[\w-]+@v\d+$/);
});

test("what the release workflow names exists", () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const names = [...commands.matchAll(/\bnpm (?:run )?(\w\S*)/g)].map(([, name]) => name);
  expect(names).toContain("test");
  for (const name of names) expect(Object.keys(scripts)).toContain(name);
  const inputs = steps.flatMap((step) => step.with?.["node-version-file"] ?? []);
  const files = [...inputs, ...(commands.match(/\b(?:scripts|deploy|apps)\/[\w./-]+/g) ?? [])];
  expect(new Set(files)).toEqual(new Set([".nvmrc", "scripts/release-notes.mjs"]));
  for (const name of files) expect(() => accessSync(root + name)).not.toThrow();
  const needed = Object.values(jobs).flatMap(({ needs }) => needs ?? []);
  expect(Object.keys(jobs)).toEqual(expect.arrayContaining(needed));
});

test.each([
  ["v2.0.1", 0, "### Added\n\n- Search.\n", ""],
  ["v2.0.0", 1, "", "package.json has the version 2.0.1, not 2.0.0.\n"],
])("the notes of %s", (tag, status, stdout, stderr) => {
  writeRelease("## 2.0.1\n\n### Added\n\n- Search.\n\n## 2.0.0\n\n- Other.\n");
  expect(printNotes(tag)).toMatchObject({ status, stdout, stderr });
});

test.each(["## Unreleased\n\n- Search.\n", "## 2.0.1\n\n## 2.0.0\n\n- Other.\n"])(
  "a changelog without notes of the version: %j",
  (changelog) => {
    writeRelease(changelog);
    const stderr = 'CHANGELOG.md has no section "## 2.0.1".\n';
    expect(printNotes("v2.0.1")).toMatchObject({ status: 1, stdout: "", stderr });
  },
);

test("a package of another version is no release", () => {
  writeRelease("## 2.0.1\n\n- Search.\n", "2.0.0");
  const stderr = "apps/cli has the version 2.0.0, not 2.0.1.\n";
  expect(printNotes("v2.0.1")).toMatchObject({ status: 1, stdout: "", stderr });
});

/** A repository of version 2.0.1 in the folder of the test. */
function writeRelease(changelog: string, cliVersion = "2.0.1"): void {
  mkdirSync(join(folder, "scripts"), { recursive: true });
  cpSync(`${root}scripts/release-notes.mjs`, join(folder, "scripts/release-notes.mjs"));
  const packages = {
    "": { version: "2.0.1" },
    "apps/cli": { version: cliVersion },
    "apps/cli/node_modules/yaml": { version: "2.9.0" },
    "node_modules/@koma/cli": { resolved: "apps/cli", link: true },
  };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  writeFileSync(join(folder, "CHANGELOG.md"), `# Changelog\n\n${changelog}`);
}

function printNotes(tag: string) {
  return spawnSync(process.execPath, [join(folder, "scripts/release-notes.mjs"), tag], { encoding: "utf8" });
}

type Workflow = {
  permissions: object;
  jobs: {
    [name: string]: {
      permissions: object;
      needs?: string;
      steps: { uses?: string; run?: string; with?: { "node-version-file"?: string } }[];
    };
  };
};
