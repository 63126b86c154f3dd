import type { BotCore, OpenRequest } from "@koma/bot-core";
import type { APIInteraction, APIMessage } from "discord.js";
import { isForbidden, isGone } from "../discord/error-codes.ts";
import { type Resume, type ResumedMessage, readResume } from "./resume.ts";

/** Slightly less than the 15 minutes for which Discord accepts responses to an interaction. */
const interactionTtlMs = 14 * 60_000;
/** The requests of older messages have expired. */
const messageTtlMs = 60 * 60_000;

/** Resumes unfinished requests of an earlier run or of another process; expired ones get a note. */
export async function resumeOpenRequests(parts: {
  core: BotCore;
  open: readonly OpenRequest[];
  serveInteraction: (interaction: APIInteraction, resume: Resume) => Promise<void>;
  /** Resolves to false if the interaction needs no note. */
  expireInteraction: (interaction: APIInteraction, resume: Resume) => Promise<boolean>;
  /** Resolves to false if the message no longer contains the request. */
  serveMessage: (
    message: APIMessage,
    request: { resume: ResumedMessage; requestId: string; isExpired: boolean },
  ) => Promise<boolean>;
  getMessage: (channelId: string, messageId: string) => Promise<APIMessage>;
  onError: (what: string, error: unknown) => void;
  now?: () => number;
}): Promise<void> {
  const { core, open, onError, now = Date.now } = parts;
  await Promise.all(
    open.map(async ({ requestId, resume: saved, startedAt }) => {
      const ageMs = now() - startedAt.getTime();
      try {
        const resume = readResume(saved);
        // The process that accepted a request without the data for resuming it can still complete it.
        if (resume === undefined && ageMs <= messageTtlMs) return;
        const isTaken = resume !== undefined && (await take(requestId, resume, ageMs));
        if (!isTaken) await core.requests.handle({ requestId }, async () => undefined);
      } catch (error) {
        onError("resuming after a restart", error);
      }
    }),
  );

  async function take(requestId: string, resume: Resume, ageMs: number): Promise<boolean> {
    if ("interaction" in resume) {
      if (ageMs > interactionTtlMs) return await parts.expireInteraction(resume.interaction, resume);
      await parts.serveInteraction(resume.interaction, resume);
      return true;
    }
    const message = await findMessage(resume);
    if (message === undefined) return false;
    return await parts.serveMessage(message, { resume, requestId, isExpired: ageMs > messageTtlMs });
  }

  /** Undefined for a deleted or hidden message. Throws other errors, so that the request stays open. */
  async function findMessage({ channelId, messageId }: ResumedMessage): Promise<APIMessage | undefined> {
    try {
      return await parts.getMessage(channelId, messageId);
    } catch (error) {
      if (isGone(error) || isForbidden(error)) return undefined;
      throw error;
    }
  }
}
