import type { Database } from "@koma/database";
import type { Mail } from "./mail.ts";
import type { SignLimits } from "./sign-limits.ts";

/** A change of an account of which its owner is notified. */
export type AccountChange = keyof typeof changes;

const changes = {
  password: "The password of your Koma account was changed.",
  secondFactorOn: "A second factor was activated for your Koma account.",
  secondFactorOff: "The second factor of your Koma account was removed.",
  recoveryCodes: "The recovery codes of your Koma account were replaced.",
  apiKey: "An API key of your Koma account was created.",
  chat: "A chat bot was connected to your Koma account.",
  discord: "A sign-in with Discord was connected to your Koma account.",
  oidc: "A sign-in with another service was connected to your Koma account.",
};

/** Notifies the owner of an account of a change, without delaying the response. */
export type ChangeLetters = ReturnType<typeof createChangeLetters>;

export function createChangeLetters(options: {
  database: Pick<Database, "users">;
  limits: Pick<SignLimits, "changeMail">;
  mail: Mail;
  baseUrl: () => string;
}) {
  const { database, limits, mail } = options;

  async function notify(userId: string, change: AccountChange): Promise<void> {
    const user = await database.users.find(userId);
    if (user === undefined || !user.isEmailVerified) return;
    if ((await limits.changeMail(change, user.email)).isRefused) return;
    await mail.notifyOfChange(user.email, { text: changes[change], link: `${options.baseUrl()}/account` });
  }

  return function report(userId: string, change: AccountChange): void {
    if (mail.isConfigured) mail.begin(notify(userId, change));
  };
}
