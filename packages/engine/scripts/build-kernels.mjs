// Compiles the kernels (AssemblyScript) to a kernel.wasm each, which a kernel-bytes.ts with its hash reads:
//   npm run build:kernels -w @koma/engine [-- NAME ...]
// npm downloads the compiler on demand in this exact version: it has 100 MB, and only a change of the kernels
// needs it. CI compiles them and compares the files.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const COMPILER = "assemblyscript@0.28.20";
const OPTIONS = ["-O3", "--noAssert", ...["--runtime", "stub", "--use", "abort=", "--importMemory"]];
const KERNELS = {
  "nearest-neighbours": {
    title: "vector index",
    folder: "nearest-neighbours",
    options: [
      ...["--sharedMemory", "--initialMemory", "2", "--maximumMemory", "65536"],
      ...["--enable", "simd,threads,bulk-memory"],
    ],
  },
  pixels: { title: "sampling of images", folder: "pixels", options: ["--enable", "simd,bulk-memory"] },
  strips: { title: "strips", folder: "strips", options: ["--enable", "simd,bulk-memory"] },
  verification: { title: "verification", folder: "verification", options: ["--enable", "simd,bulk-memory"] },
  "binary-codes": {
    title: "binary codes",
    folder: "nearest-neighbours/binary-codes",
    options: ["--enable", "simd,bulk-memory"],
    // A cache of the index has codes of one version.
    isVersioned: true,
  },
};

const here = path.dirname(fileURLToPath(import.meta.url));
const chosen = process.argv.slice(2);
for (const [name, kernel] of Object.entries(KERNELS)) {
  if (chosen.length === 0 || chosen.includes(name)) build(name, kernel);
}

function build(name, { title, folder, options, isVersioned = false }) {
  const sources = path.join(here, "../kernels", name);
  const target = path.join(here, "../src", folder);
  const output = path.join(target, "kernel.wasm");
  const compile = ["exec", "--yes", `--package=${COMPILER}`, "--", "asc"];
  const args = [...compile, path.join(sources, "index.ts"), "-o", output, ...OPTIONS, ...options];
  execFileSync("npm", args, { stdio: ["ignore", "inherit", "inherit"], cwd: sources });
  const bytes = readFileSync(output);
  // CI compares the hash.
  writeFileSync(
    path.join(target, "kernel-bytes.ts"),
    `// Written by scripts/build-kernels.mjs with ${COMPILER}; do not edit.
// SHA-256 of kernel.wasm: ${createHash("sha256").update(bytes).digest("hex")}
import { readFileSync } from "node:fs";
${isVersioned ? `\n/** SHA-256 of the sources. */\nexport const kernelSourcesSha256 = "${hashSources(sources)}";\n` : ""}
/** The compiled kernel of the ${title}, WebAssembly. */
export const kernelBytes = readFileSync(new URL("./kernel.wasm", import.meta.url));
`,
  );
  process.stdout.write(`${output}: ${bytes.length} bytes\n`);
}

function hashSources(sources) {
  const hash = createHash("sha256");
  for (const name of readdirSync(sources)
    .filter((file) => file.endsWith(".ts"))
    .sort()) {
    hash.update(`${name}\n`).update(readFileSync(path.join(sources, name)));
  }
  return hash.digest("hex");
}
