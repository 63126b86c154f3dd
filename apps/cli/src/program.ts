import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { createAuditCommand } from "./commands/audit.ts";
import { createBackupCommand } from "./commands/backup.ts";
import { createBotCommand } from "./commands/bot.ts";
import { createCreditsCommand } from "./commands/credits.ts";
import { createDoctorCommand } from "./commands/doctor.ts";
import { createIndexCommand } from "./commands/index-videos.ts";
import { createLibraryCommand } from "./commands/library.ts";
import { createMcpCommand } from "./commands/mcp.ts";
import { createMetadataCommand } from "./commands/metadata.ts";
import { createMigrateDatabaseCommand } from "./commands/migrate-database.ts";
import { createPrepareCommand } from "./commands/prepare.ts";
import { createRestoreCommand } from "./commands/restore.ts";
import { createSearchCommand } from "./commands/search.ts";
import { createUserCommand } from "./commands/user.ts";
import { createVersionCommand } from "./commands/version.ts";
import { readVersion } from "./read-version.ts";

/** The whole command line of `koma`. Throws CommanderError for wrong usage, after it has printed the error. */
export function createProgram(context: CommandContext): Command {
  const program = new Command("koma")
    .description("Which anime is this, which episode, which second? Find the scene of a screenshot.")
    .version(readVersion(), "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Show the help of a command.")
    .helpCommand("help [command]", "Show the help of a command.");
  for (const create of [
    createIndexCommand,
    createSearchCommand,
    createLibraryCommand,
    createMetadataCommand,
    createUserCommand,
    createCreditsCommand,
    createBotCommand,
    createAuditCommand,
    createMcpCommand,
    createBackupCommand,
    createRestoreCommand,
    createMigrateDatabaseCommand,
    createPrepareCommand,
    createDoctorCommand,
    createVersionCommand,
  ]) {
    program.addCommand(create(context));
  }
  program.addHelpText("after", examples);
  configureAll(program);
  return program;
}

const examples = `
Examples:
  koma index ~/Anime                  index the videos of a folder
  koma search screenshot.jpg          find the scene of an image
  koma library list                   list the indexed anime

The configuration comes from the environment and from .env; README.md lists the variables.
Exit codes: 0 success, 1 failure, 2 wrong usage, 78 invalid configuration, 130 interrupted.`;

function configureAll(command: Command): void {
  command
    .exitOverride()
    .showHelpAfterError(`See \`${pathOf(command)} --help\`.`)
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .helpOption("-h, --help", "Show this help.");
  for (const subcommand of command.commands) configureAll(subcommand);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
