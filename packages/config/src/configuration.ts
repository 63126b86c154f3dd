import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { botConfiguration } from "./bot-configuration.ts";
import {
  decimalInteger,
  isMailbox,
  isNetwork,
  isOrigin,
  isTimeZone,
  isWebAddress,
  list,
  productList,
  writtenBoolean,
} from "./values.ts";

const repositoryFolder = fileURLToPath(new URL("../../../", import.meta.url));

/** A shorter secret can be guessed, and with it sessions and verification links can be forged. */
const secretMinimumCharacters = 32;
const secretMessage = `must have at least ${secretMinimumCharacters} characters; make one with \`openssl rand -base64 32\`, or leave it out to keep one in the data folder`;

/** How a process ends when only a change of the configuration helps, so that starting it again does not (EX_CONFIG of sysexits.h). */
export const configurationExitCode = 78;

/** All that can be set from outside, by the names of environment variables; each says what it does. */
export const Configuration = z.object({
  PORT: decimalInteger({ minimum: 0, maximum: 65_535 })
    .default(3000)
    .describe("Port of the API; 0 takes a free one."),
  HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address that the API listens on; `0.0.0.0` or `::` for all."),
  KOMA_BASE_URL: z
    .string()
    .refine(isWebAddress, "must be an http or https address without query")
    .transform((address) => address.replace(/\/+$/, ""))
    .optional()
    .describe(
      "Address under which the API is reached from outside, path prefix included. Default: from host and port.",
    ),
  KOMA_LIBRARY_ROOTS: list(isAbsolute).describe(
    "Absolute folders, comma-separated, below which events of Sonarr and Jellyfin index videos. Unset: `/api/webhooks/library` is not there.",
  ),
  KOMA_LIBRARY_TOKEN: z
    .string()
    .regex(/^[\w-]{16,256}$/, "must have 16 to 256 letters, digits, _ or -")
    .optional()
    .describe("Token that such an event must carry; needed with KOMA_LIBRARY_ROOTS."),
  KOMA_TRACE_MOE_HOST: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "must be a host name in lower case, without port")
    .optional()
    .describe(
      "Host name whose whole address space is the trace.moe-compatible API. Unset: it is only at `/trace.moe`.",
    ),
  KOMA_DATA_DIR: z
    .string()
    .transform((folder) => resolve(repositoryFolder, folder))
    .default(resolve(repositoryFolder, ".koma"))
    .meta({ written: ".koma" })
    .describe("Folder for all that is kept; a relative one counts from the repository."),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be a postgresql:// address")
    .optional()
    .describe("A PostgreSQL database. Unset: an embedded database in the data folder."),
  KOMA_SECRET: z
    .string()
    .refine((text) => text.trim().length >= secretMinimumCharacters, secretMessage)
    .optional()
    .describe(
      "Signs preview addresses and hides who asked. Unset: made at the first start and kept in the data folder.",
    ),
  KOMA_GUEST_SEARCHES_PER_DAY: decimalInteger({ minimum: 0, maximum: 1_000_000_000 })
    .default(5)
    .describe("Searches a day that a guest has, counted by IP address (IPv6 by its /64)."),
  KOMA_FREE_CREDITS_PER_DAY: decimalInteger({ minimum: 0, maximum: 1_000_000_000 })
    .default(10)
    .describe("Searches a day that a signed-in user has for free; they expire at midnight."),
  KOMA_SEARCHES_PER_HOUR: decimalInteger({ minimum: 0, maximum: 1_000_000_000 })
    .default(100)
    .describe("Searches that a user has in any 60 minutes, free or paid."),
  KOMA_HISTORY_DAYS: decimalInteger({ minimum: 1, maximum: 36_500 })
    .default(90)
    .describe("Days that a user's searches are kept; public ones then lose what could tell who asked."),
  KOMA_SIGN_UPS_PER_HOUR: decimalInteger({ minimum: 0, maximum: 1_000_000_000 })
    .default(10)
    .describe("Sign-ups an hour from one IP address (IPv6: one /64), against abuse; 0 allows none."),
  KOMA_REQUESTS_PER_MINUTE: decimalInteger({ minimum: 1, maximum: 1_000_000_000 })
    .default(300)
    .describe("Requests a minute from one IP address, against abuse."),
  KOMA_TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be a time zone like Europe/Berlin")
    .default("UTC")
    .describe("Time zone whose midnight ends a day."),
  KOMA_TRUSTED_ORIGINS: list(isOrigin).describe(
    "Sites, comma-separated, that may send a signed-in user's cookie; the base address is always one.",
  ),
  KOMA_TRUSTED_PROXIES: list(isNetwork).describe(
    "Addresses or networks, comma-separated, of proxies whose `X-Forwarded-For` is believed. Default: none.",
  ),
  KOMA_SAMPLE_LIBRARY: writtenBoolean()
    .default(true)
    .describe("`false` starts with an empty library instead of the sample library."),
  KOMA_ENGINE_WORKERS: decimalInteger({ minimum: 1, maximum: 64 })
    .optional()
    .describe("Threads that describe pictures. Default: by the number of processors."),
  KOMA_SMTP_URL: z
    .string()
    .refine(
      (address) => URL.canParse(address) && /^smtps?:\/\/[^/?#]/.test(address),
      "must be an smtp:// or smtps:// address",
    )
    .optional()
    .describe(
      "Mail server, as `smtps://user:password@host:465`. With it, addresses are verified and passwords reset by mail. Unset: no mail is sent; its links are logged where `NODE_ENV` is `development`, or unset while only this machine reaches the API.",
    ),
  KOMA_MAIL_FROM: z
    .string()
    .refine(isMailbox, "must be an address like koma@site.example or Koma <koma@site.example>")
    .optional()
    .describe("Sender of all mail, as `Koma <koma@site.example>`; needed with a mail server."),
  DISCORD_CLIENT_ID: z
    .string()
    .regex(/^\d{1,20}$/, "must be a number")
    .optional()
    .describe("Discord application with which people can sign in. Unset: no sign-in with Discord."),
  DISCORD_CLIENT_SECRET: z.string().optional().describe("Secret of that application."),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_\w+$/, "must be a secret key (sk_…) or a restricted one (rk_…)")
    .optional()
    .describe("Stripe's key, with which purchases are started. Unset: nothing can be bought."),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, "must look like whsec_…")
    .optional()
    .describe("Signs what Stripe sends to `/api/webhooks/stripe`. Unset: that address is not there."),
  KOMA_STRIPE_PRODUCTS: productList().describe(
    "Stripe's prices that can be bought and the credits they bring: `price_abc=100,price_def=500`.",
  ),
  ...botConfiguration,
  FFMPEG_PATH: z
    .string()
    .optional()
    .describe("The ffmpeg to use. Default: the system's, else one from an npm package."),
  FFPROBE_PATH: z.string().optional().describe("The ffprobe to use. Default: the one beside ffmpeg."),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("The least important lines that the log shows."),
});
export type Configuration = z.infer<typeof Configuration>;

