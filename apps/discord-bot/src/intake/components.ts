import { plainReply } from "@koma/bot-core";
import { type APIMessageComponentInteraction, ComponentType, MessageFlags } from "discord.js";
import type { Sent, Stage } from "../delivery/send-reply.ts";
import { isGone } from "../discord/error-codes.ts";
import type { InteractionParts, Serving } from "./interactions.ts";
import type { KeyForm } from "./key-form.ts";
import { writeLinkContext } from "./link-context.ts";

/** Buttons and menus. */
export function createComponents(parts: InteractionParts & { keyForm: KeyForm }) {
  const { core, api, sender, keyForm, audiences, onTrouble } = parts;

  return {
    async serve(interaction: APIMessageComponentInteraction, serving: Serving): Promise<void> {
      if (keyForm.isOpenedBy(interaction)) return await keyForm.open(interaction, serving);
      const isPrivate = ((interaction.message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
      const acknowledge = () => api.deferUpdate(interaction);
      await serving.once({ isPrivate, isResumable: true, acknowledge }, (stage, sending) =>
        press(interaction, { serving, stage, sending }),
      );
    },
  };

  async function press(
    interaction: APIMessageComponentInteraction,
    { serving, stage, sending }: { serving: Serving; stage: Stage; sending: () => Promise<void> },
  ): Promise<Sent> {
    const { person, place } = serving.asker;
    const answer = await core.press({
      ...{ person, place, requestId: interaction.id, ...readPress(interaction), isPrivate: stage.isPrivate },
      context: writeLinkContext(interaction, { isButton: true }),
    });
    if (place.isManagedByAsker === true) audiences.forget(place.id);
    await sending();
    switch (answer.kind) {
      case "update":
        return await sender.update(answer.reply, stage, interaction.message.id);
      case "private":
        return await sender.add(answer.reply, stage, { isPrivate: true });
      case "new":
        return await sender.add(answer.reply, stage, { isPrivate: stage.isPrivate });
      case "delete":
        return await remove(interaction);
      case "notice": {
        const { language } = await core.speakerFor({ person, place });
        const notice = plainReply({ language, person, texts: [answer.text] });
        return await sender.add(notice, stage, { isPrivate: true });
      }
    }
  }

  async function remove(interaction: APIMessageComponentInteraction): Promise<Sent> {
    try {
      await api.deleteOriginal(interaction);
    } catch (error) {
      if (!isGone(error)) onTrouble("deletion", error);
    }
    return undefined;
  }
}

/** An option's own target is the value of a menu; chosen channels go along with the menu's. */
function readPress({ data }: APIMessageComponentInteraction): { target: string; values?: readonly string[] } {
  if (!("values" in data)) return { target: data.custom_id };
  if (data.component_type === ComponentType.ChannelSelect) {
    return { target: data.custom_id, values: data.values };
  }
  return { target: data.values[0] ?? data.custom_id };
}
