import { expiredReply, failureReply } from "@koma/bot-core";
import { type APIInteraction, InteractionType } from "discord.js";
import type { Surroundings } from "../discord/gateway.ts";
import { type Acknowledged, acknowledge } from "../responses/acknowledge.ts";
import { usualFileLimitBytes } from "../responses/routes.ts";
import type { PendingMessage } from "../responses/send-reply.ts";
import type { Sent } from "../responses/write-reply.ts";
import { createAudiences } from "./audiences.ts";
import { createCommands } from "./commands.ts";
import { createComponents } from "./components.ts";
import { createCorrectionForm } from "./correction-form.ts";
import { createKeyForm } from "./key-form.ts";
import { findThreadParent, type Requester, readInteractionRequester } from "./requester.ts";
import { type Resume, toReference, writeResume } from "./resume.ts";
import type { InteractionParts, InteractionRun } from "./serving.ts";
import { within } from "./within.ts";

/** Most channels are cached; an acknowledgement waits only this long for one that is not. */
const parentMs = 500;

/** Commands, buttons, menus and modals. */
export function createInteractions(options: Omit<InteractionParts, "audiences">) {
  const parts = { ...options, audiences: createAudiences(options.core) };
  const keyForm = createKeyForm(parts);
  const commands = createCommands(parts);
  const correctionForm = createCorrectionForm(parts);
  const components = createComponents({ ...parts, keyForm, correctionForm });

  return {
    /** The button that opens the modal for a key, if the reply needs it. */
    keyButton: keyForm.button,
    /** Serves one interaction. */
    async serve(interaction: APIInteraction, around: Surroundings, resumed?: Resume): Promise<void> {
      const requester = await readRequester(interaction, around);
      if (requester === undefined) return;
      parts.onSeen(requester.person);
      const serving = serve(interaction, { requester, around, resumed });
      if (interaction.type === InteractionType.ApplicationCommand) await commands.serve(interaction, serving);
      if (interaction.type === InteractionType.MessageComponent) await components.serve(interaction, serving);
      if (interaction.type === InteractionType.ModalSubmit) {
        await keyForm.serve(interaction, serving);
        await correctionForm.serve(interaction, serving);
      }
    },

    /**
     * States that a command of an earlier run has expired, in the channel or in a direct message. False for a
     * button, which can be used again.
     */
    async expire(interaction: APIInteraction, around: Surroundings, resumed: Resume): Promise<boolean> {
      const requester = await readRequester(interaction, around);
      if (requester === undefined || interaction.type !== InteractionType.ApplicationCommand) return false;
      const isPrivate = "isPrivate" in resumed && resumed.isPrivate;
      const { person, chat } = requester;
      await parts.core.requests.handle(
        { requestId: interaction.id, resume: writeResume(resumed) },
        async ({ isUncertain, sending }) => {
          // The earlier run possibly sent its reply.
          if (isUncertain) return undefined;
          const reply = expiredReply(await parts.core.translatorFor({ person, chat }), person);
          const limits = { isOver: true, fileLimitBytes: usualFileLimitBytes };
          const stage = { key: interaction, requester, isPrivate, ...limits };
          await sending();
          return toReference(await parts.sender.sendReply({ ...reply, isPrivate }, stage));
        },
      );
      return true;
    },
  };

  async function readRequester(
    interaction: APIInteraction,
    { knowChannel, nameServer }: Surroundings,
  ): Promise<Requester | undefined> {
    const parentId = findThreadParent(interaction);
    const parent =
      parentId === undefined ? undefined : await within(parentMs, knowChannel(parentId), undefined);
    return readInteractionRequester(interaction, { nameServer, parent });
  }

  function serve(interaction: APIInteraction, facts: Omit<InteractionRun, "once">): InteractionRun {
    const { requester, resumed } = facts;
    return {
      ...facts,
      async once({ isPrivate, isResumable, acknowledge: send }, work) {
        const opening = open(interaction, requester, {
          isPrivate,
          send: resumed === undefined ? send : undefined,
        });
        const resume = isResumable ? { resume: writeResume({ interaction, isPrivate }) } : {};
        await parts.core.requests.handle({ requestId: interaction.id, ...resume }, async (attempt) => {
          const stage = await opening;
          let hasSent = false;
          try {
            return toReference(
              await work(stage, async () => {
                hasSent = true;
                await attempt.sending();
              }),
            );
          } catch (error) {
            parts.onError("serving an interaction", error);
            return hasSent ? undefined : toReference(await apologize(interaction, stage));
          }
        });
      },
    };
  }

  async function open(
    interaction: APIInteraction,
    requester: Requester,
    { isPrivate, send }: { isPrivate: boolean; send: (() => Promise<unknown>) | undefined },
  ): Promise<PendingMessage> {
    const onError = (error: unknown) => parts.onError("acknowledgement", error);
    const state: Acknowledged = send === undefined ? "done" : await acknowledge(send, onError);
    const limit = "attachment_size_limit" in interaction ? interaction.attachment_size_limit : 0;
    const fileLimitBytes = Math.min(limit || usualFileLimitBytes, usualFileLimitBytes);
    return { key: interaction, requester, isPrivate, isOver: state === "over", fileLimitBytes };
  }

  /** Replaces "thinking" after an error. */
  async function apologize(interaction: APIInteraction, stage: PendingMessage): Promise<Sent> {
    const reply = { ...failureReply(stage.requester), isPrivate: true };
    const isUpdate =
      interaction.type === InteractionType.MessageComponent ||
      (interaction.type === InteractionType.ModalSubmit && interaction.message !== undefined);
    return await (isUpdate
      ? parts.sender.add(reply, stage, { isPrivate: true })
      : parts.sender.sendReply(reply, stage));
  }
}
