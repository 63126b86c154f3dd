import { type ChildProcess, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { Readable } from "node:stream";
import { toolEnvironment, untrustedEnvironment } from "./config.ts";
import { createErrorTail } from "./error-tail.ts";
import type { VideoLimits } from "./ffmpeg-tools.ts";
import { limitCommand } from "./limit-tools.ts";
import { ToolStoppedError } from "./tool-stopped-error.ts";

/** A running ffmpeg or ffprobe. Its standard error is always read, so it never blocks on it. */
export type Tool = {
  /** Raw standard output, paused until read. */
  stdout: Readable;
  /** What the tool writes to `pipe:3`, paused until read; undefined unless requested. */
  secondOutput: Readable | undefined;
  /**
   * Settles when the process has exited and its output was read; rejects only when it could not be started.
   */
  ended: Promise<ToolExit>;
  /** Kills the process (idempotent); `ended` resolves after its exit. */
  stop(): void;
};

/** The exit of a tool; `reason` contains its last error lines without paths, or an empty string. */
export type ToolEnding = { exitCode: number | null; reason: string };

/** `wasStopped`: it received one of the signals that end a service or a terminal's programs. */
type ToolExit = ToolEnding & { wasStopped: boolean };

type ToolOptions = {
  onInfoLine?: (line: string) => void;
  signal?: AbortSignal | undefined;
  limits?: VideoLimits | undefined;
  /** Runs the tool at the lowest priority of the system. */
  isLowPriority?: boolean | undefined;
};

/** Starts a tool. An abort kills it; the caller detects the abort (`signal.throwIfAborted`). */
export function startTool(
  command: string,
  args: readonly string[],
  options: ToolOptions & { hasSecondOutput?: boolean } = {},
): Tool {
  const { signal, limits, isLowPriority = false, hasSecondOutput = false } = options;
  signal?.throwIfAborted();
  const limited = limitCommand(command, args, limits);
  const child = spawn(limited.command, limited.args, {
    stdio: hasSecondOutput ? fourStreams : ["ignore", "pipe", "pipe"],
    env: limits === undefined ? toolEnvironment() : untrustedEnvironment(),
    windowsHide: true,
  });
  const { stdout, stderr } = child;
  if (isLowPriority) lowerPriority(child);
  const tail = createErrorTail();
  let hasCaught = false;
  splitLines(stderr, (line) => {
    if (tail.take(line)) return;
    hasCaught ||= caughtSignal.test(line);
    options.onInfoLine?.(line);
  });
  const stop = () => kill(child);
  options.signal?.addEventListener("abort", stop, { once: true });
  const ended = new Promise<ToolExit>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, name) =>
      resolve({ exitCode, reason: tail.reason(), wasStopped: hasCaught || stopSignals.has(name) }),
    );
  }).finally(() => options.signal?.removeEventListener("abort", stop));
  // A later await of `ended` still receives the rejection.
  ended.catch(() => {});
  return { stdout, secondOutput: secondOutputOf(child), ended, stop };
}

/**
 * Runs a tool and returns its whole standard output; kills the tool when that exceeds `limitBytes`. Throws
 * ToolStoppedError after a signal from outside.
 */
export async function runTool(
  command: string,
  args: readonly string[],
  options: ToolOptions & { limitBytes?: number } = {},
): Promise<ToolEnding & { output: Buffer }> {
  const { limitBytes = 64 * 1024 * 1024, ...rest } = options;
  const tool = startTool(command, args, rest);
  const chunks: Buffer[] = [];
  let size = 0;
  tool.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > limitBytes) tool.stop();
    else chunks.push(chunk);
  });
  const { wasStopped, ...ending } = await tool.ended;
  options.signal?.throwIfAborted();
  if (wasStopped) throw new ToolStoppedError(`${command} was stopped.`);
  return { ...ending, output: Buffer.concat(chunks) };
}

/** Ctrl+C in a terminal and the stop of a systemd service reach ffmpeg as well as its parent. */
const stopSignals: ReadonlySet<NodeJS.Signals | null> = new Set(["SIGINT", "SIGTERM", "SIGHUP"] as const);

/** ffmpeg catches these signals and says so; its exit code of 255 can also be that of an error. */
const caughtSignal = /Exiting normally, received signal \d+\.$/;

function kill(child: ChildProcess): void {
  // The output need not be complete: outputs are pipes or temporary names.
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  // Unread output would delay `close` without limit.
  child.stdout?.destroy();
  secondOutputOf(child)?.destroy();
}

function secondOutputOf(child: ChildProcess): Readable | undefined {
  const stream = child.stdio[3];
  return stream instanceof Readable ? stream : undefined;
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has exited already.
  }
}

function splitLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split(/[\r\n]+/);
    rest = (lines.pop() ?? "").slice(-longestLine);
    for (const line of lines) if (line !== "") onLine(line);
  });
  stream.on("end", () => {
    if (rest !== "") onLine(rest);
  });
}

const longestLine = 4096;

// Node's types describe the first three streams only.
const fourStreams = ["ignore", "pipe", "pipe", "pipe"] as unknown as ["ignore", "pipe", "pipe"];
