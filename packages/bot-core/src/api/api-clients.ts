import { ApiProblem, type Client, createClient, NetworkFailure } from "@koma/client";
import type { Measure } from "../model/bot-core.ts";
import type { Chat, Person, Platform } from "../model/request.ts";

/**
 * A search is repeated for this time while the API is away, because a restart takes less; "typing" is shown
 * until then.
 */
export const outageMs = 10_000;

/** Clients of the API with the bot's key or a person's own key. */
export type ApiClients = ReturnType<typeof createApiClients>;

/** Headers that name the person and the chat of a search or quota request. */
export type ChatHeaders = {
  "x-koma-chat-user"?: `${Platform}:${string}`;
  "x-koma-chat-server"?: `${Platform}:${string}`;
};

export function createApiClients(options: {
  platform: Platform;
  apiUrl: string;
  botKey: string;
  onMeasure: (measure: Measure) => void;
}) {
  const { platform, apiUrl: baseUrl } = options;
  let isReachable = true;
  const bot = createClient({ baseUrl, apiKey: options.botKey, fetch: watch });

  // Every call is recorded, so that the health check reports the last outcome.
  async function watch(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    try {
      const response = await fetch(input, init);
      isReachable = !isGatewayPage(response);
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) isReachable = false;
      throw error;
    }
  }

  return {
    /** Uses the bot's key: for guests' searches, links, and requests with a confirmToken. */
    bot,
    /** Uses a person's own key. */
    withKey: (apiKey: string): Client => createClient({ baseUrl, apiKey, fetch: watch }),
    chatUser: ({ id }: Person): `${Platform}:${string}` => `${platform}:${id}`,
    /** The headers of a search or quota request. A person's own key identifies the person itself. */
    headersFor(person: Person, chat: Chat, isLinked: boolean): ChatHeaders {
      return {
        ...(isLinked ? {} : { "x-koma-chat-user": `${platform}:${person.id}` }),
        ...(isNumbered(chat) ? { "x-koma-chat-server": `${platform}:${chat.id}` } : {}),
      };
    },
    isReachable: () => isReachable,
    /** The result of a call, timed and counted by its outcome. */
    async measured<Result>(name: string, call: () => Promise<Result>): Promise<Result> {
      const startedMs = performance.now();
      const end = (outcome: string) =>
        options.onMeasure({
          name: "api",
          label: `${name} ${outcome}`,
          seconds: (performance.now() - startedMs) / 1000,
        });
      try {
        const result = await call();
        end("ok");
        return result;
      } catch (error) {
        end(nameOutcome(error));
        throw error;
      }
    },
  };
}

/**
 * As a guest of a server, the bot can have another name for the chat than its number, which the API would
 * reject.
 */
function isNumbered({ kind, id }: Chat): boolean {
  return kind !== "direct" && /^-?\d+$/.test(id);
}

/** True for the error page of a proxy whose API is unreachable. */
function isGatewayPage({ status, headers }: Response): boolean {
  const isProblem = headers.get("content-type")?.startsWith("application/problem+json") === true;
  return status >= 502 && status <= 504 && !isProblem;
}

function nameOutcome(error: unknown): string {
  if (error instanceof ApiProblem) return error.code;
  return error instanceof NetworkFailure ? error.reason : "unexpected";
}
