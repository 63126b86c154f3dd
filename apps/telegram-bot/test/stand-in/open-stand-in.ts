import type { UserFromGetMe } from "grammy/types";
import { createChatViews } from "./driver/chat-views.ts";
import { createChatEvents } from "./driver/chats.ts";
import { createPlacesFactory } from "./driver/create-places.ts";
import { createOutside } from "./driver/outside.ts";
import { createAsking } from "./driver/presses.ts";
import { createUsers } from "./driver/users.ts";
import { createMessageViews, type MessageViews } from "./driver/views.ts";
import { createWriter } from "./driver/write.ts";
import { createFaults } from "./http/faults.ts";
import { openServer } from "./http/open-server.ts";
import { createPolling } from "./http/polling.ts";
import { createWebhook, type WebhookDelivery } from "./http/webhook.ts";
import { createContents } from "./methods/contents.ts";
import { createEditing } from "./methods/editing.ts";
import { createMediaReader } from "./methods/media.ts";
import { createPlaces } from "./methods/places.ts";
import { createProfile } from "./methods/profile.ts";
import { createQueries } from "./methods/queries.ts";
import { createSending } from "./methods/sending.ts";
import { createWebhooks } from "./methods/webhooks.ts";
import { renderChat } from "./render/render-chat.ts";
import { checkAnswer } from "./rules/check-call.ts";
import { readDescription } from "./rules/read-description.ts";
import { describeBot } from "./state/describe.ts";
import { createFiles } from "./state/files.ts";
import { createMessages } from "./state/messages.ts";
import { readSettings } from "./state/settings.ts";
import { createUpdates } from "./state/updates.ts";
import { createWorld, getFrom } from "./state/world.ts";
import type { StandIn, StandInOptions, User } from "./types.ts";

/** Opens a local Telegram on a free port of this machine. Close it at the end. */
export async function openStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const world = createWorld(readSettings(options));
  const description = readDescription(world.settings.specsFolder);
  const updates = createUpdates(world, (update) =>
    checkAnswer(world, description, ["Update"], update, "update"),
  );
  const messages = createMessages(world);
  const files = createFiles(world);
  const media = createMediaReader(world, files);
  const contents = createContents(world, media);
  const events = createChatEvents(world, { messages, updates });
  const plan = createFaults(world);
  const polling = createPolling(world, updates, description);

  const people: { view?: (id: number) => User } = {};
  const userOf = (id: number): User => {
    if (!people.view) throw new Error("Nobody is there yet.");
    return people.view(id);
  };
  // Chats show messages and messages know their chat: the one is asked for when it is needed.
  const chatViews = createChatViews(world, { events, messages, userOf, views: () => views });
  const views: MessageViews = createMessageViews(world, chatViews.view);
  const writer = createWriter(world, { messages, updates, files, views });
  const asking = createAsking(world, { updates, views });
  const users = createUsers(world, {
    messages,
    updates,
    views,
    chatOf: chatViews.view,
    writer,
    asking,
    events,
    contents,
  });
  people.view = users.view;

  const hooks: { delivery?: WebhookDelivery } = {};
  const webhook = (): WebhookDelivery => {
    if (!hooks.delivery) throw new Error("The stand-in is not open yet.");
    return hooks.delivery;
  };
  const leave = (chatId: number) =>
    events.setMember(getFrom(world.chats, chatId, "chat"), world.bot.id, "left", world.bot);
  const server = await openServer(world, {
    handlers: {
      ...createSending(world, { messages, contents, media }),
      ...createEditing(world, { messages, contents, media }),
      ...createQueries(world, { messages, contents }),
      ...createProfile(world),
      ...createPlaces(world, { leave }),
      ...createWebhooks(world, { updates, webhook, description }),
    },
    description,
    plan,
    poll: (call, isGone) => polling.poll(call, isGone, webhook().hook !== undefined),
  });
  hooks.delivery = createWebhook(world, updates, server.performForWebhook);
  const outside = createOutside(world, { updates, polling, webhook: hooks.delivery });

  return {
    apiUrl: world.origin,
    token: world.settings.token,
    bot: describeBot(world) as unknown as UserFromGetMe,
    isValidated: description !== undefined,
    violations: world.violations,
    warnings: world.warnings,
    calls: world.calls,
    createUser: users.create,
    ...createPlacesFactory(world, { events, view: chatViews.view, createUser: users.create }),
    faults: plan.faults,
    ...outside,
    renderChat,
    async close() {
      webhook().close();
      await server.close();
    },
  };
}
