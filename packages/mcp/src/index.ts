export { createMcpServer, type McpOptions } from "./create-mcp-server.ts";
export { handleMcpRequest } from "./handle-mcp-request.ts";
export { serveStdio } from "./serve-stdio.ts";
