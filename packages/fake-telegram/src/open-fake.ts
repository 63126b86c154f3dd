import type { Violation } from "@koma/fake-chat";
import type { UserFromGetMe } from "grammy/types";
import { createChats, type GroupOptions } from "./driver/create-chat.ts";
import { createControls } from "./driver/create-controls.ts";
import { createUser, type User } from "./driver/create-user.ts";
import { createWriter } from "./driver/write.ts";
import { planFaults } from "./http/faults.ts";
import { fillNulls } from "./http/fill-nulls.ts";
import { openServer } from "./http/open-server.ts";
import { createPolling } from "./http/polling.ts";
import { createWebhook } from "./http/webhook.ts";
import { createChatMethods } from "./methods/chats.ts";
import { createContents } from "./methods/contents.ts";
import { createMessageMethods } from "./methods/messages.ts";
import { createProfile } from "./methods/profile.ts";
import { createQueries } from "./methods/queries.ts";
import { createWebhooks } from "./methods/webhooks.ts";
import { checkResponse } from "./rules/check-call.ts";
import type { FakeOptions } from "./state/defaults.ts";
import { describeBot } from "./state/describe.ts";
import { createFakeState, type RecordedCall } from "./state/fake-state.ts";
import { createFiles } from "./state/files.ts";
import { createMessages } from "./state/messages.ts";
import { createUpdates } from "./state/updates.ts";

/** Opens a local Telegram on a free port of this machine. Close it at the end. */
export async function openFake(options: FakeOptions = {}) {
  const state = createFakeState(options);
  const updates = createUpdates(state, (update) => checkResponse(state, ["Update"], update, "update"));
  const messages = createMessages(state);
  const files = createFiles(state);
  const contents = createContents(state, files);
  const chats = createChats(state, { messages, updates });
  const plan = planFaults();
  const polling = createPolling(state, updates);
  const writer = createWriter(state, { messages, updates, files });
  const create = (person?: { name?: string; language?: string }): User =>
    createUser(state, { chats, contents, messages, updates, writer }, person);

  const delivery = createWebhook(state, updates, (update) =>
    state.settings.sendsNulls ? fillNulls(["Update"], update) : update,
  );
  const server = await openServer(state, {
    handlers: {
      ...createMessageMethods(state, { messages, contents }),
      ...createQueries(state, { messages, contents }),
      ...createProfile(state),
      ...createChatMethods(state),
      ...createWebhooks(updates, delivery),
    },
    plan,
    poll: (call, isGone) => polling.poll(call, isGone, delivery.hook !== undefined),
  });
  return {
    /** For grammY: `client: { apiRoot: fake.apiUrl }`. */
    apiUrl: state.origin,
    token: state.settings.token,
    bot: describeBot(state) as unknown as UserFromGetMe,
    /** Violations of the bot or the fake; tests assert that there are none. */
    violations: state.violations as readonly Violation[],
    /** Valid but doubtful: edits that change nothing, addresses that Telegram cannot reach, missing replies. */
    warnings: state.warnings as readonly Violation[],
    calls: state.calls as readonly RecordedCall[],
    createUser: create,
    createGroup: ({ members = [], ...group }: GroupOptions = {}) =>
      chats.createGroup(members[0] ?? create({ name: "Owner" }), { ...group, members: members.slice(1) }),
    /** A chat of two users without the bot, for guest mode and inline results. */
    createPrivate: chats.createPrivate,
    faults: plan.faults,
    ...createControls(state, { updates, polling, delivery }),
    /** Waits until the condition holds; it is checked after every change. */
    waitUntil: state.waitUntil,
    async close() {
      delivery.close();
      await server.close();
    },
  };
}
