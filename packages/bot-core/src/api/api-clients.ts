import { ApiProblem, type Client, createClient, NetworkFailure } from "@koma/client";
import type { Measure } from "../model/bot-core.ts";
import type { Chat, Person, Platform } from "../model/request.ts";

/** The API, asked as the bot or with a person's own key. */
export type ApiClients = ReturnType<typeof createApiClients>;

/** Headers that tell for whom a search or quota is asked, and where. */
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

  // Every call passes here, so that health tells how the last one went.
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
    /** As the bot itself: guests' searches, links, and what a confirmToken proves. */
    bot,
    /** With a person's own key. */
    withKey: (apiKey: string): Client => createClient({ baseUrl, apiKey, fetch: watch }),
    chatUser: ({ id }: Person): `${Platform}:${string}` => `${platform}:${id}`,
    /** Headers of a search or quota; a person's own key says itself for whom. */
    headersFor(person: Person, chat: Chat, isLinked: boolean): ChatHeaders {
      return {
        ...(isLinked ? {} : { "x-koma-chat-user": `${platform}:${person.id}` }),
        ...(isNumbered(chat) ? { "x-koma-chat-server": `${platform}:${chat.id}` } : {}),
      };
    },
    isReachable: () => isReachable,
    /** The result of a call, timed and counted by how it ended. */
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

/** Where a bot is a guest it may know the chat by another name than its number, which the API would refuse. */
function isNumbered({ kind, id }: Chat): boolean {
  return kind !== "direct" && /^-?\d+$/.test(id);
}

/** What a proxy answers with instead of an API that is not there. */
function isGatewayPage({ status, headers }: Response): boolean {
  const isProblem = headers.get("content-type")?.startsWith("application/problem+json") === true;
  return status >= 502 && status <= 504 && !isProblem;
}

function nameOutcome(error: unknown): string {
  if (error instanceof ApiProblem) return error.code;
  return error instanceof NetworkFailure ? error.reason : "unexpected";
}
