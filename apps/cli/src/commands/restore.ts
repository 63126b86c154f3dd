import { join, resolve } from "node:path";
import type { SealedSecret } from "@koma/accounts";
import { readBackupHeader, restoreDatabase } from "@koma/database";
import { Command } from "commander";
import { readPassphrase } from "../backup/passphrase-file.ts";
import { withoutSecret } from "../backup/secret-note.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { readConfiguration } from "../config.ts";
import { showFraction, withBar } from "../terminal/progress.ts";

const withSealed =
  "The backup has it, encrypted: `koma restore FILE --with-secret PASSPHRASE_FILE` into another data folder, or after this one was deleted, restores both.\n";

/** `koma restore FILE` */
export function createRestoreCommand({ signal }: CommandContext): Command {
  return new Command("restore")
    .summary("Restore a backup into an empty database.")
    .description(
      "Restores a backup into the configured database, which must be empty. A damaged file, or one of a newer version, is rejected before any change.",
    )
    .argument("<file>", "a file of `koma backup`")
    .option(
      "--with-secret <passphrase-file>",
      "restore the secret too, decrypted by the passphrase in the first line of this file",
    )
    .action(async (file: string, options: { withSecret?: string }) => {
      const configuration = readConfiguration();
      const { KOMA_DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = configuration;
      const { findSecret, fingerprintSecret, saveSecret, unsealSecret } = await import("@koma/accounts");
      const { secret: sealed, secretFingerprint } = (await readBackupHeader(resolve(file))).extras;
      const present = await findSecret({ dataDir, environmentSecret: configuration.KOMA_SECRET });
      let secret = present;
      if (options.withSecret !== undefined) {
        const passphrase = await readPassphrase(options.withSecret);
        if (!isSealedSecret(sealed)) throw new CommandError("The backup does not include a secret.");
        secret = unsealSecret(sealed, passphrase);
        if (secret === undefined) throw new CommandError("The passphrase is wrong.");
        if (present !== undefined && present !== secret) {
          throw new CommandError(
            `Another secret is configured already: remove KOMA_SECRET and ${join(dataDir, "secret")}, or restore without --with-secret.`,
          );
        }
      }
      const target = { dataDir, databaseUrl, file: resolve(file), signal };
      const rows = await withBar("Restoring the backup", (bar) =>
        restoreDatabase({ ...target, onProgress: showFraction(bar) }),
      );
      if (present === undefined && secret !== undefined) await saveSecret(dataDir, secret);
      process.stdout.write(`Restored ${rows} rows.\n`);
      // The backup before a migration has no fingerprint, because it belongs to this data folder.
      if (secretFingerprint === undefined) return;
      if (secret === undefined) {
        process.stdout.write(
          `No secret is configured: before the next start, which creates another one, set KOMA_SECRET or KOMA_SECRET_FILE to that of the backup, or store it in ${join(dataDir, "secret")}.\n${sealed === undefined ? "" : withSealed}${withoutSecret}`,
        );
      } else if (fingerprintSecret(secret) !== secretFingerprint) {
        process.stdout.write(`The configured secret is not the one of the backup.\n${withoutSecret}`);
      }
    });
}

function isSealedSecret(value: unknown): value is SealedSecret {
  return (
    typeof value === "object" &&
    value !== null &&
    ["salt", "nonce", "ciphertext", "tag"].every((name) => typeof Reflect.get(value, name) === "string")
  );
}
