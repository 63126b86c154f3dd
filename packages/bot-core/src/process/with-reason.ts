/** A sentence for the log with the message of an error. */
export function withReason(what: string, error: unknown): string {
  return `${what}: ${error instanceof Error ? error.message : String(error)}`;
}
