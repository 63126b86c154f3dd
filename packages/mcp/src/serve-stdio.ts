import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createMcpServer, type McpOptions } from "./create-mcp-server.ts";

/**
 * Serves the tools on the standard input and output of the process until the input ends or the signal aborts.
 */
export async function serveStdio(options: McpOptions & { signal: AbortSignal }): Promise<void> {
  const server = createMcpServer(options);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    options.signal.addEventListener("abort", () => resolve(), { once: true });
    if (options.signal.aborted) resolve();
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}
