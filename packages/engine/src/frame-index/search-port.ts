import type { MessagePort } from "node:worker_threads";

/** Threads do not preserve the properties of errors; the code of a database error tells its kind. */
type Reply<Result> = { result: Result } | { error: string; code?: unknown };

/** Responds to the requests that another thread sends; resolves when that thread closes the port. */
export function servePort<Request, Result>(
  port: MessagePort,
  respond: (request: Request) => Promise<Result>,
): Promise<void> {
  port.on("message", async (request: Request) => {
    const reply = await respond(request).then(
      (result): Reply<Result> => ({ result }),
      (error: unknown): Reply<Result> =>
        error instanceof Error
          ? { error: error.message, code: "code" in error ? error.code : undefined }
          : { error: String(error) },
    );
    port.postMessage(reply);
  });
  return new Promise((resolve) => {
    port.once("close", resolve);
  });
}

/** Sends requests to the thread behind the port, one at a time. Rejects when that thread has exited. */
export function createPortCall<Request, Result>(port: MessagePort): (request: Request) => Promise<Result> {
  let isClosed = false;
  port.once("close", () => {
    isClosed = true;
  });
  return (request) =>
    new Promise((resolve, reject) => {
      if (isClosed) {
        reject(new Error("The frame index is closed."));
        return;
      }
      const onClose = () => reject(new Error("The frame index is closed."));
      port.once("close", onClose);
      port.once("message", (reply: Reply<Result>) => {
        port.off("close", onClose);
        if ("result" in reply) resolve(reply.result);
        else
          reject(Object.assign(new Error(reply.error), reply.code === undefined ? {} : { code: reply.code }));
      });
      port.postMessage(request);
    });
}
