import type { BotCore } from "@koma/bot-core";
import type { APIInteraction, APIMessage } from "discord.js";
import { type Resume, readResume } from "./resume.ts";

/** Slightly less than the 15 minutes for which Discord accepts responses to an interaction. */
const interactionTtlMs = 14 * 60_000;
/** Older messages get no reply. */
const messageTtlMs = 60 * 60_000;

/** Resumes unfinished requests of an earlier run, and drops expired ones. */
export async function resumeOpenRequests(parts: {
  core: BotCore;
  serveInteraction: (interaction: APIInteraction, resume: Resume) => Promise<void>;
  serveMessage: (message: APIMessage & { guild_id?: string }) => Promise<void>;
  getMessage: (channelId: string, messageId: string) => Promise<APIMessage>;
  onError: (what: string, error: unknown) => void;
  now?: () => number;
}): Promise<void> {
  const { core, onError, now = Date.now } = parts;
  const open = await core.requests.listOpen();
  await Promise.all(
    open.map(async ({ requestId, resume: saved, startedAt }) => {
      const ageMs = now() - startedAt.getTime();
      try {
        const resume = readResume(saved);
        const isTaken = resume !== undefined && (await take(resume, ageMs));
        if (!isTaken) await core.requests.handle({ requestId }, async () => undefined);
      } catch (error) {
        onError("resuming after a restart", error);
      }
    }),
  );

  async function take(resume: Resume, ageMs: number): Promise<boolean> {
    if ("interaction" in resume) {
      if (ageMs > interactionTtlMs) return false;
      await parts.serveInteraction(resume.interaction, resume);
      return true;
    }
    if (ageMs > messageTtlMs) return false;
    const message = await parts.getMessage(resume.channelId, resume.messageId).catch(() => undefined);
    if (message === undefined) return false;
    const { guildId } = resume;
    await parts.serveMessage({ ...message, ...(guildId === undefined ? {} : { guild_id: guildId }) });
    return true;
  }
}
