import { useState } from "preact/hooks";

/** An action that a button or a form starts. Only one runs at a time; `error` is its last error. */
export function useWork(work: () => Promise<unknown>) {
  const [state, setState] = useState<{ isBusy: boolean; isDone: boolean; error?: unknown }>({
    isBusy: false,
    isDone: false,
  });
  const run = async () => {
    if (state.isBusy) return;
    setState({ isBusy: true, isDone: false });
    try {
      await work();
      setState({ isBusy: false, isDone: true });
    } catch (error) {
      setState({ isBusy: false, isDone: false, error });
    }
  };
  return {
    ...state,
    start: (event?: Event) => {
      event?.preventDefault();
      void run();
    },
  };
}
