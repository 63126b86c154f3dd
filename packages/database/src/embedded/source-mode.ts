const isSource = import.meta.url.endsWith(".ts");

/**
 * The file extension and Node options of the server's process and threads: plain from `dist`, with tsx from
 * `src`, because Node 20 does not load TypeScript.
 */
export const sourceMode: { extension: ".ts" | ".js"; execArgv: string[] } = isSource
  ? { extension: ".ts", execArgv: ["--import", registerLoader()] }
  : { extension: ".js", execArgv: [] };

// `--import tsx` has no effect outside a main thread.
function registerLoader(): string {
  const register = `import { register } from "${import.meta.resolve("tsx/esm/api")}"; register();`;
  return `data:text/javascript,${encodeURIComponent(register)}`;
}
