import { ChatServer, ChatUser } from "@koma/contract";
import { Command, InvalidArgumentError } from "commander";
import { writeBotCredentials } from "../accounts/bot-credentials.ts";
import { CommandError } from "../command-error.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { type AccountsContext, describeAction, withAccounts } from "../with-accounts.ts";
import { createBotKeyCommand } from "./bot-key.ts";
import type { JsonOptions } from "./with-json.ts";

type Chat = { kind: "user" | "server"; name: string };

/** `koma bot block|credentials|key|unblock` */
export function createBotCommand(): Command {
  return new Command("bot")
    .summary("Manage the block list and the keys of the bots.")
    .description("Manages the block list and the keys of the bots.")
    .addCommand(createBotKeyCommand())
    .addCommand(
      new Command("credentials")
        .description(
          "Writes API key, vault key and database address of the bots to files in a folder, for bots without the settings of the API. Creates the login of the bots in the database.",
        )
        .argument("<folder>", "folder of the files bot-key, vault-key and database-url")
        .action(async (folder: string) => await writeBotCredentials(folder)),
    )
    .addCommand(
      withChat(new Command("block").description("Blocks a chat user or a server immediately."))
        .option("--note <text>", "note for the operators")
        .action(async (chat: Chat, options: JsonOptions & { note?: string }) => {
          await withAccounts(async ({ database, hashes }) => {
            const note = options.note ?? null;
            await database.chatBlocks.block({ key: hashOf(hashes, chat), kind: chat.kind, note });
            await database.audit.record(describeAction("chat.block", targetOf(hashes, chat)));
          });
          await setBlocked(chat, { ...options, isBlocked: true });
        }),
    )
    .addCommand(
      withChat(new Command("unblock").description("Removes a block.")).action(
        async (chat: Chat, options: JsonOptions) => {
          const wasBlocked = await withAccounts(async ({ database, hashes }) => {
            const isUnblocked = await database.chatBlocks.unblock(hashOf(hashes, chat));
            if (isUnblocked)
              await database.audit.record(describeAction("chat.unblock", targetOf(hashes, chat)));
            return isUnblocked;
          });
          if (!wasBlocked) throw new CommandError(`${chat.name} is not blocked.`);
          await setBlocked(chat, { ...options, isBlocked: false });
        },
      ),
    );
}

function withChat(command: Command): Command {
  return command
    .argument(
      "<chat>",
      "discord:123 or telegram:123 for a user, discord:server:123 or telegram:server:-123",
      readChat,
    )
    .option("--json", "print the result as one JSON line");
}

function readChat(written: string): Chat {
  const server = written.replace(/^(\w+):server:/, "$1:");
  const chat: Chat = server === written ? { kind: "user", name: written } : { kind: "server", name: server };
  const { success } = (chat.kind === "user" ? ChatUser : ChatServer).safeParse(chat.name);
  if (success) return chat;
  throw new InvalidArgumentError("It must look like discord:123 or discord:server:123.");
}

function hashOf(hashes: AccountsContext["hashes"], { kind, name }: Chat): string {
  return kind === "server" ? hashes.server(name) : hashes.chat(name);
}

/** The log has the hash only, because the database does not store chat users. */
function targetOf(hashes: AccountsContext["hashes"], chat: Chat): string {
  return `chat:${hashOf(hashes, chat)}`;
}

async function setBlocked(chat: Chat, options: JsonOptions & { isBlocked: boolean }): Promise<void> {
  const { isBlocked } = options;
  if (options.json) return await writeJsonLine({ ...chat, isBlocked });
  const what = chat.kind === "server" ? `The server ${chat.name}` : chat.name;
  process.stdout.write(`${what} is ${isBlocked ? "blocked" : "no longer blocked"}.\n`);
}
