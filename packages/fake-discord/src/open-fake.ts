import { mimeTypeOf } from "@koma/fake-chat";
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
import type { Fake, User } from "./types.ts";

/** Opens a local Discord on a free port of this machine. Close it at the end. */
export async function openFake(options: FakeOptions = {}): Promise<Fake> {
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
  const create = (person?: Parameters<Fake["createUser"]>[0]): User =>
    createUser(state, { sessions, messages, interactions }, person);

  return {
    apiUrl: `${state.origin}/api`,
    token: state.settings.token,
    applicationId: state.bot.id,
    violations: state.violations,
    warnings: state.warnings,
    requests: state.requests,
    get commands() {
      return state.commands;
    },
    createUser: create,
    createGuild: ({ owner = create({ name: `Owner ${state.guilds.size + 1}` }), ...guild } = {}) =>
      createGuild(state, sessions, { owner, ...guild }),
    createGroup: (...recipients) =>
      createChannel(state, sessions, { kind: "group", name: "group", recipients }),
    hostFile: ({ name, bytes, contentType = mimeTypeOf(name) }) =>
      `${state.origin}${state.web.host({ name, bytes, contentType })}`,
    faults: plan.faults,
    gateway,
    waitUntil: state.waitUntil,
    async close() {
      interactions.close();
      close();
      await http.close();
    },
  };
}
