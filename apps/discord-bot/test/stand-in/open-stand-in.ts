import { createGuilds } from "./driver/create-guild.ts";
import { createUsers } from "./driver/create-user.ts";
import { createViews } from "./driver/views.ts";
import { openGateway } from "./gateway/open-gateway.ts";
import { createSessions } from "./gateway/sessions.ts";
import { createChannelRoutes } from "./http/channel-routes.ts";
import { createFaults } from "./http/faults.ts";
import { createInteractionRoutes } from "./http/interaction-routes.ts";
import { openServer } from "./http/open-server.ts";
import { createOtherRoutes } from "./http/other-routes.ts";
import { createWebhookRoutes } from "./http/webhook-routes.ts";
import { createWriter } from "./http/write-message.ts";
import { renderMessage } from "./render/render-message.ts";
import { getChecker } from "./rules/get-checker.ts";
import { contentTypeOf } from "./state/content-type.ts";
import { createInteractions } from "./state/interactions.ts";
import { createMessages } from "./state/messages.ts";
import { readSettings } from "./state/settings.ts";
import { createWorld, type StoredChannel, type World } from "./state/world.ts";
import type { OwnFile, StandIn, StandInOptions } from "./types.ts";

/** Opens a local Discord on a free port of this machine. Close it at the end. */
export async function openStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const world = createWorld(readSettings(options));
  const checked = getChecker(world.settings.specsFolder);
  const sessions = createSessions(world, checked?.checker);
  const messages = createMessages(world, sessions);
  const interactions = createInteractions(world);
  const write = createWriter(world, messages);
  const plan = createFaults(world);
  const openDirect = (userId: string) => openDirectChannel(world, userId);
  const routes = [
    ...createInteractionRoutes(world, { messages, interactions, write }),
    ...createWebhookRoutes(world, { messages, write }),
    ...createChannelRoutes(world, { messages, write }),
    ...createOtherRoutes(world, openDirect),
  ];
  const templates = checked?.templates ?? [...new Set(routes.map(({ template }) => template))];
  const http = await openServer(world, { routes, templates, checker: checked?.checker, plan });
  const { gateway, close } = openGateway(world, http.server, sessions);
  const views = createViews(world, sessions);
  const createUser = createUsers(world, { sessions, messages, interactions, views, openDirect });
  const createGuild = createGuilds(world, sessions, views, (name) => createUser({ name }));

  return {
    apiUrl: `${world.origin}/api`,
    cdnUrl: `${world.origin}/attachments/`,
    token: world.settings.token,
    applicationId: world.applicationId,
    botId: world.bot.id,
    isValidated: checked !== undefined,
    violations: world.violations,
    warnings: world.warnings,
    requests: world.requests,
    get commands() {
      return world.commands.get("global") ?? [];
    },
    createUser,
    createGuild,
    createGroup(...people) {
      const channel = createPrivateChannel(
        world,
        "group",
        people.map(({ id }) => id),
      );
      return views.channel(channel.id);
    },
    hostFile: (file) => hostOnWeb(world, file),
    faults: plan.faults,
    gateway,
    async waitUntil(condition, what = "the condition") {
      await world.waitFor(
        () => condition() || undefined,
        () => what,
      );
    },
    renderMessage,
    async close() {
      interactions.close();
      close();
      await http.close();
    },
  };
}

function openDirectChannel(world: World, userId: string): string {
  const known = [...world.channels.values()].find(
    (one) => one.kind === "direct" && one.recipientIds.includes(userId),
  );
  return (known ?? createPrivateChannel(world, "direct", [userId])).id;
}

function createPrivateChannel(
  world: World,
  kind: "direct" | "group",
  recipientIds: readonly string[],
): StoredChannel {
  const channel: StoredChannel = {
    id: world.createId(),
    kind,
    guildId: undefined,
    name: kind === "direct" ? "direct messages" : "group",
    isAgeRestricted: false,
    overwrites: new Map(),
    recipientIds,
    isRemoved: false,
    typingCount: 0,
  };
  world.channels.set(channel.id, channel);
  return channel;
}

function hostOnWeb(world: World, file: OwnFile): string {
  const id = world.createId();
  world.webFiles.set(id, { contentType: file.contentType ?? contentTypeOf(file.name), bytes: file.bytes });
  return `${world.origin}/web/${id}/${encodeURIComponent(file.name)}`;
}
