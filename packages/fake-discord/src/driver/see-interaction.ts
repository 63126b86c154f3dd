import { asNumber, asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import type { FakeState, StoredInteraction, StoredMessage } from "../state/fake-state.ts";
import type { Channel, Interaction, Message, Modal, User } from "../types.ts";

/** An interaction as the user sees it. */
export function createInteractionView(
  state: FakeState,
  stored: StoredInteraction,
  parts: { user: User; channel: Channel; message: (id: string) => Message },
): Interaction {
  const failIfDead = () => {
    if (stored.isFailed)
      throw new Error(`The application did not respond to ${describeInteraction(stored)}.`);
  };
  const findReply = (): StoredMessage | undefined => {
    failIfDead();
    const { acknowledgement } = stored;
    if (acknowledgement === "modal") throw new Error("The interaction showed a modal, not a reply.");
    const isUpdate = acknowledgement === "update" || acknowledgement === "deferred-update";
    if (acknowledgement === undefined || (isUpdate && !stored.hasUpdated)) return undefined;
    const message = state.messages.get(stored.originalId ?? "");
    return message && !message.isThinking && !message.isDeleted ? message : undefined;
  };
  const what = (expected: string) => () =>
    `${expected} of ${describeInteraction(stored)}; so far: ${stored.acknowledgement ?? "nothing"}${stored.originalId ? `, ${JSON.stringify(parts.message(stored.originalId).text)}` : ""}`;

  return {
    id: stored.id,
    token: stored.token,
    user: parts.user,
    channel: parts.channel,
    get acknowledgement() {
      return stored.acknowledgement;
    },
    get acknowledgedAfterMs() {
      return stored.acknowledgedAt === undefined ? undefined : stored.acknowledgedAt - stored.createdAt;
    },
    get isFailed() {
      return stored.isFailed;
    },
    acknowledged() {
      const find = () => {
        failIfDead();
        return stored.acknowledgement;
      };
      return state.waitFor(find, what("the acknowledgement"));
    },
    async reply() {
      const message = await state.waitFor(findReply, what("the reply"));
      return parts.message(message.id);
    },
    async replyWhere(fits) {
      const find = () => {
        const found = findReply();
        return found && fits(parts.message(found.id)) ? found : undefined;
      };
      const message = await state.waitFor(find, what("a fitting reply"));
      return parts.message(message.id);
    },
    async followUp(index = 0) {
      const id = await state.waitFor(() => stored.followUpIds[index], what(`follow-up ${index}`));
      return parts.message(id);
    },
    get followUps() {
      return stored.followUpIds.map(parts.message);
    },
    async modal() {
      const find = () => {
        failIfDead();
        return stored.modal;
      };
      return seeModal(await state.waitFor(find, what("the modal")));
    },
    expire() {
      stored.isExpired = true;
      state.announce();
    },
  };
}

function describeInteraction(stored: StoredInteraction): string {
  return stored.commandName ?? stored.targetId ?? stored.id;
}

function seeModal(modal: Json): Modal {
  return {
    customId: asText(modal.custom_id) ?? "",
    title: asText(modal.title) ?? "",
    fields: listModalInputs(modal).map(({ input, label }) => ({
      customId: asText(input.custom_id) ?? "",
      label,
      placeholder: asText(input.placeholder),
      value: asText(input.value),
      isRequired: input.required !== false,
      maxLength: asNumber(input.max_length),
    })),
    raw: modal,
  };
}

/** The inputs of a modal with their labels, in labels and in rows. */
function listModalInputs(modal: Json): readonly { input: Json; label: string }[] {
  return asObjects(modal.components).flatMap((top) => {
    const inner = asObject(top.component);
    if (top.type === 18 && inner) return [{ input: inner, label: asText(top.label) ?? "" }];
    return asObjects(top.components).map((input) => ({ input, label: asText(input.label) ?? "" }));
  });
}
