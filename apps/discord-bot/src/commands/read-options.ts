import {
  type APIAttachment,
  type APIChatInputApplicationCommandInteractionData,
  ApplicationCommandOptionType,
} from "discord.js";

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
