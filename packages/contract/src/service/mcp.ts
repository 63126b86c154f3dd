import { defineEndpoint } from "../endpoint/endpoint.ts";

/** The tools for AI assistants. */
export const callMcp = defineEndpoint({
  id: "callMcp",
  method: "POST",
  path: "/mcp",
  tag: "Integrations",
  summary: "Tools for AI assistants",
  description:
    "The Model Context Protocol over Streamable HTTP, without sessions: find_scene, list_rankings and find_anime. Errors of the " +
    "protocol and of the tools are JSON-RPC; those of the key are problems. An image in a message can have 3 MB.",
  security: ["apiKey"],
  scope: "search",
  raw: { contentType: "application/json", description: "A JSON-RPC message.", limitBytes: 4 * 1024 ** 2 },
  replies: {
    200: { description: "The JSON-RPC response.", contentType: "application/json" },
    202: { description: "A notification was received.", contentType: "application/json" },
  },
});
