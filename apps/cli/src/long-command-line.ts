import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../bin/koma.js", import.meta.url));
const argumentPipe = 3;
// Says to a child that its arguments come through the pipe.
const marker = "--arguments-from-pipe";
// onnxruntime 1.30 matches /proc/self/cmdline with a recursive regular expression when its first session opens: at about
// 16 KB a worker's stack overflows and the process is gone (seen, SIGSEGV).
const limitBytes = 4096;

/** The arguments as given by the person: those of this process, or what a parent with too many of them sends. */
export function receiveArguments(args: readonly string[]): readonly string[] {
  if (args[0] !== marker) return args;
  return JSON.parse(readFileSync(argumentPipe, "utf8"));
}

/** Whether this process has more arguments than it can carry; thousands of pictures are such a case. */
export function isLongCommandLine(): boolean {
  return process.argv.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0) > limitBytes;
}

/** Runs `koma` with these arguments in a child with a short command line; resolves with its exit code. */
export async function runWithShortCommandLine(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, program, marker], {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on("SIGINT", pass).on("SIGTERM", pass);
  const pipe = child.stdio[argumentPipe];
  if (pipe instanceof Writable) pipe.on("error", () => {}).end(JSON.stringify(args));
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? 1));
    });
  } finally {
    process.off("SIGINT", pass).off("SIGTERM", pass);
  }
}
