import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { announce } from "./announce.mjs";
import { runChild } from "./run-child.mjs";
import { StarterError } from "./starter-error.mjs";

const stampFile = ".turbo/koma-build.json";
const workspaceInputs = ["src", "scripts", "package.json", "tsconfig.json", "vite.config.ts"];
// Nothing that npm start runs needs the browser extension, and its two builds take seconds.
const extension = "apps/extension";
const rootInputs = ["prisma", "package-lock.json", "tsconfig.json", "turbo.json"];

/** Builds every workspace whose sources changed (turbo keeps the rest); throws a StarterError with the compiler's words. */
export async function ensureBuilt({ root, interruption, lock }) {
  const fingerprint = fingerprintInputs(root);
  const done = announce("Building");
  let result;
  try {
    const turbo = path.join(root, "node_modules/turbo/bin/turbo");
    const args = ["run", "build", `--filter=!./${extension}`, "--output-logs=errors-only", "--ui=stream"];
    result = await runChild("node", [turbo, ...args], {
      cwd: root,
      env: { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
      interruption,
      lock,
    });
  } catch (error) {
    done(false);
    throw error;
  }
  done(result.code === 0);
  if (result.code !== 0) throw new StarterError(`Koma could not be built:\n\n${result.output.trim()}`);
  mkdirSync(path.dirname(path.join(root, stampFile)), { recursive: true });
  writeFileSync(path.join(root, stampFile), JSON.stringify({ fingerprint }));
}

/** Whether everything is built from the sources as they are. */
ensureBuilt.isDone = (root) => {
  if (!workspaces(root).every((folder) => existsSync(path.join(root, folder, "dist/.tsbuildinfo"))))
    return false;
  try {
    return (
      JSON.parse(readFileSync(path.join(root, stampFile), "utf8")).fingerprint === fingerprintInputs(root)
    );
  } catch {
    return false;
  }
};

/** Sizes and times of all inputs of the build: 10 ms instead of the second that asking turbo costs. */
function fingerprintInputs(root) {
  const hash = createHash("sha256");
  const inputs = [
    ...rootInputs,
    ...workspaces(root).flatMap((folder) => workspaceInputs.map((input) => path.join(folder, input))),
  ];
  for (const input of inputs) addToHash(hash, path.join(root, input));
  return hash.digest("hex");
}

function addToHash(hash, file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) {
    hash.update(`${file}\0${stat.size}\0${stat.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(file).sort()) {
    if (name !== "generated") addToHash(hash, path.join(file, name));
  }
}

function workspaces(root) {
  return ["packages", "apps"].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .sort()
      .map((name) => path.join(folder, name))
      .filter(
        (workspace) => workspace !== extension && existsSync(path.join(root, workspace, "tsconfig.json")),
      ),
  );
}
