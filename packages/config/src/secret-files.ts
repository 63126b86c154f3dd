import { readFileSync } from "node:fs";

/** The variables that contain a secret. `NAME_FILE` can name a file with the value instead. */
export const secretVariables: readonly string[] = [
  "DATABASE_REPLICA_URLS",
  "DATABASE_URL",
  "DISCORD_CLIENT_SECRET",
  "DISCORD_TOKEN",
  "KOMA_API_KEY",
  "KOMA_BOT_DATABASE_URL",
  "KOMA_BOT_KEY",
  "KOMA_LIBRARY_TOKEN",
  "KOMA_NOTIFY_URL",
  "KOMA_OIDC_CLIENT_SECRET",
  "KOMA_SECRET",
  "KOMA_SMTP_URL",
  "KOMA_UPSTREAMS",
  "KOMA_VAULT_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "TELEGRAM_TOKEN",
  "TELEGRAM_WEBHOOK_SECRET",
];

/**
 * Reads the files that variables `NAME_FILE` name, without white space around their content, as Docker,
 * Kubernetes and systemd provide secrets. A file that cannot be read, or is named beside the variable, is a
 * problem.
 */
export function readSecretFiles(environment: { readonly [variable: string]: string | undefined }) {
  const values: Record<string, string> = {};
  const problems: { variable: string; message: string }[] = [];
  for (const name of secretVariables) {
    const variable = `${name}_FILE`;
    const file = environment[variable]?.trim();
    if (!file) continue;
    if (environment[name]?.trim()) {
      problems.push({ variable, message: `is set beside ${name}: remove one of them` });
      continue;
    }
    try {
      values[name] = readFileSync(file, "utf8").trim();
      if (values[name] === "") problems.push({ variable, message: `names an empty file: ${file}` });
    } catch (error) {
      problems.push({
        variable,
        message: `cannot be read: ${error instanceof Error ? error.message : error}`,
      });
    }
  }
  return { values, problems };
}
