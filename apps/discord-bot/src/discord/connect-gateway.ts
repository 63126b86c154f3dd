import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@koma/bot-core";
import { DiscordAPIError, GatewayCloseCodes } from "discord.js";
import { describeError } from "./error-codes.ts";
import { createGateway, type Gateway, type GatewayOptions, GatewayRefusedError } from "./gateway.ts";

const firstWaitMs = 1_000;
const longestWaitMs = 60_000;

/**
 * A connected gateway. Retries until Discord is reachable, and connects without the message content if the
 * portal does not grant it. Throws GatewayRefusedError, and the signal's reason.
 */
export async function connectGateway(
  options: GatewayOptions & { log: Log; signal: AbortSignal },
): Promise<Gateway> {
  const { log, signal } = options;
  let { hasMessageContent } = options;
  for (let waitMs = firstWaitMs; ; ) {
    signal.throwIfAborted();
    const gateway = createGateway({ ...options, hasMessageContent });
    try {
      await Promise.race([gateway.connect(), whenAborted(signal)]);
      return gateway;
    } catch (error) {
      await gateway.close().catch(() => {});
      signal.throwIfAborted();
      const refusal = readRefusal(error);
      if (refusal?.code === GatewayCloseCodes.DisallowedIntents && hasMessageContent) {
        hasMessageContent = false;
        continue;
      }
      if (refusal !== undefined) throw refusal;
      log.warn(`Discord is unreachable; retrying in ${waitMs / 1000} s`, describeError(error));
    }
    await sleep(waitMs, undefined, { signal }).catch(() => {});
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

/** The reason why the gateway rejects the bot; undefined for temporary errors. */
export function readRefusal(error: unknown): GatewayRefusedError | undefined {
  if (error instanceof GatewayRefusedError) return error;
  const isBadToken =
    (error instanceof Error && "code" in error && error.code === "TokenInvalid") ||
    (error instanceof DiscordAPIError && error.status === 401);
  return isBadToken ? new GatewayRefusedError(GatewayCloseCodes.AuthenticationFailed) : undefined;
}

async function whenAborted(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  throw signal.reason;
}
