import type { Reply, ReplyKind } from "@koma/bot-core";
import { createTranslator } from "@koma/messages";
import {
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ButtonBuilder,
  ButtonStyle,
} from "discord.js";
import { buildField, buildForm, openForm, readFormValues } from "./forms.ts";
import type { InteractionParts, InteractionRun } from "./serving.ts";

const buttonId = "paste-key";
const formId = "key-form";
const fieldId = "key";

/** The modal for a personal API key, whose content only the bot receives. */
export type KeyForm = ReturnType<typeof createKeyForm>;

export function createKeyForm(parts: InteractionParts) {
  const { core, api, sender } = parts;

  return {
    /** The button that opens the modal. */
    async button(reply: Reply): Promise<ButtonBuilder> {
      const { t } = await core.translatorFor({ person: { id: reply.requesterId, displayName: "" } });
      return new ButtonBuilder()
        .setCustomId(buttonId)
        .setLabel(t("button.pasteKey"))
        .setStyle(ButtonStyle.Secondary);
    },

    isOpenedBy: ({ data }: APIMessageComponentInteraction) => data.custom_id === buttonId,

    open: (interaction: APIMessageComponentInteraction, serving: InteractionRun): Promise<void> =>
      openForm(parts, interaction, serving, ({ t }) => {
        const field = buildField(fieldId, t("link.paste.label"), { longest: 200 }, (input) =>
          input.setPlaceholder(t("link.paste.placeholder")).setMinLength(8),
        );
        return buildForm(formId, t("link.paste.title"), field);
      }),

    async serve(interaction: APIModalSubmitInteraction, serving: InteractionRun): Promise<void> {
      const key = readFormValues(interaction.data.components).get(fieldId);
      if (interaction.data.custom_id !== formId || key === undefined) return;
      const { person, chat } = serving.requester;
      const isPrivate = chat.kind !== "direct";
      // The message with the button contains the code, which is obsolete once a key is stored.
      const isOnMessage = interaction.message !== undefined;
      const acknowledge = () =>
        isOnMessage ? api.deferUpdate(interaction) : api.deferReply(interaction, { isPrivate });
      // This request is not resumable, because that would require storing the key.
      await serving.once({ isPrivate, isResumable: false, acknowledge }, async (stage, sending) => {
        const reply = await core.pasteKey({ person, chat, key });
        await sending();
        if (!isOnMessage) return await sender.sendReply(reply, stage);
        return needsCode(reply)
          ? await sender.add(reply, stage, { isPrivate: true })
          : await sender.update(reply, stage);
      });
    },
  };
}

/** True if the key was not accepted, so the code is still needed. */
function needsCode({ kind, title, language }: Reply): boolean {
  const isInvalid = title === createTranslator(language).t("link.paste.title");
  return isInvalid || errorKinds.has(kind);
}

const errorKinds = new Set<ReplyKind>(["busy", "failure", "limit", "not-ready", "offline", "quota"]);
