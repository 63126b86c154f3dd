/** The exit codes of an embedded server that could not start. */
export const serverExitCodes = { failed: 1, lockedByAnother: 3 } as const;
