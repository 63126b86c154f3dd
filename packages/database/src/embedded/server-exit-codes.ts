/** How the embedded server ends when it did not serve. */
export const serverExitCodes = { failed: 1, lockedByAnother: 3 } as const;
