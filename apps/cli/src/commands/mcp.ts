import { createClient } from "@koma/client";
import { serveStdio } from "@koma/mcp";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { readConfiguration } from "../config.ts";
import { readVersion } from "../read-version.ts";
import { openImageFolder } from "../search/image-folder.ts";
import { localAddress } from "../starter/address.ts";

type Options = { allowFiles?: string };

/** `koma mcp` */
export function createMcpCommand(context: CommandContext): Command {
  return new Command("mcp")
    .summary("Serve tools for AI assistants.")
    .description(
      "Serves the tools find_scene, list_rankings and find_anime on standard input and output (Model Context Protocol). " +
        "They use the API at KOMA_API_URL, by default the one of this machine, with the key in KOMA_API_KEY.",
    )
    .option("--allow-files <directory>", "let find_scene read images in this directory")
    .addHelpText("after", examples)
    .action(async ({ allowFiles }: Options) => {
      const { KOMA_API_URL, KOMA_API_KEY, HOST, PORT } = readConfiguration();
      const baseUrl = KOMA_API_URL ?? localAddress(HOST, PORT);
      await serveStdio({
        client: createClient({ baseUrl, apiKey: KOMA_API_KEY }),
        version: readVersion(),
        readImageFile: allowFiles === undefined ? undefined : await openImageFolder(allowFiles),
        signal: context.signal,
      });
    });
}

const examples = `
An assistant starts it itself. Its configuration, with an API key from the page of the server:
  { "mcpServers": { "koma": { "command": "koma", "args": ["mcp"],
      "env": { "KOMA_API_URL": "https://koma.example", "KOMA_API_KEY": "koma_..." } } } }`;
