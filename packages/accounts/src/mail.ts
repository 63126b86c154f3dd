import type { Configuration } from "@koma/config";
import type { Transporter } from "nodemailer";
import { mayLogLinks } from "./config.ts";

/** The mails about accounts. */
export type Mail = ReturnType<typeof createMail>;

/** Sends mail with the configured server. Without one, links are logged if `mayLogLinks` permits it. */
export function createMail(options: {
  configuration: Configuration;
  baseUrl: () => string;
  log: (message: string, level: "info" | "warn") => void;
}) {
  const { KOMA_SMTP_URL: address, KOMA_MAIL_FROM: from } = options.configuration;
  const isConfigured = address !== undefined;
  let transport: Promise<Transporter> | undefined;
  const underway = new Set<Promise<void>>();

  /** Evaluated on each call, because with port 0 the base address is known late. */
  const isLogged = () =>
    mayLogLinks({
      host: options.configuration.HOST,
      baseUrl: options.baseUrl(),
      isForwarded: options.configuration.KOMA_TRUSTED_PROXIES.length > 0,
    });

  /** Starts work without delaying the response, whose time would reveal whether an account exists. */
  function begin(work: Promise<unknown>): void {
    const watched = work
      .then(
        () => undefined,
        (error: unknown) => options.log(`A mail could not be prepared: ${explain(error)}`, "warn"),
      )
      .finally(() => underway.delete(watched));
    underway.add(watched);
  }

  /** Sends a letter on a subject, with a link, to an address. */
  const about =
    (subject: string, text: string, ending = harmless) =>
    (to: string, link: string) =>
      send({ to, subject, text: `${text}\n\n${link}\n\n${ending}\n` }, link);

  async function send(letter: { to: string; subject: string; text: string }, link: string): Promise<void> {
    if (!isConfigured) {
      if (isLogged()) options.log(`${linkLine} ${letter.subject} (for ${letter.to}): ${link}`, "info");
      return;
    }
    try {
      // Most processes send no mail.
      transport ??= import("nodemailer").then((mailer) =>
        mailer.createTransport({ url: address, ...patience }),
      );
      await (await transport).sendMail({ from, ...letter });
    } catch (error) {
      options.log(`A mail could not be sent: ${explain(error)}`, "warn");
    }
  }

  return {
    /** Whether a mail server is configured; then addresses must be verified. */
    isConfigured,
    /** Whether links are sent or logged. */
    isPossible: () => isConfigured || isLogged(),
    begin,

    /** Sends a link that verifies an address. */
    verifyAddress: about("Confirm your address", "Open this page to confirm your address for Koma:"),

    /** Sends a link for a new password. */
    resetPassword: about("Choose a new password", "Open this page to choose a new password for Koma:"),

    /** Notifies the owner of an address of an attempt to sign up with it. */
    notifyOfSignUp: about(
      "You already have an account",
      "Someone tried to sign up for Koma with your address, which already has an account. You can sign in at:",
    ),

    /** Notifies the owner of an account of many failed attempts to sign in. */
    notifyOfFailures: about(
      "Failed sign-ins to your account",
      "More than 100 attempts to sign in to your Koma account failed within an hour. New devices now get one attempt per minute; devices that you have used work as before. You can change your password at:",
    ),

    /** Notifies the owner of an account of many wrong codes after the right password. */
    notifyOfWrongCodes: about(
      "Wrong codes for your account",
      "Someone signed in to your Koma account with the right password and then entered 10 wrong codes of the second factor within an hour. You can change your password at:",
      "If this was not you, someone knows your password: change it.",
    ),

    /** Notifies the owner of an account of a change. */
    notifyOfChange: (to: string, { link, text }: { link: string; text: string }) =>
      about(
        "Your account was changed",
        `${text} You can check your account at:`,
        "If this was not you, change your password, and end the other sessions of your account.",
      )(to, link),

    /** Notifies the owner of an API key that it was published and is revoked. */
    notifyOfLeakedKey: (to: string, { link, title, start }: { link: string; title: string; start: string }) =>
      about(
        "An API key of yours was published",
        `Someone posted your API key "${title}" (${start}…) in a chat. Koma has revoked it: programs that use it no longer work. You can create a new key at:`,
        "Keep keys secret, like passwords: a person who has one searches with your credits.",
      )(to, link),

    /** Resolves when all started mails were sent or have failed. */
    async close(): Promise<void> {
      while (underway.size > 0) await Promise.all(underway);
      (await transport)?.close();
    },
  };
}

/** The beginning of a line in the log with a link that the owner opens; its token stays readable. */
export const linkLine = "Mail:";

const harmless = "If this was not you, no action is required.";
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** A description without the failed command, which can contain the password or the address. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return "for an unknown reason";
  const code = "code" in error ? String(error.code) : error.name;
  const response = "responseCode" in error ? ` ${String(error.responseCode)}` : "";
  return `${code}${response}`;
}
