import { type BotSpeaker, languageNames, languages } from "@koma/messages";
import type { Menu } from "../model/reply.ts";
import type { Person, Place } from "../model/request.ts";
import { writeTarget } from "../replies/targets.ts";
import type { PersonSettings, PlaceSettings } from "./settings.ts";

type Choice = readonly [value: string, label: string];

/** The menus of settings; every option's target tells scope, name, value and who may. */
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
      ...{ kind: "one", target: writeTarget("SET", scope, name), label, values: [] },
      options: choices.map(([value, text]) => ({
        target: writeTarget("set", scope, name, value, tag),
        ...{ label: text, description: undefined, isChosen: value === chosen },
      })),
    };
  }

  return {
    ofPerson(speaker: BotSpeaker, person: Person, { language, preview, isMuted }: PersonSettings): Menu[] {
      const { say } = speaker;
      const automatic: Choice = ["auto", say("settings.automatic")];
      const sound = isMuted === undefined ? "auto" : isMuted ? "off" : "on";
      const own = menu.bind(undefined, "person", person);
      return [
        own("language", say("settings.language.label"), language ?? "auto", [
          ["auto", say("settings.language.automatic")],
          ...listLanguages(),
        ]),
        own("preview", say("settings.preview.label"), preview ?? "auto", [
          automatic,
          ...listPreviews(speaker),
        ]),
        own("sound", say("settings.sound.label"), sound, [automatic, ...listSounds(speaker)]),
      ];
    },

    ofPlace(speaker: BotSpeaker, person: Person, place: Place, chosen: PlaceSettings): Menu[] {
      const { say } = speaker;
      const of = menu.bind(undefined, "place", person);
      const { language, allowsAdult, preview, isMuted, audience, isListed, channels } = chosen;
      const isServer = place.kind === "server";
      const channelMenu: Menu = {
        ...{ kind: "channels", target: writeTarget("set", "place", "channels", "some", tagOf(person.id)) },
        ...{ label: say("settings.channels.label"), options: [], values: channels },
      };
      return [
        of("language", say("settings.language.label"), language ?? "auto", [
          ["auto", say("settings.automatic")],
          ...listLanguages(),
        ]),
        of("adult", say("settings.adult.label"), allowsAdult ? "on" : "off", [
          ["on", isServer ? say("settings.adult.on") : say("settings.on")],
          ["off", isServer ? say("settings.adult.off") : say("settings.off")],
        ]),
        of("preview", say("settings.preview.label"), preview, listPreviews(speaker)),
        of("sound", say("settings.sound.label"), isMuted ? "off" : "on", listSounds(speaker)),
        ...(isServer
          ? [
              of("replies", say("settings.replies.label"), audience, [
                ["public", say("settings.replies.public")],
                ["private", say("settings.replies.private")],
              ]),
            ]
          : []),
        of("listed", say("settings.listed.label"), isListed ? "on" : "off", [
          ["on", say("settings.listed.on")],
          ["off", say("settings.listed.off")],
        ]),
        ...(isServer ? [channelMenu] : []),
      ];
    },
  };
}

function listLanguages(): Choice[] {
  return languages.map((language): Choice => [language, languageNames[language]]);
}

function listPreviews({ say }: BotSpeaker): Choice[] {
  return [
    ["clip", say("settings.preview.clip")],
    ["still", say("settings.preview.still")],
    ["none", say("settings.preview.none")],
  ];
}

function listSounds({ say }: BotSpeaker): Choice[] {
  return [
    ["on", say("settings.sound.on")],
    ["off", say("settings.sound.off")],
  ];
}
