import { readCorrectionTarget } from "@koma/bot-core";
import { type BotTranslator, chooseLanguage, createTranslator } from "@koma/messages";
import {
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  LabelBuilder,
  ModalBuilder,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { acknowledge } from "../responses/acknowledge.ts";
import { readFormValues } from "./form-values.ts";
import type { InteractionParts, InteractionRun } from "./serving.ts";
import { within } from "./within.ts";

const formName = "correction.";
/** Discord accepts a modal only within three seconds. */
const translatorWaitMs = 800;

/** The modal for what an image shows, if no candidate is right. */
export type CorrectionForm = ReturnType<typeof createCorrectionForm>;

export function createCorrectionForm({ core, api, sender, onError }: InteractionParts) {
  return {
    isOpenedBy: ({ data }: APIMessageComponentInteraction) =>
      readCorrectionTarget(data.custom_id) !== undefined,

    async open(interaction: APIMessageComponentInteraction, { requester }: InteractionRun): Promise<void> {
      const { person, chat } = requester;
      const usual = createTranslator(chooseLanguage([person.locale, chat.locale]));
      const translator = await within(translatorWaitMs, core.translatorFor({ person, chat }), usual);
      const resultId = readCorrectionTarget(interaction.data.custom_id) ?? "";
      await acknowledge(
        () => api.showModal(interaction, buildForm(resultId, translator).toJSON()),
        (error) => onError("form", error),
      );
    },

    async serve(interaction: APIModalSubmitInteraction, serving: InteractionRun): Promise<void> {
      const { custom_id: id, components } = interaction.data;
      if (!id.startsWith(formName)) return;
      const values = readFormValues(components);
      const { person, chat } = serving.requester;
      const isPrivate = chat.kind !== "direct";
      const acknowledge = () => api.deferReply(interaction, { isPrivate });
      await serving.once({ isPrivate, isResumable: false, acknowledge }, async (stage, sending) => {
        const reply = await core.correct({
          ...{ person, chat, resultId: id.slice(formName.length) },
          ...{ title: values.get("title") ?? "", episode: values.get("episode") },
        });
        await sending();
        return await sender.sendReply(reply, stage);
      });
    },
  };
}

function buildForm(resultId: string, { t }: BotTranslator): ModalBuilder {
  const field = (id: string, longest: number, isRequired: boolean) =>
    new TextInputBuilder()
      .setCustomId(id)
      .setStyle(TextInputStyle.Short)
      .setMaxLength(longest)
      .setRequired(isRequired);
  const label = (text: string, input: TextInputBuilder) =>
    new LabelBuilder().setLabel(text.slice(0, 45)).setTextInputComponent(input);
  return new ModalBuilder()
    .setCustomId(formName + resultId)
    .setTitle(t("reply.correct.title").slice(0, 45))
    .addLabelComponents(
      label(t("reply.correct.anime"), field("title", 200, true)),
      label(t("reply.correct.episode"), field("episode", 20, false)),
    );
}
