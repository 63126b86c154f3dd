import { z } from "zod";

/** The chat platforms on which bots can act for their users. */
export const ChatPlatform = z
  .enum(["discord", "telegram"])
  .describe("The chat platform.")
  .meta({ examples: ["discord"] });
export type ChatPlatform = z.infer<typeof ChatPlatform>;

/** Someone on a chat platform: its name, a colon and their number there. */
export const ChatUser = z
  .string()
  .regex(/^(?:discord|telegram):\d{1,20}$/, "must look like discord:123 or telegram:123")
  .describe("A chat user: the platform, a colon and the user's number there.")
  .meta({ examples: ["discord:80351110224678912"] });
export type ChatUser = z.infer<typeof ChatUser>;

/** For whom a bot asks. */
export const chatUserHeader = {
  "x-koma-chat-user": ChatUser.optional()
    .describe(
      "For whom a bot asks: that chat user counts as a guest of its own. Only a bot's API key may send it.",
    )
    .meta({ examples: ["discord:80351110224678912"] }),
};
