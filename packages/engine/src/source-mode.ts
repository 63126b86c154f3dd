const isSource = import.meta.url.endsWith(".ts");

/**
 * How a worker thread starts: from `dist` directly; from `src` through tsx, because Node 20 does not load
 * TypeScript. Threads from `dist` inherit the options of the process: explicit V8 options
 * (`--max-old-space-size`) are an error.
 */
export const sourceMode: { extension: ".ts" | ".js"; workerOptions: { execArgv?: string[] } } = isSource
  ? { extension: ".ts", workerOptions: { execArgv: [...process.execArgv, "--import", registerLoader()] } }
  : { extension: ".js", workerOptions: {} };

// `--import tsx` has no effect outside a main thread.
function registerLoader(): string {
  const register = `import { register } from "${import.meta.resolve("tsx/esm/api")}"; register();`;
  return `data:text/javascript,${encodeURIComponent(register)}`;
}
