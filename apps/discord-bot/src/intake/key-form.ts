import type { Reply, ReplyKind } from "@koma/bot-core";
import { type BotSpeaker, chooseLanguage, createSpeaker } from "@koma/messages";
import {
  type APIMessageComponentInteraction,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmitInteraction,
  ButtonStyle,
  ComponentType,
  TextInputStyle,
} from "discord.js";
import { acknowledge } from "../delivery/acknowledge.ts";
import type { RowButton } from "../replies/buttons.ts";
import type { InteractionParts, Serving } from "./interactions.ts";
import { within } from "./within.ts";

const buttonId = "paste-key";
const formId = "key-form";
const fieldId = "key";
/** No form may come late: Discord gives three seconds. */
const speakerMs = 800;

/** The form in which somebody pastes a key of their own, where nobody else reads it. */
export type KeyForm = ReturnType<typeof createKeyForm>;

export function createKeyForm({ core, api, sender, onTrouble }: InteractionParts) {
  return {
    /** The button that opens the form. */
    async button(reply: Reply): Promise<RowButton> {
      const { say } = await core.speakerFor({ person: { id: reply.askedBy, displayName: "" } });
      const label = say("button.pasteKey");
      return { type: ComponentType.Button, style: ButtonStyle.Secondary, label, custom_id: buttonId };
    },

    isOpenedBy: ({ data }: APIMessageComponentInteraction) => data.custom_id === buttonId,

    async open(interaction: APIMessageComponentInteraction, { asker }: Serving): Promise<void> {
      const { person, place } = asker;
      const usual = createSpeaker(chooseLanguage([person.locale, place.locale]));
      const speaker = await within(speakerMs, core.speakerFor({ person, place }), usual);
      await acknowledge(
        () => api.showModal(interaction, writeForm(speaker)),
        (error) => onTrouble("form", error),
      );
    },

    async serve(interaction: APIModalSubmitInteraction, serving: Serving): Promise<void> {
      const key = findValue(interaction.data.components);
      if (interaction.data.custom_id !== formId || key === undefined) return;
      const { person, place } = serving.asker;
      const isPrivate = place.kind !== "direct";
      // The message with the button has the code, which nobody needs once there is a key.
      const isOnMessage = interaction.message !== undefined;
      const acknowledge = () =>
        isOnMessage ? api.deferUpdate(interaction) : api.deferReply(interaction, { isPrivate });
      // Not to be resumed: the key would have to be kept for that.
      await serving.once({ isPrivate, isResumable: false, acknowledge }, async (stage, sending) => {
        const reply = await core.pasteKey({ person, place, key });
        await sending();
        if (!isOnMessage) return await sender.answer(reply, stage);
        return needsCode(reply)
          ? await sender.add(reply, stage, { isPrivate: true })
          : await sender.update(reply, stage);
      });
    },
  };
}

/** Nothing came of the key: the code is still of use. */
function needsCode({ kind, title, language }: Reply): boolean {
  const isInvalid = title === createSpeaker(language).say("link.paste.title");
  return isInvalid || troubles.has(kind);
}

const troubles = new Set<ReplyKind>(["busy", "failure", "limit", "not-ready", "offline", "quota"]);

function writeForm({ say }: BotSpeaker): APIModalInteractionResponseCallbackData {
  return {
    ...{ custom_id: formId, title: say("link.paste.title").slice(0, 45) },
    components: [
      {
        type: ComponentType.Label,
        label: say("link.paste.label").slice(0, 45),
        component: {
          ...{ type: ComponentType.TextInput, custom_id: fieldId, style: TextInputStyle.Short },
          ...{ placeholder: say("link.paste.placeholder"), min_length: 8, max_length: 200, required: true },
        },
      },
    ],
  };
}

/** The value of our field; Discord nests it in rows or labels, by the form's age. */
function findValue(components: unknown): string | undefined {
  if (Array.isArray(components)) {
    for (const one of components) {
      const found = findValue(one);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof components !== "object" || components === null) return undefined;
  const { custom_id: id, value, component, components: inner } = components as Record<string, unknown>;
  if (id === fieldId && typeof value === "string") return value.trim();
  return findValue(component ?? inner ?? []);
}
