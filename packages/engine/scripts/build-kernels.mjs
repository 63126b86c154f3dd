// Compiles the kernels (AssemblyScript) to a file kernel-bytes.ts each:
//   npm run build:kernels -w @koma/engine [-- NAME ...]
// npm downloads the compiler on demand in this exact version: it has 100 MB, and only a change of the kernels
// needs it. CI compiles them and compares the files.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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

function build(name, { title, folder: into, options, isVersioned = false }) {
  const sources = path.join(here, "../kernels", name);
  const target = path.join(here, "../src", into, "kernel-bytes.ts");
  const folder = mkdtempSync(path.join(tmpdir(), "koma-kernel-"));
  try {
    const output = path.join(folder, "kernel.wasm");
    const compile = ["exec", "--yes", `--package=${COMPILER}`, "--", "asc"];
    const args = [...compile, path.join(sources, "index.ts"), "-o", output, ...OPTIONS, ...options];
    execFileSync("npm", args, { stdio: ["ignore", "inherit", "inherit"], cwd: sources });
    const bytes = readFileSync(output);
    const lines = bytes.toString("base64").match(/.{1,100}/g) ?? [];
    writeFileSync(
      target,
      `// Written by scripts/build-kernels.mjs with ${COMPILER}; do not edit.
${isVersioned ? `\n/** SHA-256 of the sources. */\nexport const kernelSourcesSha256 = "${hashSources(sources)}";\n` : ""}
/** The compiled kernel of the ${title}, WebAssembly in base64. */
export const kernelBytes = [
${lines.map((line) => `  "${line}",`).join("\n")}
].join("");
`,
    );
    process.stdout.write(`${target}: ${bytes.length} bytes\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
