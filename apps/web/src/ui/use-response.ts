import { useCallback, useEffect, useState } from "preact/hooks";

/** The state of a request: loading, a response (the last one stays while the next loads), or an error. */
export type RequestState<T> = { value?: T; error?: unknown; isLoading: boolean };

/** Sends a request when the component mounts and when `parts` change; `again` sends it again. */
export function useResponse<T>(send: (signal: AbortSignal) => Promise<T>, parts: readonly unknown[]) {
  const [request, setRequest] = useState<RequestState<T>>({ isLoading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setRequest(({ error: _error, ...before }) => ({ ...before, isLoading: true }));
    send(stop.signal).then(
      (value) => stop.signal.aborted || setRequest({ value, isLoading: false }),
      (error: unknown) => stop.signal.aborted || setRequest({ error, isLoading: false }),
    );
    return () => stop.abort();
  }, [...parts, round]);
  const again = useCallback(() => setRound((count) => count + 1), []);
  return { ...request, again };
}

/**
 * Like `useResponse`, for a list of which one page is shown. `select` changes the filter, which is a part of the
 * request, and shows the first page.
 */
export function usePages<T, Filter extends object = object>(
  pageSize: number,
  send: (page: Filter & { page: number; pageSize: number }, options: { signal: AbortSignal }) => Promise<T>,
  filter: Filter = {} as Filter,
  parts: readonly unknown[] = [],
) {
  const [page, setPage] = useState(1);
  const [selected, setSelected] = useState(filter);
  const response = useResponse(
    (signal) => send({ ...selected, page, pageSize }, { signal }),
    [page, ...Object.values(selected), ...parts],
  );
  const select = (changes: Partial<Filter>) => {
    setPage(1);
    setSelected((before) => ({ ...before, ...changes }));
  };
  return { ...response, filter: selected, select, paging: { page, pageSize, onPage: setPage } };
}
