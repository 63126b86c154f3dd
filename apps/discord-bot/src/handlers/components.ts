import { plainReply } from "@koma/bot-core";
import { type APIMessageComponentInteraction, ComponentType, MessageFlags } from "discord.js";
import { isGone } from "../discord/error-codes.ts";
import type { PendingMessage } from "../responses/send-reply.ts";
import type { Sent } from "../responses/write-reply.ts";
import type { CorrectionForm } from "./correction-form.ts";
import type { KeyForm } from "./key-form.ts";
import { writeLinkContext } from "./link-context.ts";
import type { InteractionParts, InteractionRun } from "./serving.ts";

/** A button without an effect by then shows "typing". */
const typingAfterMs = 400;

/** Buttons and menus. */
export function createComponents(
  parts: InteractionParts & { keyForm: KeyForm; correctionForm: CorrectionForm },
) {
  const { core, api, sender, keyForm, correctionForm, audiences, onError } = parts;

  return {
    async serve(interaction: APIMessageComponentInteraction, serving: InteractionRun): Promise<void> {
      if (keyForm.isOpenedBy(interaction)) return await keyForm.open(interaction, serving);
      if (correctionForm.isOpenedBy(interaction)) return await correctionForm.open(interaction, serving);
      const isPrivate = ((interaction.message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
      const acknowledge = () => api.deferUpdate(interaction);
      await serving.once({ isPrivate, isResumable: true, acknowledge }, (stage, sending) =>
        handleComponent(interaction, { serving, stage, sending }),
      );
    },
  };

  async function handleComponent(
    interaction: APIMessageComponentInteraction,
    {
      serving,
      stage,
      sending,
    }: { serving: InteractionRun; stage: PendingMessage; sending: () => Promise<void> },
  ): Promise<Sent> {
    const { person, chat } = serving.requester;
    const typing = showTypingLater(serving, stage);
    const result = await core
      .runAction({
        person,
        chat,
        requestId: interaction.id,
        ...readComponent(interaction),
        isPrivate: stage.isPrivate,
        context: writeLinkContext(interaction, { isButton: true }),
      })
      .finally(() => typing?.end());
    if (chat.isManagedByRequester === true) audiences.forget(chat.id);
    await sending();
    switch (result.kind) {
      case "update":
        return await sender.update(result.reply, stage, interaction.message.id);
      case "private":
        return await sender.add(result.reply, stage, { isPrivate: true });
      case "publish": {
        const sent = await sender.publish(result.reply, stage);
        if (result.rest === undefined) await remove(interaction);
        else await sender.update(result.rest, stage, interaction.message.id);
        return sent;
      }
      case "delete":
        return await remove(interaction);
      case "notice": {
        const { language } = await core.translatorFor({ person, chat });
        const alert = plainReply({ language, person, texts: [result.text] });
        return await sender.add(alert, stage, { isPrivate: true });
      }
    }
  }

  /** The acknowledgement of a button changes nothing that people see. */
  function showTypingLater({ requester }: InteractionRun, { isPrivate }: PendingMessage) {
    const { writableChannelId: channelId } = requester;
    if (isPrivate || channelId === undefined) return undefined;
    return api.showTypingIn(channelId, typingAfterMs);
  }

  async function remove(interaction: APIMessageComponentInteraction): Promise<Sent> {
    try {
      await api.deleteOriginal(interaction);
    } catch (error) {
      if (!isGone(error)) onError("deletion", error);
    }
    return undefined;
  }
}

/** An option's target is the value of its menu; selected channels and roles are passed with the menu's target. */
function readComponent({ data }: APIMessageComponentInteraction): {
  target: string;
  values?: readonly string[];
} {
  if (!("values" in data)) return { target: data.custom_id };
  if (
    data.component_type === ComponentType.ChannelSelect ||
    data.component_type === ComponentType.RoleSelect
  ) {
    return { target: data.custom_id, values: data.values };
  }
  return { target: data.values[0] ?? data.custom_id };
}
