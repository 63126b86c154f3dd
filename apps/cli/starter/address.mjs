import { createServer } from "node:net";
import { StarterError } from "./starter-error.mjs";

/** Throws a StarterError when the server could not listen there, so that it is said before any long work. */
export async function checkAddress({ host, port }) {
  if (port === 0) return;
  const problem = await listenProblem(host, port);
  if (problem === undefined) return;
  throw new StarterError(explain(problem, host, port));
}

function listenProblem(host, port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function explain(code, host, port) {
  if (code === "EADDRINUSE") {
    const other = port < 65535 ? port + 1 : port - 1;
    return `Port ${port} is taken by another program: end that one, or take another port with \`PORT=${other} npm start\`.`;
  }
  if (code === "EACCES")
    return `Port ${port} needs special rights: take another one with \`PORT=3000 npm start\`.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `This machine has no address ${host}: set HOST to one it has, or leave it out.`;
  }
  return `Koma cannot listen on ${host}, port ${port} (${code}): choose others with HOST and PORT.`;
}
