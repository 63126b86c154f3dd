/** What every command gets: the signal that an interruption aborts, and the way to set an exit code other than 0. */
export type CommandContext = { signal: AbortSignal; finish: (exitCode: number) => void };
