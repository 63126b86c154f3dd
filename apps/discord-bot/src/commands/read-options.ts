import type { LookupOptions } from "@koma/bot-core";
import {
  type APIAttachment,
  type APIChatInputApplicationCommandInteractionData,
  ApplicationCommandOptionType,
} from "discord.js";
import { periods, previews } from "./define-commands.ts";

/** The values of a slash command by their names. They are validated, because requests can be forged. */
export type InteractionOptions = ReturnType<typeof readOptions>;

/** Reads the options of a slash command. A value whose type differs from the registered one is ignored. */
export function readOptions(data: APIChatInputApplicationCommandInteractionData) {
  const [first] = data.options ?? [];
  const isNested = first?.type === ApplicationCommandOptionType.Subcommand;
  const options = isNested ? (first.options ?? []) : (data.options ?? []);
  const values = new Map<string, unknown>(
    options.map((option) => [option.name, "value" in option ? option.value : undefined]),
  );
  return {
    /** The subcommand, if the command has any. */
    subcommand: isNested ? first.name : undefined,
    text: (name: string): string | undefined => {
      const value = values.get(name);
      return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
    },
    flag: (name: string): boolean | undefined => {
      const value = values.get(name);
      return typeof value === "boolean" ? value : undefined;
    },
    number: (name: string): number | undefined => {
      const value = values.get(name);
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    },
    attachment: (name: string): APIAttachment | undefined => {
      const id = values.get(name);
      return typeof id === "string" ? data.resolved?.attachments?.[id] : undefined;
    },
  };
}

/** The options of `/find`. */
export function readLookupOptions(options: InteractionOptions): LookupOptions {
  const preview = previews.find((one) => one === options.text("preview"));
  const atSeconds = options.number("frame");
  return {
    ...(preview === undefined ? {} : { preview }),
    ...(atSeconds === undefined || atSeconds < 0 ? {} : { frame: { atSeconds } }),
    ...toOption("mute", options.flag("mute")),
    ...toOption("crop", options.flag("crop")),
    ...toOption("isPrivate", options.flag("private")),
  };
}

/** The period of `/rankings`. */
export function readPeriod(options: InteractionOptions): (typeof periods)[number] | undefined {
  return periods.find((one) => one === options.text("period"));
}

function toOption<Name extends string>(name: Name, value: boolean | undefined) {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]: boolean });
}
