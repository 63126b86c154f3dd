import { parseConfiguration } from "@koma/config";
import {
  type BotCore,
  createMeasures,
  type Log,
  type PlatformHooks,
  type runBotProcess,
} from "../../src/index.ts";

/** A fake of a platform that a bot connects to. */
export type FakePlatform = { token: string; apiUrl: string; close(): Promise<unknown> };

/** The part of a bot for its platform. */
export type OpenBot = Parameters<typeof runBotProcess>[0]["open"];

/** Opens the real bot in this process, on a fake of its platform and any core. */
export async function openHere(
  platform: BotCore["platform"],
  { token, apiUrl: platformUrl }: FakePlatform,
  open: OpenBot,
  parts: {
    apiUrl: string;
    environment?: Record<string, string>;
    openCore(hooks: PlatformHooks, log: Log): Promise<BotCore>;
  },
) {
  const lines: string[] = [];
  const line = (message: string, details: object = {}) => {
    lines.push(`${message} ${JSON.stringify(details)}`);
  };
  const log = { debug: line, info: line, warn: line, error: line, fatal: line };
  const bot = await open({
    config: {
      platform,
      token,
      platformUrl,
      apiUrl: parts.apiUrl,
      botKey: "",
      vaultKeys: [],
      dataDir: "",
      databaseUrl: undefined,
      botDatabaseUrl: undefined,
      healthPort: undefined,
      configuration: parseConfiguration(parts.environment ?? {}),
    },
    openCore: (hooks) => parts.openCore(hooks, log),
    measures: createMeasures(platform),
    signal: new AbortController().signal,
    log,
  });
  return { bot, lines };
}
