import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { backupConfiguration } from "./backup-configuration.ts";
import { botConfiguration } from "./bot-configuration.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { networkLimitConfiguration } from "./network-limit-configuration.ts";
import { notificationConfiguration } from "./notification-configuration.ts";
import { oidcConfiguration } from "./oidc-configuration.ts";
import { paymentConfiguration } from "./payment-configuration.ts";
import { secretMessage, secretMinimumCharacters } from "./secret.ts";
import { readSecretFiles, secretVariables } from "./secret-files.ts";
import { upstreamList } from "./upstreams.ts";
import {
  decimalInteger,
  isMailbox,
  isNetwork,
  isOrigin,
  isTimeZone,
  isWebAddress,
  list,
  secretAddresses,
  webAddress,
  writtenBoolean,
} from "./values.ts";

export { ConfigurationError } from "./configuration-error.ts";
export { parseSecret } from "./secret.ts";

const repositoryFolder = fileURLToPath(new URL("../../../", import.meta.url));

/** The environment variables of all processes, each with its description. */
export const Configuration = z.object({
  PORT: decimalInteger({ minimum: 0, maximum: 65_535 })
    .default(3000)
    .describe("Port of the API; 0 selects a free one."),
  HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address that the API listens on; `0.0.0.0` or `::` for all."),
  KOMA_METRICS_PORT: decimalInteger({ minimum: 0, maximum: 65_534 })
    .optional()
    .describe(
      "Port of the API's `/metrics` for Prometheus; `koma index --watch` uses the next one, and 0 selects free ones. Unset: none.",
    ),
  KOMA_METRICS_HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address that the metrics of API, indexer and bots listen on; do not open it to the internet."),
  KOMA_BASE_URL: webAddress().describe(
    "Public address of the API, including its path prefix. Default: from host and port.",
  ),
  KOMA_LIBRARY_ROOTS: list(isAbsolute).describe(
    "Absolute folders, comma-separated, below which operators and the events of Sonarr and Jellyfin index videos. Unset: the operator page indexes no folders, and `/api/webhooks/library` does not exist.",
  ),
  KOMA_LIBRARY_TOKEN: z
    .string()
    .regex(/^[\w-]{16,256}$/, "must have 16 to 256 letters, digits, _ or -")
    .optional()
    .describe("Token that these events must contain; required with KOMA_LIBRARY_ROOTS."),
  KOMA_TRACE_MOE_HOST: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "must be a host name in lower case, without port")
    .optional()
    .describe(
      "Host name that serves only the trace.moe-compatible API. Unset: the API is only at `/trace.moe`.",
    ),
  KOMA_UPSTREAMS: upstreamList().describe(
    "Other services, comma-separated and in order, that get the image of a search when it is not in the library: `koma+https://koma.example`, `tracemoe+https://api.trace.moe`, each with an API key as `koma+https://KEY@koma.example`. Unset: no image leaves this server.",
  ),
  KOMA_UPSTREAM_SEARCHES_PER_DAY: decimalInteger({ minimum: 1, maximum: 1_000_000_000 })
    .default(200)
    .describe("Requests per day to all these services; one caller gets at most a tenth of them."),
  KOMA_UPSTREAM_UNCERTAIN: writtenBoolean()
    .default(false)
    .describe("`true` asks these services also when the library has only uncertain matches."),
  KOMA_DATA_DIR: z
    .string()
    .transform((folder) => resolve(repositoryFolder, folder))
    .default(resolve(repositoryFolder, ".koma"))
    .meta({ written: ".koma" })
    .describe("Folder of all stored data; a relative path starts at the repository."),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be a postgresql:// address")
    .optional()
    .describe("A PostgreSQL database. Unset: an embedded database in the data folder."),
  ...backupConfiguration,
  ...notificationConfiguration,
  DATABASE_REPLICA_URLS: secretAddresses(
    /^postgres(ql)?:\/\/./,
    "must have postgresql:// addresses",
  ).describe(
    "Streaming replicas of DATABASE_URL, comma-separated postgresql:// addresses; the index of `KOMA_INDEX=postgres` and public parts of the library are read from them.",
  ),
  KOMA_INDEX: z
    .enum(["embedded", "hnsw", "postgres"], "must be embedded, hnsw or postgres")
    .default("embedded")
    .describe(
      "`postgres` keeps the index of frames in the PostgreSQL of DATABASE_URL, which needs pgvector 0.8 or later; `embedded` in the memory of each process; `hnsw` there as well, as a graph of hnswlib-node, which has to be compiled and needs three times the memory.",
    ),
  KOMA_SECRET: z
    .string()
    .refine((text) => text.trim().length >= secretMinimumCharacters, secretMessage)
    .optional()
    .describe(
      "Secret for signatures and caller hashes. Unset: generated at the first start and stored in the data folder.",
    ),
  KOMA_GUEST_SEARCHES_PER_DAY: decimalInteger({ minimum: 0, maximum: 1_000_000_000 })
    .default(5)
    .describe("Searches per day of a guest, counted by IP address (IPv6: by /64)."),
  KOMA_FREE_CREDITS_PER_DAY: decimalInteger({ minimum: 0, maximum: 1_000_000_000 })
    .default(10)
    .describe("Free searches per day of a signed-in user; they expire at midnight."),
  KOMA_SEARCHES_PER_HOUR: decimalInteger({ minimum: 0, maximum: 1_000_000_000 })
    .default(100)
    .describe("Searches of a user in any 60 minutes, free or paid."),
  KOMA_HISTORY_DAYS: decimalInteger({ minimum: 1, maximum: 36_500 })
    .default(90)
    .describe(
      "Days after which the searches of a user are deleted; confirmed public ones are anonymised instead.",
    ),
  KOMA_MISSING_DAYS: decimalInteger({ minimum: 0, maximum: 36_500 })
    .default(30)
    .describe(
      "Days for which the descriptor of an image that is not in the library is stored, without its image and maker, so that operators see what is missing; 0: none is stored.",
    ),
  KOMA_SIGN_UPS_PER_HOUR: decimalInteger({ minimum: 0, maximum: 1_000_000_000 })
    .default(10)
    .describe("Sign-ups per hour of one IP address (IPv6: one /64); 0 allows none."),
  KOMA_REQUIRE_2FA: z
    .enum(["off", "admins"], "must be off or admins")
    .default("off")
    .describe(
      "`admins` denies administrators without a second factor the operator's page and its endpoints.",
    ),
  ...networkLimitConfiguration,
  KOMA_TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be a time zone like Europe/Berlin")
    .default("UTC")
    .describe("Time zone of the midnight at which a day ends."),
  KOMA_TRUSTED_ORIGINS: list(isOrigin).describe(
    "Origins, comma-separated, that may send the cookie of a signed-in user; the base address is always one.",
  ),
  KOMA_TRUSTED_PROXIES: list(isNetwork).describe(
    "Addresses or networks, comma-separated, of proxies whose `X-Forwarded-For` is trusted. Default: none.",
  ),
  KOMA_SAMPLE_LIBRARY: writtenBoolean()
    .default(true)
    .describe("`false` starts with an empty library instead of the sample library."),
  KOMA_PUBLIC_LIBRARY: writtenBoolean()
    .default(false)
    .describe(
      "`true` lists the indexed anime and episodes for everybody at `/library`, and opens the files and statistics of the API of trace.moe; administrators always see `/library`.",
    ),
  KOMA_CONTACT: z
    .string()
    .refine(
      (text) => isWebAddress(text) || /^[^\s@<>]+@[^\s@<>]+$/.test(text),
      "must be a mail address, or an http or https address without query",
    )
    .optional()
    .describe("Mail or web address of the operator, shown on the pages about the site. Unset: none."),
  KOMA_ENGINE_WORKERS: decimalInteger({ minimum: 1, maximum: 64 })
    .optional()
    .describe(
      "Threads that compute descriptors. Default: one per processor, at most four, and fewer with less than 1.5 GiB of memory.",
    ),
  KOMA_SMTP_URL: z
    .string()
    .refine(
      (address) => URL.canParse(address) && /^smtps?:\/\/[^/?#]/.test(address),
      "must be an smtp:// or smtps:// address",
    )
    .optional()
    .describe(
      "Mail server, as `smtps://user:password@host:465`. With it, addresses are verified and passwords reset by mail. Unset: no mail is sent; the links of mails are logged if `NODE_ENV` is `development`, or if it is unset and only this machine can reach the API.",
    ),
  KOMA_MAIL_FROM: z
    .string()
    .refine(isMailbox, "must be an address like koma@site.example or Koma <koma@site.example>")
    .optional()
    .describe("Sender of all mail, as `Koma <koma@site.example>`; required with a mail server."),
  DISCORD_CLIENT_ID: z
    .string()
    .regex(/^\d{1,20}$/, "must be a number")
    .optional()
    .describe("Discord application for sign-in. Unset: no sign-in with Discord."),
  DISCORD_CLIENT_SECRET: z.string().optional().describe("Secret of the Discord application."),
  ...oidcConfiguration,
  ...paymentConfiguration,
  ...botConfiguration,
  FFMPEG_PATH: z.string().optional().describe("Path of ffmpeg. Default: the system's."),
  FFPROBE_PATH: z.string().optional().describe("Path of ffprobe. Default: the one in the folder of ffmpeg."),
  KOMA_HWACCEL: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, "must be none, auto or a name that `ffmpeg -hwaccels` prints")
    .default("none")
    .describe(
      "Decoder of `koma index` and `koma worker`: `none` (software), `auto`, or a name that `ffmpeg -hwaccels` prints. A video whose first frame it cannot decode is decoded in software. Not tested with hardware.",
    ),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("The minimum level of log lines."),
});
export type Configuration = z.infer<typeof Configuration>;

