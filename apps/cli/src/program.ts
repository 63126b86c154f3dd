import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { createBackupCommand } from "./commands/backup.ts";
import { createBotCommand } from "./commands/bot.ts";
import { createCreditsCommand } from "./commands/credits.ts";
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

/** The whole command line of `koma`. Throws CommanderError for wrong usage, after saying what is wrong. */
export function createProgram(context: CommandContext): Command {
  const program = new Command("koma")
    .description("Which anime is this, which episode, which second? Find the scene of a screenshot.")
    .version(readVersion(), "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Explain a command.")
    .helpCommand("help [command]", "Explain a command.");
  for (const create of [
    createIndexCommand,
    createSearchCommand,
    createLibraryCommand,
    createMetadataCommand,
    createUserCommand,
    createCreditsCommand,
    createBotCommand,
    createMcpCommand,
    createBackupCommand,
    createRestoreCommand,
    createMigrateDatabaseCommand,
    createPrepareCommand,
    createVersionCommand,
  ]) {
    program.addCommand(create(context));
  }
  program.addHelpText("after", examples);
  useSameManners(program);
  return program;
}

/** Version of Koma as its package states it. */
export function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}

const examples = `
Examples:
  koma index ~/Films                  bring the library in step with a folder
  koma search screenshot.jpg          find its scene
  koma library list                   what is in the library

Configuration is read from the environment and from .env; README.md lists all of it.
Exit codes: 0 done, 1 some input failed, 2 wrong usage, 78 unusable configuration, 130 interrupted.`;

function useSameManners(command: Command): void {
  command
    .exitOverride()
    .showHelpAfterError(`See \`${pathOf(command)} --help\`.`)
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .helpOption("-h, --help", "Explain this command.");
  for (const subcommand of command.commands) useSameManners(subcommand);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
