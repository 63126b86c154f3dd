import { z } from "zod";
import { decimalInteger, isWebAddress } from "./values.ts";

const webAddress = z
  .string()
  .refine(isWebAddress, "must be an http or https address without query")
  .transform((address) => address.replace(/\/+$/, ""))
  .optional();

/** What can be set for the bots, by the names of environment variables. */
export const botConfiguration = {
  DISCORD_TOKEN: z
    .string()
    .regex(/^\S+$/, "must not have spaces")
    .optional()
    .describe("Token of the Discord bot. Unset: it is not started."),
  TELEGRAM_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, "must look like 123456:ABC-…")
    .optional()
    .describe("Token of the Telegram bot. Unset: it is not started."),
  KOMA_API_URL: webAddress.describe(
    "The API that the bots, `koma mcp` and `koma search` call. Default: the one of this machine, at its port; `koma search` then searches the library itself.",
  ),
  KOMA_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be an API key")
    .optional()
    .describe(
      "A person's API key, with which `koma mcp` and `koma search` call the API. Unset: they call as a guest.",
    ),
  KOMA_BOT_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be an API key")
    .optional()
    .describe(
      "API key with the permission to act for chat users. Default: the one that the start of a bot stores in the data folder.",
    ),
  KOMA_VAULT_KEY: vaultKeys().describe(
    "Keys of 32 bytes (hex or base64), comma-separated, for the accounts that people connect to the bots: the first encrypts, all decrypt. Default: derived from the secret.",
  ),
  KOMA_BOT_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be a postgresql:// address")
    .optional()
    .describe(
      "PostgreSQL with a login of the bots' own. Unset: the database of the API, as the role `koma_bots`.",
    ),
  KOMA_BOT_PORT: decimalInteger({ minimum: 0, maximum: 65_534 })
    .optional()
    .describe(
      "Port of the Discord bot's `/health` and `/metrics`, on this machine only; the Telegram bot's is one higher, and 0 takes free ones. Unset: none.",
    ),
  DISCORD_API_URL: webAddress.describe("Another server than Discord's, for tests."),
  TELEGRAM_API_URL: webAddress.describe(
    "Another server than Telegram's: one's own Bot API server, or for tests.",
  ),
  TELEGRAM_WEBHOOK_URL: webAddress.describe(
    "Address at which Telegram delivers to the bot; a proxy with HTTPS passes it on. Unset: the bot asks Telegram itself.",
  ),
  TELEGRAM_WEBHOOK_PORT: decimalInteger({ minimum: 0, maximum: 65_535 })
    .default(8443)
    .describe(
      "Port, on this machine only, at which the Telegram bot takes what is delivered to that address.",
    ),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{16,256}$/, "must have 16 to 256 letters, digits, _ or -")
    .optional()
    .describe("Proves that Telegram delivers. Default: derived from the bot's token."),
};

// Not a `list`: that names a bad entry, and a secret does not belong in an error.
function vaultKeys() {
  return z
    .string()
    .default("")
    .transform((written, context) => {
      const keys = written.split(",").flatMap((key) => (key.trim() === "" ? [] : [decodeKey(key.trim())]));
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