/**
 * The typed configuration in `environment`; empty variables count as unset. Throws ConfigurationError that
 * names every invalid one.
 */
export function parseConfiguration(environment: Record<string, string | undefined>): Configuration {
  const { configuration, problems } = inspectConfiguration(environment);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return configuration;
}

/**
 * The configuration in `environment` with the default instead of each invalid variable, and the problems that
 * `parseConfiguration` throws, for the diagnosis of an invalid configuration.
 */
export function inspectConfiguration(environment: Record<string, string | undefined>): {
  configuration: Configuration;
  problems: ConfigurationError["problems"];
} {
  const files = readSecretFiles(environment);
  const written = Object.fromEntries(
    Object.entries({ ...environment, ...files.values }).filter(([, value]) => value?.trim()),
  );
  const parsed = Configuration.superRefine(refuseHalves).safeParse(written);
  if (parsed.success) return { configuration: parsed.data, problems: files.problems };
  const problems = parsed.error.issues.map((issue) => ({
    variable: String(issue.path[0]),
    message: issue.message,
  }));
  for (const { variable } of problems) delete written[variable];
  return { configuration: Configuration.parse(written), problems: [...files.problems, ...problems] };
}

/**
 * One row per variable, for documentation: its name, the default as it would be set (undefined: unset) and
 * its description.
 */
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
      description: `${schema.description ?? ""}${secretVariables.includes(variable) ? ` Or \`${variable}_FILE\`: a file with the value.` : ""}`,
    };
  });
}

/** Variables that have no effect, or would charge without a delivery, without the others. */
const needs = [
  ["KOMA_SMTP_URL", "KOMA_MAIL_FROM"],
  ["DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET"],
  ["DISCORD_CLIENT_SECRET", "DISCORD_CLIENT_ID"],
  ["KOMA_OIDC_ISSUER", "KOMA_OIDC_CLIENT_ID", "KOMA_OIDC_CLIENT_SECRET"],
  ["KOMA_OIDC_SIGN_UPS_ONLY", "KOMA_OIDC_ISSUER"],
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "KOMA_STRIPE_PRODUCTS"],
  ["KOMA_LIBRARY_ROOTS", "KOMA_LIBRARY_TOKEN"],
  ["DATABASE_REPLICA_URLS", "DATABASE_URL"],
] as const;

function refuseHalves(configuration: Configuration, context: z.RefinementCtx): void {
  if (configuration.KOMA_INDEX === "postgres" && !isSet(configuration.DATABASE_URL)) {
    context.addIssue({
      code: "custom",
      path: ["KOMA_INDEX"],
      message: "can be postgres only with DATABASE_URL",
    });
  }
  for (const [variable, ...others] of needs) {
    if (!isSet(configuration[variable])) continue;
    for (const other of others) {
      if (isSet(configuration[other])) continue;
      context.addIssue({ code: "custom", path: [other], message: `is required with ${variable}` });
    }
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
