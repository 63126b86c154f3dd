import { mimeTypeOf } from "@koma/fake-chat";
import { createGuilds } from "./driver/create-guild.ts";
import { createUsers } from "./driver/create-user.ts";
import { createViews } from "./driver/views.ts";
import { openGateway } from "./gateway/open-gateway.ts";
import { createSessions } from "./gateway/sessions.ts";
import { createChannelRoutes } from "./http/channel-routes.ts";
import { planFaults } from "./http/faults.ts";
import { createInteractionRoutes } from "./http/interaction-routes.ts";
import { openServer } from "./http/open-server.ts";
import { createOtherRoutes } from "./http/other-routes.ts";
import { createWebhookRoutes } from "./http/webhook-routes.ts";
import { createWriter } from "./http/write-message.ts";
import { renderMessage } from "./render/render-message.ts";
import { getChecker } from "./rules/get-checker.ts";
import { createFakeState, type FakeState, type StoredChannel } from "./state/fake-state.ts";
import { createInteractions } from "./state/interactions.ts";
import { createMessages } from "./state/messages.ts";
import { readSettings } from "./state/settings.ts";
import type { Fake, FakeOptions } from "./types.ts";

/** Opens a local Discord on a free port of this machine. Close it at the end. */
export async function openFake(options: FakeOptions = {}): Promise<Fake> {
  const state = createFakeState(readSettings(options));
  const { checker, templates } = getChecker();
  const sessions = createSessions(state, checker);
  const messages = createMessages(state, sessions);
  const interactions = createInteractions(state);
  const write = createWriter(state, messages);
  const plan = planFaults(state);
  const openDirect = (userId: string) => openDirectChannel(state, userId);
  const routes = [
    ...createInteractionRoutes(state, { messages, interactions, write }),
    ...createWebhookRoutes(state, { messages, write }),
    ...createChannelRoutes(state, { messages, write }),
    ...createOtherRoutes(state, openDirect),
  ];
  const http = await openServer(state, { routes, templates, checker, plan });
  const { gateway, close } = openGateway(state, http.server, sessions);
  const views = createViews(state, sessions);
  const createUser = createUsers(state, { sessions, messages, interactions, views, openDirect });
  const createGuild = createGuilds(state, sessions, views, (name) => createUser({ name }));

  return {
    apiUrl: `${state.origin}/api`,
    cdnUrl: `${state.origin}/attachments/`,
    token: state.settings.token,
    applicationId: state.applicationId,
    botId: state.bot.id,
    violations: state.violations,
    warnings: state.warnings,
    requests: state.requests,
    get commands() {
      return state.commands.get("global") ?? [];
    },
    createUser,
    createGuild,
    createGroup(...people) {
      const channel = createPrivateChannel(
        state,
        "group",
        people.map(({ id }) => id),
      );
      return views.channel(channel.id);
    },
    hostFile: ({ name, bytes, contentType = mimeTypeOf(name) }) =>
      `${state.origin}${state.web.host({ name, bytes, contentType })}`,
    faults: plan.faults,
    gateway,
    waitUntil: state.waitUntil,
    renderMessage,
    async close() {
      interactions.close();
      close();
      await http.close();
    },
  };
}

function openDirectChannel(state: FakeState, userId: string): string {
  const known = [...state.channels.values()].find(
    (one) => one.kind === "direct" && one.recipientIds.includes(userId),
  );
  return (known ?? createPrivateChannel(state, "direct", [userId])).id;
}

function createPrivateChannel(
  state: FakeState,
  kind: "direct" | "group",
  recipientIds: readonly string[],
): StoredChannel {
  const channel: StoredChannel = {
    id: state.createId(),
    kind,
    guildId: undefined,
    name: kind === "direct" ? "direct messages" : "group",
    isAgeRestricted: false,
    overwrites: new Map(),
    recipientIds,
    isRemoved: false,
    typingCount: 0,
  };
  state.channels.set(channel.id, channel);
  return channel;
}
