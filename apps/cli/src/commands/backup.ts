import { resolve } from "node:path";
import { backUpDatabase, backUpToFolder } from "@koma/database";
import { Command } from "commander";
import { readPassphrase } from "../backup/passphrase-file.ts";
import { withoutSecret } from "../backup/secret-note.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { readConfiguration } from "../config.ts";
import { showFraction, withBar } from "../terminal/progress.ts";

/** `koma backup FILE` */
export function createBackupCommand({ signal }: CommandContext): Command {
  return new Command("backup")
    .summary("Back up the database to a file.")
    .description(
      "Writes the database with all descriptors to a new file, while Koma runs. Videos and previews are not included. Without a file, it writes one into KOMA_BACKUP_FOLDER, reads it again, and deletes all but the newest KOMA_BACKUP_KEEP.",
    )
    .argument("[file]", "the file to create")
    .option(
      "--with-secret <passphrase-file>",
      "include the secret, encrypted by the passphrase in the first line of this file",
    )
    .action(async (file: string | undefined, options: { withSecret?: string }) => {
      const configuration = readConfiguration();
      const { KOMA_DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = configuration;
      const passphrase =
        options.withSecret === undefined ? undefined : await readPassphrase(options.withSecret);
      const { findSecret, fingerprintSecret, sealSecret } = await import("@koma/accounts");
      const secret = await findSecret({ dataDir, environmentSecret: configuration.KOMA_SECRET });
      if (passphrase !== undefined && secret === undefined) {
        throw new CommandError(
          `There is no secret: neither KOMA_SECRET nor a file \`secret\` in ${dataDir}.`,
        );
      }
      const extras = secret !== undefined && {
        secretFingerprint: fingerprintSecret(secret),
        ...(passphrase !== undefined && { secret: sealSecret(secret, passphrase) }),
      };
      const source = { dataDir, databaseUrl, extras: extras || {}, signal };
      const written = await withBar("Writing the backup", (bar) => write(file, showFraction(bar)));
      process.stdout.write(`The backup is in ${written}.\n`);
      if (passphrase === undefined) process.stdout.write(withoutSecret);

      async function write(to: string | undefined, onProgress: (fraction: number) => void): Promise<string> {
        if (to !== undefined) {
          await backUpDatabase({ ...source, file: resolve(to), onProgress });
          return resolve(to);
        }
        const { KOMA_BACKUP_FOLDER: folder, KOMA_BACKUP_KEEP: retained } = configuration;
        if (folder === undefined) throw new CommandError("name a file, or set KOMA_BACKUP_FOLDER.");
        return (await backUpToFolder({ ...source, folder, retained, onProgress })).file;
      }
    });
}
