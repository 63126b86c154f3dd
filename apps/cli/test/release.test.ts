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

const both = "## 2.0.1\n\n### Added\n\n- Search.\n\n## 2.0.0\n\n- Other.\n";
const noSection = 'CHANGELOG.md has no section "## 2.0.1".\n';
test.each([
  { stdout: "### Added\n\n- Search.\n" },
  { tag: "v2.0.0", stderr: "package.json has the version 2.0.1, not 2.0.0.\n" },
  { changelog: "## Unreleased\n\n- Search.\n", stderr: noSection },
  { changelog: "## 2.0.1\n\n## 2.0.0\n\n- Other.\n", stderr: noSection },
  { cliVersion: "2.0.0", stderr: "apps/cli has the version 2.0.0, not 2.0.1.\n" },
])(
  "the notes of a release: %j",
  ({ tag = "v2.0.1", changelog = both, cliVersion = "2.0.1", stdout = "", stderr = "" }) => {
    writeRelease(changelog, cliVersion);
    const script = join(folder, "scripts/release-notes.mjs");
    const printed = spawnSync(process.execPath, [script, tag], { encoding: "utf8" });
    expect(printed).toMatchObject({ status: stderr === "" ? 0 : 1, stdout, stderr });
  },
);

/** A repository of version 2.0.1 in the folder of the test. */
function writeRelease(changelog: string, cliVersion: string): void {
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
