import { createServer } from "node:net";
import { StarterError } from "./starter-error.mjs";

/**
 * Throws a StarterError when the API could not listen on the address, before any long work starts.
 * @param {import("./types.d.ts").Address} address
 */
export async function checkAddress({ host, port }) {
  if (port === 0) return;
  const problem = await listenProblem(host, port);
  if (problem === undefined) return;
  throw new StarterError(explain(problem, host, port));
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {Promise<string | undefined>}
 */
function listenProblem(host, port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) =>
      resolve(error.code ?? error.message),
    );
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * @param {string} code
 * @param {string} host
 * @param {number} port
 */
function explain(code, host, port) {
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