/** Environment variables that cannot be used; the message has a line for each. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
  readonly problems: { variable: string; message: string }[];

  constructor(problems: { variable: string; message: string }[]) {
    super(
      ["The configuration cannot be used:", ...problems.map((p) => `  ${p.variable} ${p.message}`)].join(
        "\n",
      ),
    );
    this.problems = problems;
  }
}

/** The secret as read from `file`, without white space around it. Throws ConfigurationError when it is too short. */
export function parseSecret(text: string, file: string): string {
  const secret = text.trim();
  if (secret.length >= secretMinimumCharacters) return secret;
  throw new ConfigurationError([{ variable: file, message: secretFileMessage }]);
}

const secretFileMessage = `must hold at least ${secretMinimumCharacters} characters: restore it from a backup, or delete it to get a new one, which signs every user out and makes the accounts linked in the bots unreadable`;

/** The typed configuration in `environment`; empty variables count as unset. Throws ConfigurationError naming every bad one. */
export function parseConfiguration(environment: Record<string, string | undefined>): Configuration {
  const configuration = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = Configuration.superRefine(refuseHalves).safeParse(configuration);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    parsed.error.issues.map((issue) => ({ variable: String(issue.path[0]), message: issue.message })),
  );
}

/** One row per variable, for documentation: its name, the default as one would write it (undefined: unset) and what it does. */
export function describeConfiguration(): {
  variable: string;
  default: string | undefined;
  description: string;
}[] {
  return Object.entries(Configuration.shape).map(([variable, schema]) => {
    const value = schema.safeParse(undefined).data;
    const written = schema.meta()?.written ?? (Array.isArray(value) ? value.join(",") || undefined : value);
    return {
      variable,
      default: written === undefined ? undefined : String(written),
      description: schema.description ?? "",
    };
  });
}

/** What is of no use, or would take money for nothing, without the others. */
const needs = [
  ["KOMA_SMTP_URL", "KOMA_MAIL_FROM"],
  ["DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET"],
  ["DISCORD_CLIENT_SECRET", "DISCORD_CLIENT_ID"],
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "KOMA_STRIPE_PRODUCTS"],
  ["KOMA_LIBRARY_ROOTS", "KOMA_LIBRARY_TOKEN"],
] as const;

function refuseHalves(configuration: Configuration, context: z.RefinementCtx): void {
  for (const [variable, ...others] of needs) {
    if (!isSet(configuration[variable])) continue;
    for (const other of others) {
      if (isSet(configuration[other])) continue;
      context.addIssue({ code: "custom", path: [other], message: `is needed with ${variable}` });
    }
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
