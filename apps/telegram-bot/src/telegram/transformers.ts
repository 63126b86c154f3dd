import { setTimeout as sleep } from "node:timers/promises";
import { autoRetry } from "@grammyjs/auto-retry";
import { apiThrottler } from "@grammyjs/transformer-throttler";
import { withoutNulls } from "@koma/bot-core";
import { HttpError, type Transformer } from "grammy";
import type { ApiError } from "grammy/types";

/** The maximum wait for sending a message. */
const longestWaitSeconds = 600;
/** Slightly more than Telegram's delay, because clocks differ. */
const marginMs = 150;
const waitsMs = [300, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];

/** The API transformers, from the inside out: rate limits, retries and pacing. */
export function createTransformers(options: { onRateLimit: (seconds: number) => void; signal: AbortSignal }) {
  const throttle = apiThrottler();
  const paced: Transformer = (previous, method, payload, signal) =>
    isNewMessage(method) ? throttle(previous, method, payload, signal) : previous(method, payload, signal);
  return [
    readAbsentFields,
    holdBack(options),
    // An inline query accepts an answer for some seconds.
    skipFor((method) => isFleeting(method) && method !== "answerInlineQuery", persist(options)),
    skipFor(
      isFleeting,
      autoRetry({
        maxRetryAttempts: 8,
        maxDelaySeconds: longestWaitSeconds,
        rethrowHttpErrors: true,
        rethrowInternalServerErrors: true,
      }),
    ),
    paced,
  ];
}

const readAbsentFields: Transformer = async (previous, method, payload, signal) =>
  withoutNulls(await previous(method, payload, signal));

/**
 * After a rate limit of a chat, all requests of that chat wait; after limits of several chats at once, all
 * requests wait.
 */
function holdBack({ onRateLimit }: { onRateLimit: (seconds: number) => void }): Transformer {
  const heldUntil = new Map<string, number>();
  const isHeld = (until: number) => until > Date.now();
  return async (previous, method, payload, signal) => {
    if (isFleeting(method)) return await previous(method, payload, signal);
    const chat = readChat(payload);
    for (let ms = remaining(chat); ms > 0; ms = remaining(chat)) await sleep(ms);
    const response = await previous(method, payload, signal);
    const seconds = response.ok ? undefined : response.parameters?.retry_after;
    // The profile has separate limits of hours. A limit on "typing" must not delay the reply.
    if (seconds === undefined || isFleeting(method)) return response;
    onRateLimit(seconds);
    heldUntil.set(chat, Date.now() + seconds * 1000 + marginMs);
    for (const [name, until] of heldUntil) if (!isHeld(until)) heldUntil.delete(name);
    return response;
  };

  function remaining(chat: string): number {
    const all = [...heldUntil.values()].filter(isHeld);
    const until =
      all.length > 1 ? Math.min(Math.max(...all), Date.now() + 5_000) : (heldUntil.get(chat) ?? 0);
    return Math.max(until, heldUntil.get(chat) ?? 0) - Date.now();
  }
}

/**
 * Retries network errors, server errors (5xx) and rate limits without a delay, with growing delays for two
 * minutes.
 */
function persist({ signal: ending }: { signal: AbortSignal }): Transformer {
  return async (previous, method, payload, signal) => {
    for (const waitMs of waitsMs) {
      try {
        const response = await previous(method, payload, signal);
        if (response.ok || !isTemporary(response) || ending.aborted) return response;
      } catch (error) {
        if (!(error instanceof HttpError) || signal?.aborted || ending.aborted) throw error;
      }
      await sleep(waitMs, undefined, { signal: ending }).catch(() => {});
    }
    return await previous(method, payload, signal);
  };
}

type Failure = Pick<ApiError, "error_code" | "parameters"> & { description?: string };

/** A response without a description is none of Telegram's own errors; the caller falls back at once. */
function isTemporary({ error_code: code, description, parameters }: Failure): boolean {
  if (code === 429) return parameters?.retry_after === undefined;
  return code >= 500 && typeof description === "string";
}

function skipFor(isSkipped: (method: string) => boolean, transformer: Transformer): Transformer {
  return (previous, method, payload, signal) =>
    isSkipped(method) ? previous(method, payload, signal) : transformer(previous, method, payload, signal);
}

/** Requests whose effect expires quickly, or that their caller repeats. */
function isFleeting(method: string): boolean {
  return (
    ["getUpdates", "sendChatAction", "setMessageReaction", "answerInlineQuery"].includes(method) ||
    method.startsWith("setMy")
  );
}

function isNewMessage(method: string): boolean {
  return method.startsWith("send") && method !== "sendChatAction";
}

function readChat(payload: object | undefined): string {
  const chat = payload && "chat_id" in payload ? payload.chat_id : undefined;
  return chat === undefined ? "" : String(chat);
}
