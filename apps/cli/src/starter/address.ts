import { createServer } from "node:net";
import { configurationExitCode } from "./run-supervised.ts";
import { StarterError } from "./starter-error.ts";
import type { Address } from "./types.ts";

/**
 * Throws a StarterError when the API could not listen on the address, before any long work starts.
 */
export async function checkAddress({ host, port }: Address): Promise<void> {
  if (port === 0) return;
  const problem = await listenProblem(host, port);
  if (problem === undefined) return;
  throw new StarterError(explain(problem, host, port), configurationExitCode);
}

/** The code of the error with which a server cannot listen on the address; undefined if it can. */
export function listenProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** The address at which this machine reaches a server that listens on this host and port. */
export function localAddress(host: string, port: number): string {
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

function explain(code: string, host: string, port: number): string {
  if (code === "EADDRINUSE") {
    const other = port < 65535 ? port + 1 : port - 1;
    return `Port ${port} is taken by another program: stop it, or use another port with \`PORT=${other} npm start\`.`;
  }
  if (code === "EACCES")
    return `Port ${port} needs special rights: use another one with \`PORT=3000 npm start\`.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `This machine has no address ${host}: set HOST to an address of this machine, or remove it.`;
  }
  return `Koma cannot listen on ${host}, port ${port} (${code}): choose others with HOST and PORT.`;
}
