import { useState } from "preact/hooks";

/** Reads the text of a field of the form by its name. */
export type ReadField = (name: string) => string;

/** An action that a button or a form starts. Only one runs at a time; `error` is its last error. */
export function useWork(work: (read: ReadField) => Promise<unknown>) {
  const [state, setState] = useState<{ isBusy: boolean; isDone: boolean; error?: unknown }>({
    isBusy: false,
    isDone: false,
  });
  const run = async (fields: FormData) => {
    if (state.isBusy) return;
    setState({ isBusy: true, isDone: false });
    try {
      await work((name) => String(fields.get(name) ?? ""));
      setState({ isBusy: false, isDone: true });
    } catch (error) {
      setState({ isBusy: false, isDone: false, error });
    }
  };
  return {
    ...state,
    start: (event?: Event) => {
      event?.preventDefault();
      const form = event?.currentTarget;
      void run(form instanceof HTMLFormElement ? new FormData(form) : new FormData());
    },
  };
}
