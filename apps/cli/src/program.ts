import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { readVersion } from "./read-version.ts";

/**
 * The command line of `koma` with the command that `args` name, or with all commands for help and errors.
 * Throws CommanderError for wrong usage, after it has printed the error.
 */
export async function createProgram(args: readonly string[], context: CommandContext): Promise<Command> {
  const program = new Command("koma")
    .description("Which anime is this, which episode, which second? Find the scene of a screenshot.")
    .version(readVersion(), "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Show the help of a command.")
    .helpCommand("help [command]", "Show the help of a command.");
  for (const load of selectCommands(args)) {
    const create = await load();
    program.addCommand(create(context));
  }
  program.addHelpText("after", examples);
  configureAll(program);
  return program;
}

type LoadCommand = () => Promise<(context: CommandContext) => Command>;

/** The import of all commands takes a second, most of it for packages that a single command does not use. */
const commands: { [name: string]: LoadCommand } = {
  index: async () => (await import("./commands/index-videos.ts")).createIndexCommand,
  worker: async () => (await import("./commands/worker.ts")).createWorkerCommand,
  search: async () => (await import("./commands/search.ts")).createSearchCommand,
  library: async () => (await import("./commands/library.ts")).createLibraryCommand,
  metadata: async () => (await import("./commands/metadata.ts")).createMetadataCommand,
  user: async () => (await import("./commands/user.ts")).createUserCommand,
  credits: async () => (await import("./commands/credits.ts")).createCreditsCommand,
  bot: async () => (await import("./commands/bot.ts")).createBotCommand,
  audit: async () => (await import("./commands/audit.ts")).createAuditCommand,
  mcp: async () => (await import("./commands/mcp.ts")).createMcpCommand,
  backup: async () => (await import("./commands/backup.ts")).createBackupCommand,
  restore: async () => (await import("./commands/restore.ts")).createRestoreCommand,
  "migrate-database": async () =>
    (await import("./commands/migrate-database.ts")).createMigrateDatabaseCommand,
  prepare: async () => (await import("./commands/prepare.ts")).createPrepareCommand,
  clean: async () => (await import("./commands/clean.ts")).createCleanCommand,
  doctor: async () => (await import("./commands/doctor.ts")).createDoctorCommand,
  version: async () => (await import("./commands/version.ts")).createVersionCommand,
};

function selectCommands([first = ""]: readonly string[]): LoadCommand[] {
  if (first === "--version" || first === "-V") return [];
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  return named === undefined ? Object.values(commands) : [named];
}

const examples = `
Examples:
  koma index ~/Anime                  index the videos of a folder
  koma search screenshot.jpg          find the scene of an image
  koma library list                   list the indexed anime

The configuration comes from the environment and from .env; docs/configuration.md lists the variables.
Exit codes: 0 success, 1 failure, 2 wrong usage, 78 no restart helps, 130 interrupted.`;

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
