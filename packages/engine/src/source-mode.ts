const isSource = import.meta.url.endsWith(".ts");

/** How a worker thread starts: from `dist` as it is; from `src` through tsx, because Node 20 does not load TypeScript. */
export const sourceMode: { extension: ".ts" | ".js"; execArgv: string[] } = isSource
  ? { extension: ".ts", execArgv: ["--import", registerLoader()] }
  : { extension: ".js", execArgv: [] };

// `--import tsx` does nothing outside a main thread.
function registerLoader(): string {
  const register = `import { register } from "${import.meta.resolve("tsx/esm/api")}"; register();`;
  return `data:text/javascript,${encodeURIComponent(register)}`;
}
