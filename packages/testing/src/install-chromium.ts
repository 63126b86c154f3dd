import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Unpacks the Chromium of npm, with its libraries and fonts, and returns the path of a program that starts it. It has
 * no window and no extensions. Returns undefined where npm has none for this machine.
 */
export async function installChromium(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const folder = resolve("node_modules/.cache/chromium");
  const program = join(folder, "start");
  if (existsSync(program)) return program;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // The package unpacks into the folder for temporary files, where other users may write.
  const { TMPDIR: before } = process.env;
  process.env.TMPDIR = folder;
  try {
    const { default: chromium, inflate } = await import("@sparticuz/chromium");
    await chromium.executablePath();
    await inflate(fileURLToPath(new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium"))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  const script = `#!/bin/sh
LD_LIBRARY_PATH='${folder}/al2023/lib' FONTCONFIG_PATH='${folder}/fonts' exec '${folder}/chromium' "$@"
`;
  await writeFile(program, script, { mode: 0o755 });
  return program;
}
