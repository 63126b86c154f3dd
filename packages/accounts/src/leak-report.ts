import type { Database, RevokedApiKey } from "@koma/database";
import type { Mail } from "./mail.ts";
import type { SignLimits } from "./sign-limits.ts";

/** Reports a key that was revoked because it was published, without delaying the response. */
export type LeakReport = ReturnType<typeof createLeakReport>;

export function createLeakReport(options: {
  database: Pick<Database, "users">;
  limits: Pick<SignLimits, "leakMail">;
  mail: Mail;
  baseUrl: () => string;
  log: (message: string, level: "warn") => void;
}) {
  const { database, limits, mail } = options;

  async function notifyOwner({ userId, title, start }: RevokedApiKey): Promise<void> {
    const user = await database.users.find(userId);
    if (user === undefined || !user.isEmailVerified || user.isDisabled) return;
    if ((await limits.leakMail(user.email)).isRefused) return;
    await mail.notifyOfLeakedKey(user.email, { link: `${options.baseUrl()}/keys`, title, start });
  }

  return function report(key: RevokedApiKey & { isBot: boolean }): void {
    // A bot has no mailbox, and its operator must replace the key.
    if (key.isBot) {
      const named = `The bot key "${key.title}" (${key.start}…)`;
      options.log(`${named} was published in a chat and is revoked. Restart the bots that use it.`, "warn");
    } else if (mail.isConfigured) mail.begin(notifyOwner(key));
  };
}
