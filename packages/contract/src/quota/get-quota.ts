import { z } from "zod";
import { chatHeaders } from "../chats/chat-user.ts";
import { defineEndpoint } from "../endpoint/endpoint.ts";
import { Quota } from "./quota.ts";

/** The remaining searches of the caller. */
export const getQuota = defineEndpoint({
  id: "getQuota",
  method: "GET",
  path: "/api/anime/quota",
  tag: "Search",
  summary: "Get the remaining searches",
  security: ["guest", "session", "apiKey"],
  scope: "search",
  headers: z.object(chatHeaders),
  replies: { 200: { description: "The quota of the caller, including guests.", body: Quota } },
  errors: ["forbidden"],
});
