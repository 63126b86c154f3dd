import type { DiscordApi } from "../discord/discord-api.ts";
import { defineCommands, hashCommands } from "./all-commands.ts";

/** The storage for the hash of the registered commands. */
export type CommandMemory = {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
};

/**
 * Registers the commands if they changed, or if Discord has others. Resolves to true if it registered them.
 */
export async function registerCommands(options: {
  api: DiscordApi;
  applicationId: string;
  memory: CommandMemory;
}): Promise<boolean> {
  const { api, applicationId, memory } = options;
  const commands = defineCommands();
  const hash = hashCommands(commands);
  const name = `commands:${applicationId}`;
  if ((await memory.get(name)) === hash) {
    const known = new Set((await api.listCommands(applicationId)).map((command) => command.name));
    if (known.size === commands.length && commands.every((command) => known.has(command.name))) return false;
  }
  await api.registerCommands(applicationId, commands);
  await memory.set(name, hash);
  return true;
}
