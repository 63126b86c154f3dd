import { hkdfSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Configuration, ConfigurationError, parseConfiguration, parseSecret } from "@koma/config";
import type { Platform } from "./model/request.ts";

/** The configuration of a bot's process. */
export type BotConfig = {
  platform: Platform;
  /** The bot's token on its platform. */
  token: string;
  /** Replaces the platform's own address in tests. */
  platformUrl: string | undefined;
  apiUrl: string;
  botKey: string;
  vaultKeys: readonly Uint8Array[];
  dataDir: string;
  databaseUrl: string | undefined;
  botDatabaseUrl: string | undefined;
  /** The port of health and metrics; undefined disables them. */
  healthPort: number | undefined;
  /** The other settings. */
  configuration: Configuration;
};

/**
 * Reads the configuration of a bot from `environment`. The bot's key and the secret default to those in the
 * data folder. Throws ConfigurationError that names missing settings.
 */
export async function readBotConfig(
  platform: Platform,
  environment: Record<string, string | undefined>,
): Promise<BotConfig> {
  const configuration = parseConfiguration(environment);
  const { KOMA_DATA_DIR: dataDir } = configuration;
  const token = configuration[tokenOf[platform]];
  const botKey = configuration.KOMA_BOT_KEY ?? (await readLine(join(dataDir, "bot-key")));
  const vaultKeys = await findVaultKeys(configuration);
  if (token === undefined || botKey === undefined || vaultKeys === undefined) {
    throw new ConfigurationError([
      ...(token === undefined ? [{ variable: tokenOf[platform], message: "is required" }] : []),
      ...(botKey === undefined ? [{ variable: "KOMA_BOT_KEY", message: whyBotKey }] : []),
      ...(vaultKeys === undefined ? [{ variable: "KOMA_VAULT_KEY", message: whyVaultKey }] : []),
    ]);
  }
  return {
    platform,
    token,
    botKey,
    vaultKeys,
    dataDir,
    configuration,
    platformUrl: configuration[platform === "discord" ? "DISCORD_API_URL" : "TELEGRAM_API_URL"],
    apiUrl: configuration.KOMA_API_URL ?? addressOf(configuration),
    databaseUrl: configuration.DATABASE_URL,
    botDatabaseUrl: configuration.KOMA_BOT_DATABASE_URL,
    healthPort: findPort(platform, configuration.KOMA_BOT_PORT),
  };
}

const tokenOf = { discord: "DISCORD_TOKEN", telegram: "TELEGRAM_TOKEN" } as const;
const whyBotKey =
  "is required: create one for this data folder with `koma bot key ensure`, or for another machine with `koma bot key create`";
const whyVaultKey = "is required if neither KOMA_SECRET nor a secret in the data folder exists";

async function findVaultKeys(configuration: Configuration): Promise<readonly Uint8Array[] | undefined> {
  if (configuration.KOMA_VAULT_KEY.length > 0) return configuration.KOMA_VAULT_KEY;
  const secret = configuration.KOMA_SECRET ?? (await readSecret(join(configuration.KOMA_DATA_DIR, "secret")));
  if (secret === undefined) return undefined;
  return [new Uint8Array(hkdfSync("sha256", secret, "", "koma:bot-vault", 32))];
}

/** Both bots on one machine need separate ports. */
function findPort(platform: Platform, port: number | undefined): number | undefined {
  if (port === undefined || port === 0) return port;
  return platform === "discord" ? port : port + 1;
}

/** The address of the API on this machine. */
function addressOf({ HOST, PORT }: Configuration): string {
  const host = { "0.0.0.0": "127.0.0.1", "::": "::1" }[HOST] ?? HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}

async function readSecret(file: string): Promise<string | undefined> {
  const text = await readText(file);
  return text === undefined ? undefined : parseSecret(text, file);
}

async function readLine(file: string): Promise<string | undefined> {
  return (await readText(file))?.trim() || undefined;
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
