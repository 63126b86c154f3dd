import type { Command } from "commander";

/** The options of a command with `--json`. */
export type JsonOptions = { json?: true };

/** Adds `--json` to a command that prints its results as JSON lines then. */
export function withJson(command: Command): Command {
  return command.option("--json", "print JSON lines");
}
