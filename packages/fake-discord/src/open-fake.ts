import { mimeTypeOf, type Violation } from "@koma/fake-chat";
import { createChannel } from "./driver/create-channel.ts";
import { createGuild } from "./driver/create-guild.ts";
import { createInteractions } from "./driver/create-interaction.ts";
import { createUser } from "./driver/create-user.ts";
import { openGateway } from "./gateway/open-gateway.ts";
import { createSessions } from "./gateway/sessions.ts";
import { createChannelRoutes } from "./http/channel-routes.ts";
import { planFaults } from "./http/faults.ts";
import { createInteractionRoutes } from "./http/interaction-routes.ts";
import { openServer } from "./http/open-server.ts";
import { createWriter } from "./http/write-message.ts";
import { getChecker } from "./rules/create-checker.ts";
import type { FakeOptions } from "./state/defaults.ts";
import { createFakeState } from "./state/fake-state.ts";
import { createMessages } from "./state/messages.ts";
import type { GuildOptions, OwnFile, RecordedRequest, User } from "./types.ts";

/** Opens a local Discord on a free port of this machine. Close it at the end. */
export async function openFake(options: FakeOptions = {}) {
  const state = createFakeState(options);
  const { checker, templates } = getChecker();
  const sessions = createSessions(state, checker);
  const messages = createMessages(state, sessions);
  const interactions = createInteractions(state, sessions);
  const write = createWriter(state, messages);
  const plan = planFaults(state);
  const routes = {
    ...createInteractionRoutes(state, { messages, write }),
    ...createChannelRoutes(state, { messages, write }),
  };
  const http = await openServer(state, { routes, templates, checker, plan });
  const { gateway, close } = openGateway(state, http.server, sessions);
  const create = (person?: { name?: string; locale?: string }): User =>
    createUser(state, { sessions, messages, interactions }, person);

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
    }: GuildOptions = {}) => createGuild(state, sessions, { owner, ...guild }),
    /** A group conversation of users; the bot is no member, users reach it by their own installation. */
    createGroup: (...recipients: readonly User[]) =>
      createChannel(state, sessions, { kind: "group", name: "group", recipients }),
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
