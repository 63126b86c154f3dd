import type { Client } from "@koma/client";
import { AnimeList, RankingPeriod, Rankings } from "@koma/contract";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { describeError } from "./describe-error.ts";
import { findSceneInput, findSceneOutput, type ReadImageFile, searchScene } from "./find-scene.ts";

/** The dependencies of the tools. */
export type McpOptions = {
  /** The API on behalf of one caller. */
  client: Client;
  version: string;
  /** Reads a local image. Without it the tools accept no paths. */
  readImageFile?: ReadImageFile | undefined;
};

/** A server of the Model Context Protocol with the tools of Koma, not yet connected to a transport. */
export function createMcpServer(options: McpOptions): McpServer {
  const { client, version, readImageFile } = options;
  const server = new McpServer({ name: "koma", title: "Koma", version }, { instructions });
  // The only visible effect is the reduced number of remaining searches.
  const annotations = { readOnlyHint: true, openWorldHint: false };

  server.registerTool(
    "find_scene",
    {
      title: "Find the scene of an image",
      description:
        "Finds the anime, episode and second of a screenshot in the library of this Koma server. Give exactly one image. " +
        "`outcome` states how sure the result is: `found`, `uncertain` or `not_in_library`; do not present matches of the " +
        "last two as facts. Consumes one search of the caller.",
      inputSchema: findSceneInput(readImageFile !== undefined),
      outputSchema: findSceneOutput,
      annotations: { ...annotations, openWorldHint: true },
    },
    (input, { signal }) => runTool(() => searchScene(input, { client, readImageFile, signal })),
  );
  server.registerTool(
    "list_rankings",
    {
      title: "List the most searched anime",
      description: "Lists the anime that people searched for most on this Koma server in a period.",
      inputSchema: rankingsInput,
      outputSchema: Rankings.shape,
      annotations,
    },
    (input, { signal }) => runTool(() => client.getRankings(input, { signal })),
  );
  server.registerTool(
    "find_anime",
    {
      title: "Look up an anime",
      description:
        "Finds anime in the library of this Koma server by part of any title. Their `id` limits find_scene to one anime.",
      inputSchema: findAnimeInput,
      outputSchema: AnimeList.shape,
      annotations,
    },
    (input, { signal }) => runTool(() => client.findAnime(input, { signal })),
  );
  return server;
}

// The contract describes query parameters as text; a model gives numbers and booleans.
const limit = z.int().min(1).max(100).optional();
const rankingsInput = {
  period: RankingPeriod.optional(),
  limit: limit.describe("The most entries to list; 50 by default."),
  includeAdult: z.boolean().optional().describe("Includes anime for adults."),
};
const findAnimeInput = {
  query: z.string().max(200).optional().describe("Part of any title; empty lists all anime."),
  limit: limit.describe("The most anime to list; 10 by default."),
};

const instructions =
  "Koma finds scenes of anime: which anime, which episode, which second. Times are seconds into the video. A similarity is " +
  "calibrated: of matches at 0.9 about nine in ten are correct.";

/** The result of a tool as structured content, and as text for clients without structured content. */
async function runTool(run: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const structuredContent = await run();
    return { structuredContent, content: [{ type: "text", text: JSON.stringify(structuredContent) }] };
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: describeError(error) }] };
  }
}
