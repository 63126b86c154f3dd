import { mimeTypeOf, type Violation } from "@koma/fake-chat";
import { describeChannel } from "./describe/describe-user.ts";
import { createGuild, type GuildOptions } from "./driver/create-guild.ts";
import { createInteractions } from "./driver/create-interaction.ts";
import { createUser, type User } from "./driver/create-user.ts";
import { openGateway } from "./gateway/open-gateway.ts";
import { createSessions } from "./gateway/sessions.ts";
import { createChannelRoutes } from "./http/channel-routes.ts";
import { planFaults } from "./http/faults.ts";
import { createInteractionRoutes } from "./http/interaction-routes.ts";
import { openServer } from "./http/open-server.ts";
import { createWriter } from "./http/write-message.ts";
import { Channel, type ChannelParts } from "./state/channels.ts";
import type { FakeOptions } from "./state/defaults.ts";
import { createFakeState, type RecordedRequest } from "./state/fake-state.ts";
import { createMessages } from "./state/messages.ts";
import type { Account, OwnFile } from "./types.ts";

/** Opens a local Discord on a free port of this machine. Close it at the end. */
export async function openFake(options: FakeOptions = {}) {
  const state = createFakeState(options);
  const sessions = createSessions(state);
  const messages = createMessages(state, sessions);
  const interactions = createInteractions(state, sessions);
  const channelParts: ChannelParts = {
    ...state,
    sendGuild: (guild, event, channel) =>
      sessions.sendGuild(guild, event, channel && describeChannel(channel)),
  };
  const write = createWriter(state, messages);
  const plan = planFaults(state);
  const routes = {
    ...createInteractionRoutes(state, { messages, write }),
    ...createChannelRoutes(state, { messages, write }),
  };
  const http = await openServer(state, { routes, plan });
  const { gateway, close } = openGateway(state, http.server, sessions);
  const create = (person?: { name?: string; locale?: string }): User =>
    createUser(state, { channelParts, sessions, messages, interactions }, person);

  return {
    /** For discord.js: `rest: { api: fake.apiUrl }` (without the version). */
    apiUrl: `${state.origin}/api`,
    token: state.settings.token,
    applicationId: state.bot.id,
    /** Violations of the bot or the fake; tests assert that there are none. */
    violations: state.violations as readonly Violation[],
    /** Valid but doubtful requests: text from users without allowed_mentions. */
    warnings: state.warnings as readonly Violation[],
    requests: state.requests as readonly RecordedRequest[],
    /** The currently registered global commands. */
    get commands() {
      return state.commands;
    },
    createUser: create,
    createGuild: ({
      owner = create({ name: `Owner ${state.guilds.size + 1}` }),
      ...guild
    }: GuildOptions & { owner?: User } = {}) => createGuild(state, channelParts, { owner, ...guild }),
    /** A group conversation of users; the bot is no member, users reach it by their own installation. */
    createGroup: (...recipients: readonly Account[]) =>
      new Channel(channelParts, { kind: "group", name: "group", recipients }),
    /** A file on the web that is no attachment, for images of embeds and addresses. */
    hostFile: ({ name, bytes, contentType = mimeTypeOf(name) }: OwnFile) =>
      `${state.origin}/web/${state.webFiles.push({ contentType, bytes }) - 1}/${encodeURIComponent(name)}`,
    faults: plan.faults,
    gateway,
    /** Waits until the condition holds; it is checked after every change. */
    waitUntil: state.waitUntil,
    async close() {
      interactions.close();
      close();
      await http.close();
    },
  };
}
