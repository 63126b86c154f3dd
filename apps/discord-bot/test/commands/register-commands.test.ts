import { type Fake, openFake } from "@koma/fake-discord";
import { REST } from "discord.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defineCommands } from "../../src/commands/all-commands.ts";
import { registerCommands } from "../../src/commands/register-commands.ts";
import { createDiscordApi } from "../../src/discord/discord-api.ts";

let fake: Fake;
beforeEach(async () => {
  fake = await openFake();
});
afterEach(() => fake.close());

function createMemory() {
  const stored = new Map<string, string>();
  return {
    get: async (name: string) => stored.get(name),
    set: async (name: string, value: string) => void stored.set(name, value),
  };
}

const puts = () => fake.requests.filter(({ method }) => method === "PUT").length;

test("registers once, and again if Discord has other commands", async () => {
  const api = createDiscordApi(new REST({ api: fake.apiUrl }).setToken(fake.token));
  const options = { api, applicationId: fake.applicationId, memory: createMemory() };
  expect(await registerCommands(options)).toBe(true);
  expect(await registerCommands(options)).toBe(false);
  expect(puts()).toBe(1);
  await api.registerCommands(fake.applicationId, []);
  expect(await registerCommands(options)).toBe(true);
  expect(fake.commands.map(({ name }) => name).sort()).toEqual([
    ...["Find anime scene", "anime", "credits", "find", "forget", "help", "history", "link", "privacy"],
    ...["rankings", "recent", "settings", "top", "unlink"],
  ]);
  expect(fake.violations).toEqual([]);
});

test("every name and description exists in every language, for guild and user installations", () => {
  for (const command of defineCommands()) {
    expect(command).toMatchObject({ integration_types: [0, 1], contexts: [0, 1, 2] });
    expect(Object.keys(command.name_localizations ?? {}).sort()).toEqual([
      ...["es-419", "es-ES", "id", "ja", "ko", "pt-BR", "ru", "zh-CN", "zh-TW"],
    ]);
  }
  const find = defineCommands().find(({ name }) => name === "find");
  expect(find?.name_localizations?.ja).toMatch(/[\u3041-\u30fa\u4e00-\u9fff]/);
});
