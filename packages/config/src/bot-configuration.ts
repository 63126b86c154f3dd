import { z } from "zod";
import { decimalInteger, splitList, webAddress } from "./values.ts";

const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "must be an API key")
  .optional();

/** The settings of the bots, by the names of their environment variables. */
export const botConfiguration = {
  DISCORD_TOKEN: z
    .string()
    .regex(/^\S+$/, "must not have spaces")
    .optional()
    .describe("Token of the Discord bot. Unset: the bot does not start."),
  TELEGRAM_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, "must look like 123456:ABC-…")
    .optional()
    .describe("Token of the Telegram bot. Unset: the bot does not start."),
  KOMA_API_URL: webAddress().describe(
    "Address of the API that the bots, `koma mcp` and `koma search` call. Default: the API of this machine; `koma search` then searches the library without the API.",
  ),
  KOMA_API_KEY: apiKey.describe(
    "A personal API key for the API calls of `koma mcp` and `koma search`. Unset: they call as a guest.",
  ),
  KOMA_BOT_KEY: apiKey.describe(
    "API key with the permission to act for chat users. Default: the key that the start of a bot stores in the data folder.",
  ),
  KOMA_VAULT_KEY: vaultKeys().describe(
    "Keys of 32 bytes (hex or base64), comma-separated, for the accounts that people connect to the bots: the first key encrypts, all keys decrypt. Default: derived from the secret.",
  ),
  KOMA_BOT_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be a postgresql:// address")
    .optional()
    .describe(
      "PostgreSQL with a separate login for the bots. Unset: the database of the API, as the role `koma_bots`.",
    ),
  KOMA_BOT_PORT: decimalInteger({ minimum: 0, maximum: 65_534 })
    .optional()
    .describe(
      "Port of the Discord bot's `/health` and `/metrics`, at KOMA_METRICS_HOST; the Telegram bot uses the next one, and 0 selects free ones. Unset: none.",
    ),
  KOMA_DISCORD_SHARDS: shardRange().describe(
    "Shards of the Discord bot that this process runs, and their total number: `0-3/8` or `2/8`. The processes of one bot share DATABASE_URL and KOMA_VAULT_KEY. Unset: all shards, in the number that Discord recommends.",
  ),
  DISCORD_API_URL: webAddress().describe("Base address of a server that replaces Discord's REST API."),
  TELEGRAM_API_URL: webAddress().describe("Address of another Bot API server."),
  TELEGRAM_WEBHOOK_URL: webAddress().describe(
    "Address at which Telegram delivers updates to the bot; a proxy with HTTPS forwards them. Unset: the bot polls Telegram.",
  ),
  TELEGRAM_WEBHOOK_PORT: decimalInteger({ minimum: 0, maximum: 65_535 })
    .default(8443)
    .describe("Port at which the Telegram bot receives these updates."),
  TELEGRAM_WEBHOOK_HOST: z
    .string()
    .default("127.0.0.1")
    .describe(
      "Address that this port listens on; `0.0.0.0` or `::` for all, if the proxy runs on another machine.",
    ),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{16,256}$/, "must have 16 to 256 letters, digits, _ or -")
    .optional()
    .describe(
      "Secret with which Telegram authenticates its deliveries. Default: derived from the bot's token.",
    ),
};

/** The shards `first` to `last` of `total`; undefined by default. */
function shardRange() {
  return z
    .string()
    .transform((written, context) => {
      const [, first, last = first, total] = /^(\d{1,5})(?:-(\d{1,5}))?\/(\d{1,5})$/.exec(written) ?? [];
      const range = { first: Number(first), last: Number(last), total: Number(total) };
      const problem = findShardProblem(range);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
      return range;
    })
    .optional();
}

function findShardProblem({ first, last, total }: { first: number; last: number; total: number }) {
  if (Number.isNaN(first)) return "must look like 0-3/8 or 2/8";
  if (total === 0) return "must have a total of at least 1";
  if (first > last) return "must name the lower shard first";
  if (last >= total) return `must name shards from 0 to ${total - 1}`;
  return undefined;
}

// Not a `list`: that repeats an invalid entry, and an error must not contain a secret.
function vaultKeys() {
  return z
    .string()
    .default("")
    .transform((written, context) => {
      const keys = splitList(written).map(decodeKey);
      const isKey = (key: Uint8Array | undefined) => key !== undefined;
      if (!keys.every(isKey))
        context.addIssue({ code: "custom", message: "has an entry that is not a key of 32 bytes" });
      return keys.filter(isKey);
    });
}

function decodeKey(written: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(written)) return new Uint8Array(Buffer.from(written, "hex"));
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(written) ? new Uint8Array(Buffer.from(written, "base64")) : undefined;
}
