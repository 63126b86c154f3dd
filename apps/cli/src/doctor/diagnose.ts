import { type Configuration, inspectConfiguration } from "@koma/config";
import { inspectDatabase } from "@koma/database";
import { checkAddress } from "./check-address.ts";
import { checkBackups } from "./check-backups.ts";
import { checkBots } from "./check-bots.ts";
import { checkClock } from "./check-clock.ts";
import { checkDataFolder } from "./check-data-folder.ts";
import { checkDatabase } from "./check-database.ts";
import { checkDisk } from "./check-disk.ts";
import { checkFfmpeg } from "./check-ffmpeg.ts";
import { checkIndex } from "./check-index.ts";
import { checkNode } from "./check-node.ts";
import { checkPorts } from "./check-ports.ts";
import { checkReplicas } from "./check-replicas.ts";
import { checkSecret } from "./check-secret.ts";
import { checkMail, checkOidc, checkPayments } from "./check-services.ts";
import { type CheckContext, type Finding, ok, problem, warning } from "./finding.ts";
import { probeDataFolder } from "./probe-data-folder.ts";

/**
 * Checks the installation that `environment` configures, also an invalid one and while Koma runs. Creates and
 * changes nothing, except a temporary file in an existing data folder. `only` selects checks.
 */
export async function diagnose(
  environment: Record<string, string | undefined>,
  only?: readonly string[],
): Promise<({ check: string } & Finding)[]> {
  const { configuration, problems } = inspectConfiguration(environment);
  const invalid = new Set(problems.map(({ variable }) => variable));
  const { KOMA_DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = configuration;
  const context: CheckContext = {
    configuration,
    dataFolder: await probeDataFolder(dataDir),
    database: await inspectDatabase({ dataDir, databaseUrl }).catch((error: unknown) => ({
      status: "unavailable" as const,
      reason: reasonOf(error),
    })),
  };
  const findings = await Promise.all(
    checks.map(async ({ check, uses, run }) => {
      if (only?.includes(check) === false) return [];
      const unusable = uses.filter((variable) => invalid.has(variable));
      const found =
        unusable.length === 0
          ? await run(context).catch((error: unknown) => [problem(`The check failed: ${reasonOf(error)}`)])
          : [warning(`It was not checked because ${unusable.join(" and ")} must be corrected first.`)];
      return found.map((finding) => ({ check, ...finding }));
    }),
  );
  const configurationFindings =
    problems.length === 0
      ? [ok("All variables are valid.")]
      : problems.map(({ variable, message }) => problem(`${variable} ${message}.`));
  return [
    ...configurationFindings.map((finding) => ({ check: "configuration", ...finding })),
    ...findings.flat(),
  ];
}

type Check = {
  check: string;
  /** The variables without which the check is meaningless. */
  uses: (keyof Configuration)[];
  run: (context: CheckContext) => Promise<Finding[]>;
};

const checks: Check[] = [
  { check: "node", uses: [], run: checkNode },
  { check: "ffmpeg", uses: ["FFMPEG_PATH", "FFPROBE_PATH"], run: checkFfmpeg },
  { check: "data folder", uses: ["KOMA_DATA_DIR"], run: checkDataFolder },
  { check: "disk", uses: ["KOMA_DATA_DIR", "DATABASE_URL"], run: checkDisk },
  { check: "database", uses: ["KOMA_DATA_DIR", "DATABASE_URL"], run: checkDatabase },
  {
    check: "replicas",
    uses: ["KOMA_DATA_DIR", "DATABASE_URL", "DATABASE_REPLICA_URLS"],
    run: checkReplicas,
  },
  { check: "backups", uses: ["KOMA_BACKUP_FOLDER"], run: checkBackups },
  { check: "clock", uses: ["KOMA_DATA_DIR", "DATABASE_URL"], run: checkClock },
  { check: "index", uses: ["KOMA_DATA_DIR", "DATABASE_URL", "KOMA_INDEX"], run: checkIndex },
  { check: "secret", uses: ["KOMA_DATA_DIR", "KOMA_SECRET"], run: checkSecret },
  { check: "bots", uses: ["DISCORD_TOKEN", "TELEGRAM_TOKEN", "KOMA_BOT_KEY"], run: checkBots },
  { check: "sign-in", uses: ["KOMA_OIDC_ISSUER"], run: checkOidc },
  { check: "mail", uses: ["KOMA_SMTP_URL", "KOMA_MAIL_FROM"], run: checkMail },
  {
    check: "payments",
    uses: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "KOMA_STRIPE_PRODUCTS"],
    run: checkPayments,
  },
  {
    check: "ports",
    uses: ["HOST", "PORT", "KOMA_BOT_PORT", "TELEGRAM_WEBHOOK_PORT", "TELEGRAM_WEBHOOK_HOST"],
    run: checkPorts,
  },
  { check: "address", uses: ["HOST", "KOMA_BASE_URL", "KOMA_TRUSTED_PROXIES"], run: checkAddress },
];

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
