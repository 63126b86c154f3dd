import { ApiProblem, NetworkFailure } from "@koma/client";
import type { ErrorCode } from "@koma/contract";
import type { BotTranslator } from "@koma/messages";
import { outageMs } from "../api/api-clients.ts";
import { ImageError, type ImageProblem } from "../image/errors.ts";
import { downloadBytes } from "../image/limits.ts";
import type { Reply, ReplyKind } from "../model/reply.ts";
import { ImageTooLargeError, type Person } from "../model/request.ts";
import { QueueClosedError, QueueFullError } from "../queue.ts";
import { ChatQuotaError } from "../settings/settings.ts";
import { actionButton, buildReply, line } from "./build-reply.ts";
import { writeTarget } from "./targets.ts";

/** A private reply that reports an error: the cause, the remedy, and the time of the next attempt. */
export function describeProblem(
  error: unknown,
  to: {
    translator: BotTranslator;
    person: Person;
    now: Date;
    /** Guests may be told that an account has more searches. */
    hasMoreWithAccount?: boolean;
  },
): Reply {
  const { translator, person } = to;
  const writeReply = (kind: ReplyKind, title: string, ...texts: string[]) =>
    buildReply(translator, person, { kind, isPrivate: true, title, lines: texts.map((text) => line(text)) });
  if (error instanceof ImageError) return imageProblemReply(error, translator, writeReply);
  if (error instanceof ChatQuotaError) {
    const { t } = translator;
    const retryAt = startOfNextDay(to.now);
    const texts = [t("reply.chatQuota.text"), t("error.againAt", { at: retryAt })];
    return { ...writeReply("quota", t("reply.chatQuota.title"), ...texts), retryAt };
  }
  if (error instanceof QueueFullError) {
    return temporary(
      writeReply("busy", translator.t("reply.queueFull.title"), translator.t("reply.queueFull.text")),
    );
  }
  if (error instanceof NetworkFailure || error instanceof QueueClosedError) {
    return temporary(
      writeReply("offline", translator.t("error.offline.title"), translator.t("error.offline.text")),
    );
  }
  if (error instanceof ApiProblem) return problemReply(error, to, writeReply);
  return temporary(
    writeReply("failure", translator.t("error.unknown.title"), translator.t("error.unknown.text")),
  );
}

function temporary(reply: Reply): Reply {
  return { ...reply, isTemporary: true };
}

/** True if a reply reports a problem. */
export function isProblem({ kind }: Reply): boolean {
  return !infoKinds.has(kind);
}

/** For platforms without private replies: a problem contains no personal data and is shown to all. */
export function withoutPrivacy(reply: Reply): Reply {
  return reply.isPrivate && isProblem(reply) ? { ...reply, isPrivate: false } : reply;
}

const infoKinds: ReadonlySet<ReplyKind> = new Set<ReplyKind>([
  ...(["match", "uncertain", "none", "adult", "choice", "list"] as const),
  ...(["credits", "link", "settings", "leak", "text"] as const),
]);

type WriteReply = (kind: ReplyKind, title: string, ...texts: string[]) => Reply;

function imageProblemReply(
  { problem, cause }: ImageError,
  { t: text }: BotTranslator,
  writeReply: WriteReply,
): Reply {
  const limitBytes = cause instanceof ImageTooLargeError ? cause.limitBytes : undefined;
  const limit = Math.floor((limitBytes ?? downloadBytes) / 1024 / 1024);
  const [kind, title, details] = imageProblems[problem];
  const reply = writeReply(kind, text(title), text(details, { limit }));
  return problem === "download-timed-out" ? temporary(reply) : reply;
}

const imageProblems = {
  unsupported: ["unsupported", "reply.unsupported.title", "reply.unsupported.text"],
  heic: ["unsupported", "reply.heic.title", "reply.heic.text"],
  "too-large": ["too-large", "reply.tooLarge.title", "reply.tooLarge.text"],
  unreadable: ["unreadable", "error.image_unreadable.title", "error.image_unreadable.text"],
  "unreadable-video": ["unreadable", "reply.unreadableVideo.title", "reply.unreadableVideo.text"],
  "videos-off": ["unsupported", "reply.videosOff.title", "reply.videosOff.text"],
  "download-failed": ["unreadable", "reply.downloadFailed.title", "reply.downloadFailed.text"],
  "download-timed-out": ["unreadable", "reply.downloadTimedOut.title", "reply.downloadTimedOut.text"],
} as const satisfies Record<ImageProblem, readonly [ReplyKind, string, string]>;

function problemReply(
  problem: ApiProblem,
  { translator, person, now, hasMoreWithAccount = false }: Parameters<typeof describeProblem>[1],
  writeReply: WriteReply,
): Reply {
  const { t: text } = translator;
  const retryAt = findRetryAt(problem, now);
  const again = retryAt === undefined ? [] : [line(text("error.againAt", { at: retryAt }), "quiet")];
  const withTime = (reply: Reply): Reply => ({ ...reply, retryAt, lines: [...reply.lines, ...again] });
  switch (problem.code) {
    case "guest_limit_reached": {
      const link = actionButton("link", text("button.link"), writeTarget("link"));
      const offer = text(hasMoreWithAccount ? "reply.guestLimit.text" : "error.guest_limit_reached.text");
      const reply = writeReply("quota", text("reply.guestLimit.title"), offer);
      return { ...withTime(reply), buttons: [[link]] };
    }
    case "credits_exhausted":
      return withTime(writeReply("quota", text("reply.creditsGone.title"), text("reply.creditsGone.text")));
    // The API rejected the bot's own key, which the requester cannot change.
    case "unauthenticated":
    case "invalid_api_key":
      return writeReply("offline", text("error.offline.title"), text("error.offline.text"));
    case "forbidden":
      return writeReply("not-allowed", text("reply.blocked.title"), text("reply.blocked.text"));
    default: {
      const { code } = problem;
      const kind = kinds[code] ?? "failure";
      return withTime({
        ...writeReply(kind, text(`error.${code}.title`), text(`error.${code}.text`)),
        requesterId: person.id,
        isTemporary: temporaryCodes.has(code),
      });
    }
  }
}

/** Problems that may be over at the next request. */
const temporaryCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "search_busy",
  "not_ready",
  "internal_error",
  "url_fetch_failed",
]);

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

/** Days begin at midnight UTC. */
function startOfNextDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}

function findRetryAt({ code, status, quota, retryAfterSeconds }: ApiProblem, now: Date): Date | undefined {
  // The client has waited for a short outage without success, so the stated time does not hold.
  if (status === 503 && (retryAfterSeconds ?? 0) * 1000 <= outageMs) return undefined;
  const isDaily = code === "guest_limit_reached" || code === "credits_exhausted";
  if (isDaily && quota !== undefined) return new Date(quota.resetsAt);
  return retryAfterSeconds === undefined ? undefined : new Date(now.getTime() + retryAfterSeconds * 1000);
}
