import { ApiProblem, NetworkFailure } from "@koma/client";
import type { ErrorCode } from "@koma/contract";
import type { BotSpeaker } from "@koma/messages";
import type { Reply, ReplyKind } from "../model/reply.ts";
import { type Person, PictureTooLargeError } from "../model/request.ts";
import { PictureError } from "../picture/errors.ts";
import { downloadBytes } from "../picture/limits.ts";
import { QueueClosedError, QueueFullError } from "../queue.ts";
import { buildReply, line, pressButton } from "./build-reply.ts";
import { writeTarget } from "./targets.ts";

/** What to say of an error, to the asker alone: what happened, what to do, and when it works again. */
export function describeProblem(
  error: unknown,
  to: { speaker: BotSpeaker; person: Person; now: Date },
): Reply {
  const { speaker, person } = to;
  const say = (kind: ReplyKind, title: string, ...texts: string[]) =>
    buildReply(speaker, person, { kind, isPrivate: true, title, lines: texts.map((text) => line(text)) });
  if (error instanceof PictureError) return sayPicture(error, speaker, say);
  if (error instanceof QueueFullError) {
    return say("busy", speaker.say("reply.queueFull.title"), speaker.say("reply.queueFull.text"));
  }
  if (error instanceof NetworkFailure || error instanceof QueueClosedError) {
    return say("offline", speaker.say("error.offline.title"), speaker.say("error.offline.text"));
  }
  if (error instanceof ApiProblem) return sayProblem(error, to, say);
  return say("failure", speaker.say("error.unknown.title"), speaker.say("error.unknown.text"));
}

/** Whether a reply says why there is no answer. */
export function isProblem({ kind }: Reply): boolean {
  return !answers.has(kind);
}

/** For where nothing can be whispered: a problem, which tells nothing personal, is said to all instead of not at the place. */
export function sayOpenly(reply: Reply): Reply {
  return reply.isPrivate && isProblem(reply) ? { ...reply, isPrivate: false } : reply;
}

const answers: ReadonlySet<ReplyKind> = new Set<ReplyKind>([
  ...(["match", "uncertain", "none", "adult", "choice", "list"] as const),
  ...(["credits", "link", "settings", "leak", "text"] as const),
]);

type Say = (kind: ReplyKind, title: string, ...texts: string[]) => Reply;

function sayPicture({ problem, cause }: PictureError, { say: text }: BotSpeaker, say: Say): Reply {
  switch (problem) {
    case "unsupported":
      return say("unsupported", text("reply.unsupported.title"), text("reply.unsupported.text"));
    case "too-large": {
      const told = cause instanceof PictureTooLargeError ? cause.limitBytes : undefined;
      const limit = Math.floor((told ?? downloadBytes) / 1024 / 1024);
      return say("too-large", text("reply.tooLarge.title"), text("reply.tooLarge.text", { limit }));
    }
    case "unreadable":
      return say("unreadable", text("error.image_unreadable.title"), text("error.image_unreadable.text"));
    case "unreadable-video":
      return say("unreadable", text("reply.unreadableVideo.title"), text("reply.unreadableVideo.text"));
    case "download-failed":
      return say("unreadable", text("reply.downloadFailed.title"), text("reply.downloadFailed.text"));
  }
}

function sayProblem(
  problem: ApiProblem,
  { speaker, person, now }: { speaker: BotSpeaker; person: Person; now: Date },
  say: Say,
): Reply {
  const { say: text } = speaker;
  const retryAt = findRetryAt(problem, now);
  const again = retryAt === undefined ? [] : [line(text("error.againAt", { at: retryAt }), "quiet")];
  const withTime = (reply: Reply): Reply => ({ ...reply, retryAt, lines: [...reply.lines, ...again] });
  switch (problem.code) {
    case "guest_limit_reached": {
      const link = pressButton("link", text("button.link"), writeTarget("link"));
      const reply = say("quota", text("reply.guestLimit.title"), text("reply.guestLimit.text"));
      return { ...withTime(reply), buttons: [[link]] };
    }
    case "credits_exhausted":
      return withTime(say("quota", text("reply.creditsGone.title"), text("reply.creditsGone.text")));
    // The bot's own key was refused: nothing that the person could mend.
    case "unauthenticated":
    case "invalid_api_key":
      return say("offline", text("error.offline.title"), text("error.offline.text"));
    case "forbidden":
      return say("not-allowed", text("reply.blocked.title"), text("reply.blocked.text"));
    default: {
      const { code } = problem;
      const kind = kinds[code] ?? "failure";
      return withTime({
        ...say(kind, text(`error.${code}.title`), text(`error.${code}.text`)),
        askedBy: person.id,
      });
    }
  }
}

const kinds: Partial<Record<ErrorCode, ReplyKind>> = {
  hourly_limit_reached: "limit",
  too_many_requests: "limit",
  slow_down: "limit",
  search_busy: "busy",
  not_ready: "not-ready",
  image_too_large: "too-large",
  image_unreadable: "unreadable",
  image_required: "unreadable",
  unsupported_image_type: "unsupported",
  unsupported_media_type: "unsupported",
  url_not_allowed: "address",
  url_fetch_failed: "address",
  not_found: "expired",
  confirmation_expired: "expired",
};

function findRetryAt({ code, quota, retryAfterSeconds }: ApiProblem, now: Date): Date | undefined {
  const isDaily = code === "guest_limit_reached" || code === "credits_exhausted";
  if (isDaily && quota !== undefined) return new Date(quota.resetsAt);
  return retryAfterSeconds === undefined ? undefined : new Date(now.getTime() + retryAfterSeconds * 1000);
}
