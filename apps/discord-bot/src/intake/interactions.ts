import { type BotCore, type Person, plainReply } from "@koma/bot-core";
import { chooseLanguage, createSpeaker } from "@koma/messages";
import { type APIInteraction, InteractionType } from "discord.js";
import { type Acknowledged, acknowledge } from "../delivery/acknowledge.ts";
import { type Sender, type Sent, type Stage, usualFileLimitBytes } from "../delivery/send-reply.ts";
import type { DiscordApi } from "../discord/discord-api.ts";
import type { Surroundings } from "../discord/gateway.ts";
import type { Download } from "../pictures/download.ts";
import { type Asker, findThreadParent, readInteractionAsker } from "./asker.ts";
import { createAudiences } from "./audiences.ts";
import { createCommands } from "./commands.ts";
import { createComponents } from "./components.ts";
import { createKeyForm } from "./key-form.ts";
import { type Resume, toReference, writeResume } from "./resume.ts";
import { within } from "./within.ts";

/** Most channels are at hand; an acknowledgement waits no longer for one that is not. */
const parentMs = 500;

/** What serving an interaction takes. */
export type InteractionParts = {
  core: BotCore;
  api: DiscordApi;
  sender: Sender;
  download: Download;
  audiences: ReturnType<typeof createAudiences>;
  onTrouble: (what: string, error: unknown) => void;
  /** Told of everybody who used something. */
  onSeen: (person: Person) => void;
};

/** How one interaction is served: acknowledged first, worked on then, answered once. */
export type Serving = {
  asker: Asker;
  /** Of a run before this one that broke off; it had acknowledged. */
  resumed: Resume | undefined;
  /**
   * Acknowledges at once, and runs the work beside that unless another run has answered. `isResumable`: goes on after a
   * restart.
   */
  once(
    options: { isPrivate: boolean; isResumable: boolean; acknowledge: () => Promise<unknown> },
    work: (stage: Stage, sending: () => Promise<void>) => Promise<Sent>,
  ): Promise<void>;
};

/** Commands, buttons, menus and forms. */
export function createInteractions(given: Omit<InteractionParts, "audiences">) {
  const parts = { ...given, audiences: createAudiences(given.core) };
  const keyForm = createKeyForm(parts);
  const commands = createCommands(parts);
  const components = createComponents({ ...parts, keyForm });

  return {
    /** The button that opens the form for a key, where a reply should have it. */
    keyButton: keyForm.button,
    /** Serves one interaction to its end. */
    async serve(interaction: APIInteraction, around: Surroundings, resumed?: Resume): Promise<void> {
      const parentId = findThreadParent(interaction);
      const parent =
        parentId === undefined ? undefined : await within(parentMs, around.knowChannel(parentId), undefined);
      const asker = readInteractionAsker(interaction, { nameServer: around.nameServer, parent });
      if (asker === undefined) return;
      parts.onSeen(asker.person);
      const serving = serve(interaction, asker, resumed);
      if (interaction.type === InteractionType.ApplicationCommand) await commands.serve(interaction, serving);
      if (interaction.type === InteractionType.MessageComponent) await components.serve(interaction, serving);
      if (interaction.type === InteractionType.ModalSubmit) await keyForm.serve(interaction, serving);
    },
  };

  function serve(interaction: APIInteraction, asker: Asker, resumed: Resume | undefined): Serving {
    return {
      ...{ asker, resumed },
      async once({ isPrivate, isResumable, acknowledge: send }, work) {
        const opening = open(interaction, asker, {
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
            parts.onTrouble("serving an interaction", error);
            return hasSent ? undefined : toReference(await apologize(interaction, stage));
          }
        });
      },
    };
  }

  async function open(
    interaction: APIInteraction,
    asker: Asker,
    { isPrivate, send }: { isPrivate: boolean; send: (() => Promise<unknown>) | undefined },
  ): Promise<Stage> {
    const onTrouble = (error: unknown) => parts.onTrouble("acknowledgement", error);
    const state: Acknowledged = send === undefined ? "done" : await acknowledge(send, onTrouble);
    const limit = "attachment_size_limit" in interaction ? interaction.attachment_size_limit : 0;
    const fileLimitBytes = Math.min(limit || usualFileLimitBytes, usualFileLimitBytes);
    return { key: interaction, asker, isPrivate, isOver: state === "over", fileLimitBytes };
  }

  /** Nobody is left with "thinking" for ever. */
  async function apologize(interaction: APIInteraction, stage: Stage): Promise<Sent> {
    const { person, place } = stage.asker;
    const { say, language } = createSpeaker(chooseLanguage([person.locale, place.locale]));
    const reply = plainReply({ language, person, kind: "failure", texts: [say("reply.oops")] });
    const isUpdate =
      interaction.type === InteractionType.MessageComponent ||
      (interaction.type === InteractionType.ModalSubmit && interaction.message !== undefined);
    return await (isUpdate
      ? parts.sender.add(reply, stage, { isPrivate: true })
      : parts.sender.answer(reply, stage));
  }
}
