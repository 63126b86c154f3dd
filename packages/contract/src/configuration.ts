import { isIP } from "node:net";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { decimalInteger, writtenBoolean } from "./query.ts";

const repositoryFolder = fileURLToPath(new URL("../../../", import.meta.url));

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
    .min(32, "must have at least 32 characters")
    .optional()
    .describe(
      "Signs preview addresses and hides who asked. Unset: made at the first start and kept in the data folder.",
    ),
  KOMA_GUEST_SEARCHES_PER_DAY: decimalInteger({ minimum: 0, maximum: 1_000_000_000 })
    .default(5)
    .describe("Searches a day that a guest has, counted by IP address (IPv6 by its /64)."),
  KOMA_REQUESTS_PER_MINUTE: decimalInteger({ minimum: 1, maximum: 1_000_000_000 })
    .default(300)
    .describe("Requests a minute from one IP address, against abuse."),
  KOMA_TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be a time zone like Europe/Berlin")
    .default("UTC")
    .describe("Time zone whose midnight ends a day."),
  KOMA_TRUSTED_ORIGINS: list((origin) => isWebAddress(origin) && new URL(origin).origin === origin).describe(
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

/** The typed configuration in `environment`; empty variables count as unset. Throws ConfigurationError naming every bad one. */
export function parseConfiguration(environment: Record<string, string | undefined>): Configuration {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = Configuration.safeParse(given);
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

function list(isValid: (item: string) => boolean) {
  return z
    .string()
    .default("")
    .transform((written) =>
      written
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== ""),
    )
    .superRefine((items, context) => {
      for (const item of items) {
        if (!isValid(item)) context.addIssue({ code: "custom", message: `has a bad entry: ${item}` });
      }
    });
}

function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "" && url.username === "";
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function isNetwork(written: string): boolean {
  const [address = "", bits, ...rest] = written.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
