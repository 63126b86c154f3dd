import { createHash } from "node:crypto";
import type { BotCore } from "@koma/bot-core";
import { type Api, GrammyError } from "grammy";
import { defineProfile, type ProfilePart } from "./define-profile.ts";

/**
 * Sends the changed parts of the bot's names, descriptions and commands. Telegram limits name changes, so
 * some parts can have to wait for the next start. Resolves to the number of sent parts.
 */
export async function setProfile(options: {
  api: Api;
  botId: number;
  memory: BotCore["memory"];
  onError: (what: string, error: unknown) => void;
}): Promise<number> {
  const { api, memory } = options;
  const memoryKey = `profile:${options.botId}`;
  const sent = readSent(await memory.get(memoryKey));
  let count = 0;
  const refused = new Set<ProfilePart["what"]>();
  for (const part of defineProfile()) {
    const name = [part.what, part.languageCode, ...(part.what === "commands" ? [part.scope] : [])].join("/");
    const hash = createHash("sha256").update(JSON.stringify(part)).digest("hex").slice(0, 16);
    if (sent[name] === hash || refused.has(part.what)) continue;
    try {
      await setPart(api, part);
    } catch (error) {
      options.onError(`setting ${name}`, error);
      if (!(error instanceof GrammyError) || error.error_code === 429) refused.add(part.what);
      continue;
    }
    sent[name] = hash;
    count += 1;
    await memory.set(memoryKey, JSON.stringify(sent));
  }
  return count;
}

async function setPart(api: Api, part: ProfilePart): Promise<void> {
  const language = part.languageCode === "" ? {} : { language_code: part.languageCode as "ja" };
  switch (part.what) {
    case "name":
      await api.setMyName(part.text, language);
      break;
    case "description":
      await api.setMyDescription(part.text, language);
      break;
    case "short":
      await api.setMyShortDescription(part.text, language);
      break;
    case "commands":
      await api.setMyCommands(part.commands, {
        ...language,
        scope: { type: part.scope } as { type: "default" },
      });
      break;
  }
}

function readSent(saved: string | undefined): { [name: string]: string } {
  return saved === undefined ? {} : (JSON.parse(saved) as { [name: string]: string });
}
