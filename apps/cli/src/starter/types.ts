import type { ChildProcess } from "node:child_process";

/** The first SIGINT, SIGTERM or SIGHUP as an aborted signal. */
export type Interruption = {
  signal: AbortSignal;
  /** The name of the first signal; undefined without one. */
  name(): NodeJS.Signals | undefined;
  /** Calls the listener at a later signal; returns a function that removes the listener. */
  onRepeat(listener: () => void): () => void;
};

/** A held lock; a child that inherits `fd` holds it as well. */
export type Lock = { fd: number | undefined; release(): void };

export type Address = { host: string; port: number };
export type Environment = Record<string, string | undefined>;
export type ProcessEnd = { code: number; signal: NodeJS.Signals | null };

/** A step that prepares the repository. */
export type Step = { isDone(root: string): boolean; run(options: StepOptions): Promise<void> };
export type StepOptions = { root: string; interruption: Interruption; lock: Lock };

export type SupervisedProgram = {
  name: string;
  interruption: Interruption;
  start: () => ChildProcess;
  /** Whether this end is not followed by another start. */
  isFinal?: (end: ProcessEnd) => boolean;
};
