import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpServer, type McpOptions } from "./create-mcp-server.ts";

/**
 * Responds to one POST of the Streamable HTTP transport with JSON. It keeps no session: each request has its
 * own caller, and any instance of the API can serve it.
 */
export async function handleMcpRequest(request: Request, options: McpOptions): Promise<Response> {
  const server = createMcpServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // The body is complete only when the tool has ended; closing the transport earlier would truncate it.
    return new Response(await response.arrayBuffer(), { status: response.status, headers: response.headers });
  } finally {
    await server.close();
  }
}
