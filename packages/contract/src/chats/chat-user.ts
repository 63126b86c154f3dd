import { z } from "zod";

/** The chat platforms on which bots can act for their users. */
export const ChatPlatform = z
  .enum(["discord", "telegram"])
  .describe("The chat platform.")
  .meta({ examples: ["discord"] });
export type ChatPlatform = z.infer<typeof ChatPlatform>;

/** A user of a chat platform: the platform, a colon and the user's id there. */
export const ChatUser = z
  .string()
  .regex(/^(?:discord|telegram):\d{1,20}$/, "must look like discord:123 or telegram:123")
  .describe("A chat user: the platform, a colon and the user's id there.")
  .meta({ examples: ["discord:80351110224678912"] });
export type ChatUser = z.infer<typeof ChatUser>;

/** A server or group of a chat platform; Telegram's group ids are negative. */
export const ChatServer = z
  .string()
  .regex(/^(?:discord:|telegram:-?)\d{1,20}$/, "must look like discord:123 or telegram:-123")
  .describe("A server or group of a chat platform: the platform, a colon and its id there.")
  .meta({ examples: ["discord:81384788765712384"] });
export type ChatServer = z.infer<typeof ChatServer>;

/** The chat user and the chat server of a bot's request. */
export const chatHeaders = {
  "x-koma-chat-user": ChatUser.optional()
    .describe(
      "The chat user of a bot's request, who is limited like a guest. Only the API key of a bot may send it.",
    )
    .meta({ examples: ["discord:80351110224678912"] }),
  "x-koma-chat-server": ChatServer.optional()
    .describe(
      "The chat server of a bot's request. A request from a blocked server is `forbidden`; the header has no other effect.",
    )
    .meta({ examples: ["discord:81384788765712384"] }),
};
