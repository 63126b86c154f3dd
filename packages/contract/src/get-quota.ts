import { z } from "zod";
import { chatHeaders } from "./chat-user.ts";
import { defineEndpoint } from "./endpoint.ts";
import { Quota } from "./quota.ts";

/** Tells whoever asks how many searches are left. */
export const getQuota = defineEndpoint({
  id: "getQuota",
  method: "GET",
  path: "/api/anime/quota",
  tag: "Search",
  summary: "How many searches are left",
  security: ["guest", "session", "apiKey"],
  headers: z.object(chatHeaders),
  replies: { 200: { description: "The quota of whoever asks, guests too.", body: Quota } },
  errors: ["forbidden"],
});
