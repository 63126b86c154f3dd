import { type Chat, linkButton, type Person, plainReply, type Reply } from "@koma/bot-core";
import { deepLink } from "../replies/keyboard.ts";
import { writeHint } from "./notes.ts";
import type { HandlerParts } from "./parts.ts";

/** The effect of a command; undefined for `find`, which searches images. */
export type CommandResult = {
  /** The reply is private, so the command does not run if the private chat is unreachable. */
  isAlone: boolean;
  /** The deep-link payload that starts the same command in the private chat. */
  payload: string;
  run(): Promise<Reply>;
};

type Requester = { person: Person; chat: Chat };

/** What people write for a command. In groups only the commands themselves are for this bot. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["language", "lang"],
  ["ranking", "rankings"],
  ["stats", "rankings"],
  ["credit", "credits"],
  ["setting", "settings"],
  ["search", "find"],
]);

/** The commands that need no image. */
export function createCommands({ core, bot }: Pick<HandlerParts, "core" | "bot">) {
  const privateCommands = new Map<string, (requester: Requester, rest: string) => Promise<Reply>>([
    ["history", core.history],
    ["credits", core.credits],
    ["link", (to) => core.startLink({ ...to, context: { chatId: Number(to.person.id) } })],
    ["unlink", core.unlink],
    ["settings", (to) => core.settings({ ...to, scope: "person" })],
    ["lang", (to, tag) => core.language({ ...to, ...(tag === "" ? {} : { tag }) })],
    ["help", core.help],
    ["privacy", core.privacy],
    ["forget", core.forget],
  ]);

  return {
    /** The effect of a command with its arguments. */
    find(written: string, rest: string, requester: Requester): CommandResult | undefined {
      const name = otherNames.get(written) ?? written;
      const all = (run: () => Promise<Reply>): CommandResult => ({ isAlone: false, payload: name, run });
      const { chat } = requester;
      switch (name) {
        case "find":
          return undefined;
        case "start":
          return start(rest, requester);
        case "rankings":
          return all(() => core.rankings({ ...requester, period: readPeriod(rest) }));
        case "recent":
          return all(() => core.recent(requester));
        case "anime":
          return all(() => core.anime({ ...requester, title: rest }));
        case "top":
          return all(() => (chat.kind === "direct" ? core.rankings(requester) : listTop(requester)));
        case "settings":
          // The settings of a group are changed in that group by its administrators.
          if (chat.kind === "direct") return runAlone(name, rest, requester);
          return all(async () => ({
            ...(await core.settings({ ...requester, scope: "place" })),
            isPrivate: false,
          }));
        case "help":
          return all(async () => ({ ...(await core.help(requester)), isPrivate: false }));
        default:
          return runAlone(name, rest, requester) ?? all(() => writeHint(core, requester));
      }
    },
  };

  function runAlone(name: string, rest: string, requester: Requester): CommandResult | undefined {
    const run = privateCommands.get(name);
    return run && { isAlone: true, payload: name, run: () => run(requester, rest) };
  }

  /** A deep link contains a command or a result. */
  function start(payload: string, requester: Requester): CommandResult {
    const resultId = /^r_([\w-]{1,40})$/.exec(payload)?.[1];
    if (resultId !== undefined) {
      return { isAlone: true, payload, run: () => core.reopen({ ...requester, resultId }) };
    }
    const hello = { isAlone: false, payload: payload || "help", run: () => replyHello(requester) };
    return runAlone(payload, "", requester) ?? hello;
  }

  /** In a group all replies are for all. */
  async function listTop(requester: Requester): Promise<Reply> {
    return { ...(await core.top(requester)), isPrivate: false };
  }

  async function replyHello({ person, chat }: Requester): Promise<Reply> {
    const { t, language } = await core.translatorFor({ person, chat });
    const url = deepLink(bot.username, "x").replace("?start=x", "?startgroup=add");
    return {
      ...plainReply({ language, person, isPrivate: false, title: t("help.title") }),
      lines: [
        { spans: [{ text: t("help.hello", { name: person.displayName }) }], style: "normal" },
        { spans: [{ text: t("help.ways.reply") }], style: "item" },
        { spans: [{ text: t("help.ways.inline") }], style: "item" },
        { spans: [{ text: t("help.limits.text") }], style: "quiet" },
        { spans: [{ text: `/help · /lang · /settings` }], style: "quiet" },
      ],
      buttons: chat.kind === "direct" ? [[linkButton("open", t("button.addToGroup"), url)]] : [],
    };
  }
}

const periods = ["daily", "weekly", "monthly", "yearly", "all"] as const;

function readPeriod(text: string): (typeof periods)[number] | undefined {
  const [word] = text.toLowerCase().split(/\s+/);
  return periods.find((one) => one === word);
}
