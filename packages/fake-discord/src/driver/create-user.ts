import { asText, getFrom } from "@koma/fake-chat";
import { listComponents } from "../describe/describe-components.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { FakeState, StoredChannel, StoredInteraction, StoredUser } from "../state/fake-state.ts";
import type { Interactions } from "../state/interactions.ts";
import type { Messages } from "../state/messages.ts";
import { allows, permissionsIn } from "../state/permissions.ts";
import type { Channel, CommandTarget, Interaction, Message, User } from "../types.ts";
import { createCommandData, createMessageCommandData, createModalData } from "./command-data.ts";
import { findCommand, ownersOf } from "./find-command.ts";
import { createInteractionView } from "./see-interaction.ts";
import { createSender } from "./send-interaction.ts";
import type { Views } from "./views.ts";
import { describeChosen, refuseSilenced, refuseUnknownValues, refuseUnseen, write } from "./write.ts";

/** Creates users; an action that Discord's client does not allow throws. */
export function createUsers(
  state: FakeState,
  parts: {
    sessions: Sessions;
    messages: Messages;
    interactions: Interactions;
    views: Views;
    openDirect: (id: string) => string;
  },
) {
  const { messages, views } = parts;
  const send = createSender(state, parts.sessions, parts.interactions);

  return function createUser(options: { name?: string; locale?: string; hasInstalled?: boolean } = {}): User {
    const stored: StoredUser = {
      id: state.createId(),
      name: options.name ?? `Person ${state.users.size}`,
      locale: options.locale ?? "en-US",
      isBot: false,
      hasInstalled: options.hasInstalled ?? false,
      acceptsDirect: true,
    };
    state.users.set(stored.id, stored);
    const user = createView(stored);
    views.users.set(stored.id, user);
    return user;
  };

  function createView(stored: StoredUser): User {
    const direct = () => views.channel(parts.openDirect(stored.id));
    const channelOf = (channel: Channel | undefined) =>
      getFrom(state.channels, (channel ?? direct()).id, "channel");
    const see = (interaction: StoredInteraction): Interaction =>
      createInteractionView(state, interaction, {
        user: getFrom(views.users, stored.id, "user"),
        channel: views.channel(interaction.channelId),
        message: views.message,
      });

    const command = (name: string, type: 1 | 3, channel: StoredChannel, commandTarget: CommandTarget) =>
      findCommand(state, { name, type, user: stored, channel, installedBy: commandTarget.installedBy });

    const useControl = (
      message: Message,
      customId: string,
      values: readonly string[] | undefined,
    ): Interaction => {
      const source = getFrom(state.messages, message.id, "message");
      refuseUnseen(source, stored);
      const control = listComponents(source.components).find((one) => one.custom_id === customId);
      if (control === undefined) throw new Error(`The message has no control ${customId}.`);
      if (control.disabled === true) throw new Error(`${asText(control.label) ?? customId} is disabled.`);
      if ((control.type === 2) !== (values === undefined))
        throw new Error(`${customId} cannot be used in this way.`);
      refuseUnknownValues(control, values);
      const cause =
        source.interactionId === undefined ? undefined : state.interactions.get(source.interactionId);
      const channel = getFrom(state.channels, source.channelId, "channel");
      const owners = cause?.owners ?? ownersOf(state, stored, channel, undefined);
      const data = {
        component_type: control.type,
        custom_id: customId,
        id: control.id ?? 1,
        ...(values && { values, ...describeChosen(state, control, values, channel) }),
      };
      return see(
        send({ type: 3, userId: stored.id, channelId: channel.id, owners, sourceId: source.id }, data),
      );
    };

    return {
      id: stored.id,
      name: stored.name,
      get locale() {
        return stored.locale;
      },
      get hasInstalled() {
        return stored.hasInstalled;
      },
      setLocale(locale) {
        stored.locale = locale;
      },
      get direct() {
        return direct();
      },
      setAcceptsDirect(accepts) {
        stored.acceptsDirect = accepts;
      },
      install() {
        stored.hasInstalled = true;
      },
      uninstall() {
        stored.hasInstalled = false;
      },
      slash(name, typed = {}, commandTarget = {}) {
        const [root = "", ...path] = name.split(" ");
        const channel = channelOf(commandTarget.channel);
        const { command: found, owners } = command(root, 1, channel, commandTarget);
        const data = createCommandData(state, messages, found, { path, typed, channel });
        return see(
          send(
            { type: 2, userId: stored.id, channelId: channel.id, owners, commandName: name, commandType: 1 },
            data,
          ),
        );
      },
      messageCommand(name, message, commandTarget = {}) {
        const target = getFrom(state.messages, message.id, "message");
        refuseUnseen(target, stored);
        const channel = getFrom(state.channels, target.channelId, "channel");
        const { command: found, owners } = command(name, 3, channel, commandTarget);
        const fields = {
          type: 2,
          userId: stored.id,
          channelId: channel.id,
          owners,
          commandName: name,
          commandType: 3,
          targetId: target.id,
        } as const;
        return see(send(fields, createMessageCommandData(state, found, target)));
      },
      sendMessage(channel, written) {
        const commandTarget = getFrom(state.channels, channel.id, "channel");
        refuseSilenced(
          state,
          commandTarget,
          stored,
          typeof written === "string" ? [] : (written.attachments ?? []),
        );
        return views.message(messages.create(write(state, messages, stored, commandTarget, written)).id);
      },
      editMessage(message, written) {
        const before = getFrom(state.messages, message.id, "message");
        if (before.authorId !== stored.id)
          throw new Error(`${stored.name} is not the author of this message.`);
        const commandTarget = getFrom(state.channels, before.channelId, "channel");
        const { content, files, embeds, pings } = write(state, messages, stored, commandTarget, written);
        messages.edit(before, { content, files, embeds, pings });
      },
      deleteMessage(message) {
        const target = getFrom(state.messages, message.id, "message");
        const commandTarget = getFrom(state.channels, target.channelId, "channel");
        const mayAll =
          commandTarget.kind === "guild" &&
          allows(permissionsIn(state, commandTarget, stored.id), "ManageMessages");
        if (target.authorId !== stored.id && !mayAll)
          throw new Error(`${stored.name} may not delete this message.`);
        messages.delete(target);
      },
      clickButton: (message, customId) => useControl(message, customId, undefined),
      select: (message, customId, values) => useControl(message, customId, values),
      submitModal(interaction, values) {
        const cause = getFrom(state.interactions, interaction.id, "interaction");
        if (cause.modal === undefined) throw new Error("The interaction showed no modal.");
        const data = createModalData(state, messages, cause.modal, values, cause.channelId);
        const { channelId, owners, sourceId } = cause;
        return see(
          send({ type: 5, userId: stored.id, channelId, owners, sourceId, causeId: cause.id }, data),
        );
      },
      async autocomplete(name, typed, focused, commandTarget = {}) {
        const [root = "", ...path] = name.split(" ");
        const channel = channelOf(commandTarget.channel);
        const { command: found, owners } = command(root, 1, channel, commandTarget);
        const data = createCommandData(state, messages, found, { path, typed, channel, focused });
        const interaction = send(
          { type: 4, userId: stored.id, channelId: channel.id, owners, commandName: name, commandType: 1 },
          data,
        );
        await see(interaction).acknowledged();
        return (interaction.choices ?? []) as readonly { name: string; value: string | number }[];
      },
    };
  }
}
