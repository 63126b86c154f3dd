/**
 * The parameters of every command: the signal that an interruption aborts, and a function that sets the exit
 * code.
 */
export type CommandContext = { signal: AbortSignal; finish: (exitCode: number) => void };
