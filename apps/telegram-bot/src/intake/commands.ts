import { type Person, type Place, plainReply, type Reply } from "@koma/bot-core";
import { deepLink } from "../replies/keyboard.ts";
import type { Parts } from "./parts.ts";

/** What a command leads to; undefined for `find`, which looks for pictures. */
export type CommandAnswer = {
  /** Meant for the asker alone, so that nothing is done where they cannot be reached. */
  isAlone: boolean;
  /** What starts the same in the private chat. */
  payload: string;
  run(): Promise<Reply>;
};

type Asked = { person: Person; place: Place };

/** The commands that need no picture. */
export function createCommands({ core, bot }: Pick<Parts, "core" | "bot">) {
  return {
    /** What a command does, with the words behind it. */
    find(name: string, rest: string, asked: Asked): CommandAnswer | undefined {
      const all = (run: () => Promise<Reply>): CommandAnswer => ({ isAlone: false, payload: name, run });
      const alone = (run: () => Promise<Reply>): CommandAnswer => ({ isAlone: true, payload: name, run });
      const { person, place } = asked;
      switch (name) {
        case "find":
          return undefined;
        case "start":
          return start(rest, asked);
        case "rankings":
          return all(() => core.rankings({ ...asked, period: readPeriod(rest) }));
        case "recent":
          return all(() => core.recent(asked));
        case "credits":
          return alone(() => core.credits(asked));
        case "link":
          return alone(() => core.startLink({ ...asked, context: { chatId: Number(person.id) } }));
        case "unlink":
          return alone(() => core.unlink(asked));
        case "settings":
          // A group's are changed where they hold, by whoever manages it.
          if (place.kind === "direct") return alone(() => core.settings({ ...asked, scope: "person" }));
          return all(async () => ({
            ...(await core.settings({ ...asked, scope: "place" })),
            isPrivate: false,
          }));
        case "lang":
          return alone(() => core.language({ ...asked, ...(rest === "" ? {} : { tag: rest }) }));
        case "privacy":
          return alone(() => core.privacy(asked));
        case "forget":
          return alone(() => core.forget(asked));
        default:
          return alone(() => core.help(asked));
      }
    },
  };

  /** A deep link says what it is for: a command, or a result. */
  function start(payload: string, asked: Asked): CommandAnswer {
    const resultId = /^r_([\w-]{1,40})$/.exec(payload)?.[1];
    if (resultId !== undefined) {
      return { isAlone: true, payload, run: () => core.reopen({ ...asked, resultId }) };
    }
    const commands: { [name: string]: (() => Promise<Reply>) | undefined } = {
      link: () => core.startLink({ ...asked, context: { chatId: Number(asked.person.id) } }),
      unlink: () => core.unlink(asked),
      credits: () => core.credits(asked),
      settings: () => core.settings({ ...asked, scope: "person" }),
      lang: () => core.language(asked),
      help: () => core.help(asked),
      privacy: () => core.privacy(asked),
      forget: () => core.forget(asked),
    };
    const run = Object.hasOwn(commands, payload) ? commands[payload] : undefined;
    return { isAlone: run !== undefined, payload: payload || "help", run: run ?? (() => sayHello(asked)) };
  }

  async function sayHello({ person, place }: Asked): Promise<Reply> {
    const { say, language } = await core.speakerFor({ person, place });
    const add = { action: "open" as const, label: say("button.addToGroup"), target: undefined };
    const url = deepLink(bot.username, "x").replace("?start=x", "?startgroup=add");
    return {
      ...plainReply({ language, person, isPrivate: false, title: say("help.title") }),
      lines: [
        { spans: [{ text: say("help.hello", { name: person.displayName }) }], style: "normal" },
        { spans: [{ text: say("help.ways.reply") }], style: "item" },
        { spans: [{ text: say("help.ways.inline") }], style: "item" },
        { spans: [{ text: say("help.limits.text") }], style: "quiet" },
        { spans: [{ text: `/help · /lang · /settings` }], style: "quiet" },
      ],
      buttons: place.kind === "direct" ? [[{ ...add, url, isDisabled: false, isActive: false }]] : [],
    };
  }
}

const periods = ["daily", "weekly", "monthly", "yearly", "all"] as const;

function readPeriod(text: string): (typeof periods)[number] | undefined {
  const [word] = text.toLowerCase().split(/\s+/);
  return periods.find((one) => one === word);
}
