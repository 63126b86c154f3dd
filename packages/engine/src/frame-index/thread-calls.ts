import type { MessagePort, Transferable, Worker } from "node:worker_threads";

/** An error in another thread. Threads do not preserve the classes and the properties of errors. */
export type ThreadError = { name: string; message: string; code?: unknown };

/** A request to another thread and its reply; `id` joins them. */
type Call<Request> = { id: number; request: Request };
type Reply = { id: number; result?: unknown; error?: ThreadError };

type Pending = { resolve: (result: never) => void; reject: (error: Error) => void };

/** Responds to the requests that another thread sends; resolves when that thread closes the port. */
export function serveCalls<Request>(
  port: MessagePort,
  respond: (request: Request) => Promise<unknown>,
): Promise<void> {
  port.on("message", async ({ id, request }: Call<Request>) => {
    const reply = await respond(request).then(
      (result): Reply => ({ id, result }),
      (error: unknown): Reply => ({ id, error: describeError(error) }),
    );
    port.postMessage(reply);
  });
  return new Promise((resolve) => {
    port.once("close", resolve);
  });
}

/**
 * Sends requests to the thread behind a port or to a worker; `restoreError` makes the errors of that thread.
 * After `end` all pending and later calls are rejected with its error.
 */
export function createThreadCalls<Request>(
  thread: MessagePort | Worker,
  restoreError: (error: ThreadError) => Error,
) {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let ended: Error | undefined;

  const onReply = ({ id, result, error }: Reply) => {
    const waiting = pending.get(id);
    pending.delete(id);
    if (error === undefined) waiting?.resolve(result as never);
    else waiting?.reject(restoreError(error));
  };
  thread.on("message", onReply);

  return {
    call<Result>(request: Request, transfers: readonly Transferable[] = []): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        if (ended !== undefined) {
          reject(ended);
          return;
        }
        const id = ++lastId;
        thread.postMessage({ id, request } satisfies Call<Request>, transfers);
        pending.set(id, { resolve, reject });
      });
    },

    end(error: Error): void {
      ended ??= error;
      for (const { reject } of pending.values()) reject(ended);
      pending.clear();
    },
  };
}

/** Sends requests to the thread behind the port. Rejects when that thread has exited. */
export function createPortCall<Request, Result>(port: MessagePort): (request: Request) => Promise<Result> {
  const { call, end } = createThreadCalls<Request>(port, ({ message, code }) =>
    Object.assign(new Error(message), code === undefined ? {} : { code }),
  );
  port.once("close", () => end(new Error("The frame index is closed.")));
  return (request) => call<Result>(request);
}

function describeError(error: unknown): ThreadError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  return "code" in error ? { name, message, code: error.code } : { name, message };
}
