import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { benchEnvironment } from "./config.ts";
import { watchMemory } from "./watch-memory.ts";

const program = fileURLToPath(import.meta.resolve("@koma/cli/koma"));

/**
 * Runs `koma` in a child process; returns its output, wall time and peak memory by process. Throws when it
 * fails.
 */
export async function runKoma(args: readonly string[], { dataDir }: { dataDir: string }) {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    env: benchEnvironment(dataDir),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const memory = watchMemory(child.pid);
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const peakBytes = memory.stop();
  if (code !== 0) throw new Error(`koma ${args[0]} exited with ${code}`);
  return { stdout, seconds: (performance.now() - startedMs) / 1000, peakBytes };
}
