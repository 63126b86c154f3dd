import { readCorrectionTarget } from "@koma/bot-core";
import type { APIMessageComponentInteraction, APIModalSubmitInteraction } from "discord.js";
import { buildField, buildForm, openForm, readFormValues } from "./forms.ts";
import type { InteractionParts, InteractionRun } from "./serving.ts";

const formName = "correction.";

/** The modal for what an image shows, if no candidate is right. */
export type CorrectionForm = ReturnType<typeof createCorrectionForm>;

export function createCorrectionForm(parts: InteractionParts) {
  const { core, api, sender } = parts;

  return {
    isOpenedBy: ({ data }: APIMessageComponentInteraction) =>
      readCorrectionTarget(data.custom_id) !== undefined,

    open: (interaction: APIMessageComponentInteraction, serving: InteractionRun): Promise<void> =>
      openForm(parts, interaction, serving, ({ t }) =>
        buildForm(
          formName + readCorrectionTarget(interaction.data.custom_id),
          t("reply.correct.title"),
          buildField("title", t("reply.correct.anime"), { longest: 200 }),
          buildField("episode", t("reply.correct.episode"), { longest: 20, isRequired: false }),
        ),
      ),

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
