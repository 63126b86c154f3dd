import type { Configuration } from "@koma/config";
import { createTransport } from "nodemailer";
import { mayLogLinks } from "./config.ts";

/** The letters that accounts send. */
export type Mail = ReturnType<typeof createMail>;

type Letter = { to: string; subject: string; text: string; link: string };

/** Sends mail by the configured server. Without one, links are logged where they may be; elsewhere there is no mail. */
export function createMail(options: {
  configuration: Configuration;
  baseUrl: () => string;
  log: (message: string, level: "info" | "warn") => void;
}) {
  const { KOMA_SMTP_URL: address, KOMA_MAIL_FROM: from } = options.configuration;
  const transport = address === undefined ? undefined : createTransport({ url: address, ...patience });
  const underway = new Set<Promise<void>>();

  /** Asked anew each time: with port 0 the base address is known late. */
  const isLogged = () => mayLogLinks({ host: options.configuration.HOST, baseUrl: options.baseUrl() });

  /** Begins something that no answer waits for: how long mail takes would tell who has an account. */
  function begin(work: Promise<unknown>): void {
    const watched = work
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => underway.delete(watched));
    underway.add(watched);
  }

  async function send(letter: Letter): Promise<void> {
    if (transport === undefined) {
      if (isLogged()) options.log(`${letter.subject} (for ${letter.to}): ${letter.link}`, "info");
      return;
    }
    const { to, subject, text, link } = letter;
    try {
      await transport.sendMail({ from, to, subject, text: `${text}\n\n${link}\n\n${ending}\n` });
    } catch (error) {
      options.log(`A mail could not be sent: ${explain(error)}`, "warn");
    }
  }

  return {
    /** Whether addresses can be verified: then they have to be. */
    isConfigured: transport !== undefined,
    /** Whether a link reaches anyone at all. */
    isPossible: () => transport !== undefined || isLogged(),
    begin,

    /** Asks whether an address is the person's. */
    verifyAddress: (to: string, link: string) =>
      send({
        to,
        link,
        subject: "Confirm your address",
        text: "Open this page to confirm your address for Koma:",
      }),

    /** Lets someone choose another password. */
    resetPassword: (to: string, link: string) =>
      send({
        to,
        link,
        subject: "Choose a new password",
        text: "Open this page to choose a new password for Koma:",
      }),

    /** Tells the owner of an address that somebody tried to sign up with it. */
    notifyOfSignUp: (to: string, link: string) =>
      send({
        to,
        link,
        subject: "You have an account already",
        text: "Somebody tried to sign up for Koma with your address, which has an account. You can sign in at:",
      }),

    /** Ends when all that was begun is out or has failed. */
    async close(): Promise<void> {
      while (underway.size > 0) await Promise.all(underway);
      transport?.close();
    },
  };
}

const ending = "If this was not you, you need not do anything.";
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Without the command that failed: it may have the password or the address in it. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return "for an unknown reason";
  const code = "code" in error ? String(error.code) : error.name;
  const response = "responseCode" in error ? ` ${String(error.responseCode)}` : "";
  return `${code}${response}`;
}
