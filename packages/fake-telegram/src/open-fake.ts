import { getFrom } from "@koma/fake-chat";
import type { UserFromGetMe } from "grammy/types";
import { createChatViews } from "./driver/chat-views.ts";
import { createChatEvents } from "./driver/chats.ts";
import { createUserQueries } from "./driver/clicks.ts";
import { createChatsFactory } from "./driver/create-chats.ts";
import { createOutside } from "./driver/outside.ts";
import { createUsers } from "./driver/users.ts";
import { createMessageViews, type MessageViews } from "./driver/views.ts";
import { createWriter } from "./driver/write.ts";
import { planFaults } from "./http/faults.ts";
import { fillNulls } from "./http/fill-nulls.ts";
import { openServer } from "./http/open-server.ts";
import { createPolling } from "./http/polling.ts";
import { createWebhook, type WebhookDelivery } from "./http/webhook.ts";
import { createChatMethods } from "./methods/chats.ts";
import { createContents } from "./methods/contents.ts";
import { createEditing } from "./methods/editing.ts";
import { createMediaReader } from "./methods/media.ts";
import { createProfile } from "./methods/profile.ts";
import { createQueries } from "./methods/queries.ts";
import { createSending } from "./methods/sending.ts";
import { createWebhooks } from "./methods/webhooks.ts";
import { renderChat } from "./render/render-chat.ts";
import { checkResponse } from "./rules/check-call.ts";
import { readDescription } from "./rules/read-description.ts";
import { describeBot } from "./state/describe.ts";
import { createFakeState } from "./state/fake-state.ts";
import { createFiles } from "./state/files.ts";
import { createMessages } from "./state/messages.ts";
import { readSettings } from "./state/settings.ts";
import { createUpdates } from "./state/updates.ts";
import type { Fake, FakeOptions, User } from "./types.ts";

/** Opens a local Telegram on a free port of this machine. Close it at the end. */
export async function openFake(options: FakeOptions = {}): Promise<Fake> {
  const state = createFakeState(readSettings(options));
  const description = readDescription();
  const updates = createUpdates(state, (update) =>
    checkResponse(state, description, ["Update"], update, "update"),
  );
  const messages = createMessages(state);
  const files = createFiles(state);
  const media = createMediaReader(state, files);
  const contents = createContents(state, media);
  const events = createChatEvents(state, { messages, updates });
  const plan = planFaults(state);
  const polling = createPolling(state, updates, description);

  const people: { view?: (id: number) => User } = {};
  const userOf = (id: number): User => {
    if (!people.view) throw new Error("There are no users yet.");
    return people.view(id);
  };
  // Chat views and message views depend on each other, so one is resolved lazily.
  const chatViews = createChatViews(state, { events, messages, userOf, views: () => views });
  const views: MessageViews = createMessageViews(state, chatViews.view);
  const writer = createWriter(state, { messages, updates, files, views });
  const userQueries = createUserQueries(state, { updates, views });
  const users = createUsers(state, {
    messages,
    updates,
    views,
    chatOf: chatViews.view,
    writer,
    userQueries,
    events,
    contents,
  });
  people.view = users.view;

  const hooks: { delivery?: WebhookDelivery } = {};
  const webhook = (): WebhookDelivery => {
    if (!hooks.delivery) throw new Error("The fake is not open yet.");
    return hooks.delivery;
  };
  const leave = (chatId: number) =>
    events.setMember(getFrom(state.chats, chatId, "chat"), state.bot.id, "left", state.bot);
  const server = await openServer(state, {
    handlers: {
      ...createSending(state, { messages, contents, media }),
      ...createEditing(state, { messages, contents, media }),
      ...createQueries(state, { messages, contents }),
      ...createProfile(state),
      ...createChatMethods(state, { leave }),
      ...createWebhooks(state, { updates, webhook, description }),
    },
    description,
    plan,
    poll: (call, isGone) => polling.poll(call, isGone, webhook().hook !== undefined),
  });
  hooks.delivery = createWebhook(state, updates, server.performForWebhook, (update) =>
    state.settings.sendsNulls ? fillNulls(description, ["Update"], update) : update,
  );
  const outside = createOutside(state, { updates, polling, webhook: hooks.delivery });

  return {
    apiUrl: state.origin,
    token: state.settings.token,
    bot: describeBot(state) as unknown as UserFromGetMe,
    violations: state.violations,
    warnings: state.warnings,
    calls: state.calls,
    createUser: users.create,
    ...createChatsFactory(state, { events, view: chatViews.view, createUser: users.create }),
    faults: plan.faults,
    ...outside,
    renderChat,
    async close() {
      webhook().close();
      await server.close();
    },
  };
}
