import { parentPort, workerData } from "node:worker_threads";
import apiReference from "@scalar/fastify-api-reference";
import fastify from "fastify";
import { docsStyle } from "./docs-style.ts";

/** The page and the script of the reader, as `render-reader.ts` receives them. */
export type ReaderFiles = { page: string; script: string };

const { prefix } = workerData as { prefix: string };
const server = fastify();
await server.register(apiReference, {
  routePrefix: "/docs",
  configuration: {
    url: `${prefix}/docs/openapi.json`,
    favicon: `${prefix}/favicon.svg`,
    cdn: `${prefix}/docs/js/scalar.js`,
    pageTitle: "Koma API",
    theme: "none",
    customCss: docsStyle,
    // The page loads nothing from other servers and sends nothing to them.
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: "",
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
  },
});
const [page, script] = await Promise.all(
  ["/docs/", "/docs/js/scalar.js"].map(async (url) => (await server.inject(url)).payload),
);
parentPort?.postMessage({ page, script });
