import { type BotTranslator, chooseLanguage, createTranslator } from "@koma/messages";
import {
  type APIMessageComponentInteraction,
  LabelBuilder,
  ModalBuilder,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { acknowledge } from "../responses/acknowledge.ts";
import type { InteractionParts, InteractionRun } from "./serving.ts";
import { within } from "./within.ts";

/** Discord accepts a modal only within three seconds. */
const translatorWaitMs = 800;
/** Discord's limit for titles of modals and labels of fields. */
const titleLimit = 45;

/** Shows a modal in the person's language. */
export async function openForm(
  { core, api, onError }: Pick<InteractionParts, "core" | "api" | "onError">,
  interaction: APIMessageComponentInteraction,
  { requester: { person, chat } }: InteractionRun,
  build: (translator: BotTranslator) => ModalBuilder,
): Promise<void> {
  const usual = createTranslator(chooseLanguage([person.locale, chat.locale]));
  const translator = await within(translatorWaitMs, core.translatorFor({ person, chat }), usual);
  await acknowledge(
    () => api.showModal(interaction, build(translator).toJSON()),
    (error) => onError("form", error),
  );
}

/** A modal with these fields. */
export function buildForm(id: string, title: string, ...fields: readonly LabelBuilder[]): ModalBuilder {
  return new ModalBuilder()
    .setCustomId(id)
    .setTitle(title.slice(0, titleLimit))
    .addLabelComponents(...fields);
}

/** A field of one line with its label. */
export function buildField(
  id: string,
  label: string,
  { longest, isRequired = true }: { longest: number; isRequired?: boolean },
  refine: (input: TextInputBuilder) => TextInputBuilder = (input) => input,
): LabelBuilder {
  const input = new TextInputBuilder()
    .setCustomId(id)
    .setStyle(TextInputStyle.Short)
    .setMaxLength(longest)
    .setRequired(isRequired);
  return new LabelBuilder().setLabel(label.slice(0, titleLimit)).setTextInputComponent(refine(input));
}

/** The values of the fields of a modal by their ids; Discord nests them in rows or labels. */
export function readFormValues(components: unknown): Map<string, string> {
  const values = new Map<string, string>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) {
      for (const one of part) visit(one);
      return;
    }
    if (typeof part !== "object" || part === null) return;
    const { custom_id: id, value, component, components: inner } = part as Record<string, unknown>;
    if (typeof id === "string" && typeof value === "string") values.set(id, value.trim());
    visit(component ?? inner ?? []);
  };
  visit(components);
  return values;
}
