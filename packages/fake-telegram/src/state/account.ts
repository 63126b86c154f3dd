import { compact, type Json } from "@koma/fake-chat";

/** A user or a bot. */
export type Account = {
  readonly id: number;
  readonly name: string;
  readonly username: string | undefined;
  readonly language: string | undefined;
  readonly isBot: boolean;
  /** True if the user has written to the bot, which may not write first. */
  hasStarted: boolean;
  hasBlocked: boolean;
};

/** A user or bot in the Bot API's format. */
export function describeUser({ id, isBot, language, name, username }: Account): Json {
  return compact({ id, is_bot: isBot, first_name: name, username, language_code: language });
}
