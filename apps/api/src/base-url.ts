/** The address of a listening server as a client on this machine writes it. */
export function toBaseUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/**
 * Takes the path prefix of the base address off a request's path. Some proxies do so themselves and some do not, so
 * both forms are served.
 */
export function stripPrefix(requestUrl: string, prefix: string): string {
  if (prefix === "" || !requestUrl.startsWith(`${prefix}/`)) return requestUrl;
  const stripped = requestUrl.slice(prefix.length);
  return ownPath.test(stripped) ? stripped : requestUrl;
}

const ownPath = /^\/(?:api|previews|docs|healthz|readyz|openapi\.json)(?:[/?]|$)/;
