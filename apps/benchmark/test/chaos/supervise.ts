import { setTimeout as wait } from "node:timers/promises";
import { type Running, start } from "@koma/bot-core/testing/run";

const pauseMs = 500;

/** A program that is started again whenever it ends, as a service manager does. */
export type Service = ReturnType<typeof supervise>;

/**
 * Starts a program; `ready` is the line that it prints when it serves, and `command` runs Node, by default
 * directly.
 */
export function supervise(
  args: readonly string[],
  environment: Record<string, string>,
  ready: RegExp,
  command: readonly string[] = [],
) {
  const unexpectedEnds: string[] = [];
  const logs: string[] = [];
  let kills = 0;
  let killed: Running | undefined;
  let isStopping = false;
  let running: Running | undefined;
  let isServing = false;

  const serving = (async () => {
    while (!isStopping) {
      const started = start(args, environment, command);
      running = started;
      started.printed(ready).then(
        () => {
          isServing = true;
        },
        () => {},
      );
      const { code, stdout, stderr } = await started.ended;
      logs.push(stdout, stderr);
      // A program that cannot reach the database ends before it serves.
      if (isServing && !isStopping && killed !== started)
        unexpectedEnds.push(`ended with ${code}: ${stderr.split("\n").slice(-5).join("\n")}`);
      isServing = false;
      if (!isStopping) await wait(pauseMs);
    }
  })();

  return {
    isServing: () => isServing,
    kills: () => kills,
    /** The ends of a serving program that no kill explains. */
    unexpectedEnds,
    log: () => [...logs, running?.output.stdout ?? "", running?.output.stderr ?? ""].join(""),
    /** Ends the process at once. `meanwhile` runs before it is started again. */
    async kill(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
      if (running === undefined || running.child.exitCode !== null) return;
      kills += 1;
      killed = running;
      isServing = false;
      await running.stop("SIGKILL");
      await meanwhile();
    },
    async stop(): Promise<void> {
      isStopping = true;
      running?.child.kill("SIGTERM");
      await serving;
    },
  };
}
