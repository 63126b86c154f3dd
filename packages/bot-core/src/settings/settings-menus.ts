import { type BotTranslator, languageNames, languages } from "@koma/messages";
import type { Menu } from "../model/reply.ts";
import type { Chat, Person } from "../model/request.ts";
import { writeTarget } from "../replies/targets.ts";
import { type ChatSettings, type PersonSettings, wholeChat } from "./settings.ts";

type Choice = readonly [value: string, label: string];

/**
 * Creates the menus of settings. Every option's target contains scope, name, value and the permitted person.
 */
export function createSettingsMenus(tagOf: (personId: string) => string) {
  function menu(
    scope: "person" | "place",
    person: Person,
    name: string,
    label: string,
    chosen: string,
    choices: readonly Choice[],
  ): Menu {
    const tag = tagOf(person.id);
    return {
      kind: "one",
      target: writeTarget("SET", scope, name),
      label,
      values: [],
      options: choices.map(([value, text]) => ({
        target: writeTarget("set", scope, name, value, tag),
        label: text,
        description: undefined,
        isChosen: value === chosen,
      })),
    };
  }

  return {
    ofPerson(
      translator: BotTranslator,
      person: Person,
      { language, preview, isMuted }: PersonSettings,
    ): Menu[] {
      const { t } = translator;
      const automatic: Choice = ["auto", t("settings.automatic")];
      const sound = isMuted === undefined ? "auto" : isMuted ? "off" : "on";
      const own = menu.bind(undefined, "person", person);
      return [
        own("language", t("settings.language.label"), language ?? "auto", [
          ["auto", t("settings.language.automatic")],
          ...listLanguages(),
        ]),
        own("preview", t("settings.preview.label"), preview ?? "auto", [
          automatic,
          ...listPreviews(translator),
        ]),
        own("sound", t("settings.sound.label"), sound, [automatic, ...listSounds(translator)]),
      ];
    },

    ofChat(translator: BotTranslator, person: Person, chat: Chat, chosen: ChatSettings): Menu[] {
      const { t } = translator;
      const of = menu.bind(undefined, "place", person);
      const { language, allowsAdult, preview, isMuted, audience, isListed } = chosen;
      const isServer = chat.kind === "server";
      const selection = (name: "channels" | "imageChannels" | "roles"): Menu => ({
        kind: name === "roles" ? "roles" : "channels",
        target: writeTarget("set", "place", name, "some", tagOf(person.id)),
        label: t(`settings.${name}.label`),
        options: [],
        values: chosen[name],
      });
      return [
        of("language", t("settings.language.label"), language ?? "auto", [
          ["auto", t("settings.automatic")],
          ...listLanguages(),
        ]),
        of("adult", t("settings.adult.label"), allowsAdult ? "on" : "off", [
          ["on", isServer ? t("settings.adult.on") : t("settings.on")],
          ["off", isServer ? t("settings.adult.off") : t("settings.off")],
        ]),
        of("preview", t("settings.preview.label"), preview, listPreviews(translator)),
        of("sound", t("settings.sound.label"), isMuted ? "off" : "on", listSounds(translator)),
        ...(isServer
          ? [
              of("replies", t("settings.replies.label"), audience, [
                ["public", t("settings.replies.public")],
                ["private", t("settings.replies.private")],
              ]),
            ]
          : []),
        of("listed", t("settings.listed.label"), isListed ? "on" : "off", [
          ["on", t("settings.listed.on")],
          ["off", t("settings.listed.off")],
        ]),
        of("top", t("settings.top.label"), chosen.listsFinds ? "on" : "off", [
          ["on", t("settings.on")],
          ["off", t("settings.off")],
        ]),
        of(
          "quota",
          t("settings.quota.label"),
          String(chosen.searchesPerDay ?? "none"),
          listQuotas(translator),
        ),
        ...(isServer
          ? [selection("channels"), selection("imageChannels"), selection("roles")]
          : [
              of(
                "images",
                t("settings.imageChannels.label"),
                findImageScope(chat, chosen),
                listImageScopes(translator, chat),
              ),
            ]),
      ];
    },
  };
}

function listLanguages(): Choice[] {
  return languages.map((language): Choice => [language, languageNames[language]]);
}

function listPreviews({ t }: BotTranslator): Choice[] {
  return [
    ["clip", t("settings.preview.clip")],
    ["still", t("settings.preview.still")],
    ["none", t("settings.preview.none")],
  ];
}

/** The numbers of searches per day that managers can choose. */
export const quotas: readonly number[] = [10, 25, 50, 100, 250, 500, 1000, 5000];

function listQuotas({ t }: BotTranslator): Choice[] {
  return [
    ["none", t("settings.quota.none")],
    ...quotas.map((limit): Choice => [String(limit), t("settings.quota.perDay", { limit })]),
  ];
}

/** Where every image is searched, seen from the topic in which the settings are open. */
function findImageScope({ channelId }: Chat, { imageChannels }: ChatSettings): "all" | "here" | "off" {
  if (imageChannels.includes(wholeChat)) return "all";
  return channelId !== undefined && imageChannels.includes(channelId) ? "here" : "off";
}

function listImageScopes({ t }: BotTranslator, { channelId }: Chat): Choice[] {
  return [
    ["off", t("settings.off")],
    ...(channelId === undefined ? [] : [["here", t("settings.imageChannels.here")] as const]),
    ["all", t("settings.imageChannels.all")],
  ];
}

function listSounds({ t }: BotTranslator): Choice[] {
  return [
    ["on", t("settings.sound.on")],
    ["off", t("settings.sound.off")],
  ];
}
