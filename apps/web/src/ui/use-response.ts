import { useCallback, useEffect, useState } from "preact/hooks";

/** What was asked of the API: nothing yet, an answer (the last one stays while the next comes), or what went wrong. */
export type Asking<T> = { value?: T; error?: unknown; isLoading: boolean };

/** Asks when it is first shown and whenever `parts` change; `again` asks anew. */
export function useResponse<T>(ask: (signal: AbortSignal) => Promise<T>, parts: readonly unknown[]) {
  const [asking, setConfirming] = useState<Asking<T>>({ isLoading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setConfirming(({ error: _error, ...before }) => ({ ...before, isLoading: true }));
    ask(stop.signal).then(
      (value) => stop.signal.aborted || setConfirming({ value, isLoading: false }),
      (error: unknown) => stop.signal.aborted || setConfirming({ error, isLoading: false }),
    );
    return () => stop.abort();
  }, [...parts, round]);
  const again = useCallback(() => setRound((count) => count + 1), []);
  return { ...asking, again };
}
