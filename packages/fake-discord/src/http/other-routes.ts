import { asNumber, asObjects, asText, compact, getFrom, type Json } from "@koma/fake-chat";
import type { APIApplicationCommand } from "discord.js";
import { describeChannel, describeGuild } from "../describe/describe-guild.ts";
import {
  describeFullMember,
  describeOwnApplication,
  describeSelf,
  describeUser,
} from "../describe/describe-user.ts";
import type { FakeState, StoredGuild } from "../state/fake-state.ts";
import { type Call, parameter, type Response, type Route } from "./call.ts";
import { DiscordProblem } from "./problems.ts";

/**
 * The routes besides messages and interactions: the gateway's address, the application, commands, users,
 * guilds.
 */
export function createOtherRoutes(
  state: FakeState,
  openDirect: (userId: string) => string,
): readonly Route[] {
  const gatewayUrl = () => `${state.origin.replace("http", "ws")}/gateway`;

  const reachGuild = (call: Call): StoredGuild => {
    const guild = state.guilds.get(parameter(call, "guild_id"));
    if (guild === undefined || !guild.hasBot) throw new DiscordProblem(10004);
    return guild;
  };

  const ownCommands = (call: Call): string => {
    if (parameter(call, "application_id") !== state.applicationId) throw new DiscordProblem(20012);
    return call.parameters.guild_id ?? "global";
  };

  const setCommands = (call: Call): Response => {
    const commandRoute = ownCommands(call);
    const before = state.commands.get(commandRoute) ?? [];
    const commands = asObjects(call.body).map((one) =>
      describeCommand(state, one, before, call.parameters.guild_id),
    );
    state.commands.set(commandRoute, commands);
    state.announce();
    return { status: 200, body: commands };
  };

  const commandRoutes = [
    "/applications/{application_id}/commands",
    "/applications/{application_id}/guilds/{guild_id}/commands",
  ].flatMap((template): readonly Route[] => [
    {
      method: "GET",
      template,
      handle: (call) => ({ status: 200, body: state.commands.get(ownCommands(call)) ?? [] }),
    },
    { method: "PUT", template, handle: setCommands },
  ]);

  return [
    ...commandRoutes,
    { method: "GET", template: "/gateway", handle: () => ({ status: 200, body: { url: gatewayUrl() } }) },
    {
      method: "GET",
      template: "/gateway/bot",
      handle: () => ({
        status: 200,
        body: {
          url: gatewayUrl(),
          shards: state.settings.recommendedShards,
          session_start_limit: { total: 1000, remaining: 999, reset_after: 86_400_000, max_concurrency: 1 },
        },
      }),
    },
    { method: "GET", template: "/users/@me", handle: () => ({ status: 200, body: describeSelf(state) }) },
    {
      method: "GET",
      template: "/applications/@me",
      handle: () => ({ status: 200, body: describeOwnApplication(state) }),
    },
    {
      method: "GET",
      template: "/oauth2/applications/@me",
      handle: () => ({ status: 200, body: describeOwnApplication(state) }),
    },
    {
      method: "GET",
      template: "/users/{user_id}",
      handle(call) {
        const user = state.users.get(parameter(call, "user_id"));
        if (!user) throw new DiscordProblem(10013);
        return { status: 200, body: describeUser(user) };
      },
    },
    {
      method: "POST",
      template: "/users/@me/channels",
      handle(_call, body) {
        const id = asText(body.recipient_id) ?? "";
        if (!state.users.has(id)) throw new DiscordProblem(10013);
        if (id === state.bot.id) throw new DiscordProblem(50007);
        return {
          status: 200,
          body: describeChannel(state, getFrom(state.channels, openDirect(id), "channel")),
        };
      },
    },
    {
      method: "GET",
      template: "/guilds/{guild_id}",
      handle: (call) => ({ status: 200, body: describeGuild(reachGuild(call)) }),
    },
    {
      method: "GET",
      template: "/guilds/{guild_id}/channels",
      handle(call) {
        const guild = reachGuild(call);
        const channels = [...state.channels.values()].filter(
          (one) => one.guildId === guild.id && !one.isRemoved,
        );
        return { status: 200, body: channels.map((channel) => describeChannel(state, channel)) };
      },
    },
    {
      method: "GET",
      template: "/guilds/{guild_id}/members/{user_id}",
      handle(call) {
        const guild = reachGuild(call);
        const id = parameter(call, "user_id");
        if (!guild.members.has(id)) throw new DiscordProblem(10007);
        return { status: 200, body: describeFullMember(guild, getFrom(state.users, id, "user")) };
      },
    },
    {
      method: "DELETE",
      template: "/users/@me/guilds/{guild_id}",
      handle(call) {
        reachGuild(call).hasBot = false;
        return { status: 204 };
      },
    },
  ];
}

function describeCommand(
  state: FakeState,
  command: Json,
  before: readonly APIApplicationCommand[],
  guildId: string | undefined,
): APIApplicationCommand {
  const type = asNumber(command.type) ?? 1;
  const known = before.find((one) => one.name === command.name && Number(one.type) === type);
  const described = compact({
    id: known?.id ?? state.createId(),
    application_id: state.applicationId,
    version: state.createId(),
    default_member_permissions:
      command.default_member_permissions == null ? null : String(command.default_member_permissions),
    type,
    name: command.name,
    name_localizations: command.name_localizations ?? null,
    description: asText(command.description) ?? "",
    description_localizations: command.description_localizations ?? null,
    guild_id: guildId,
    dm_permission: guildId === undefined ? (command.dm_permission ?? true) : undefined,
    contexts: guildId === undefined ? (command.contexts ?? null) : undefined,
    integration_types: guildId === undefined ? (command.integration_types ?? [0]) : undefined,
    options: command.options ? asObjects(command.options).map(describeOption) : undefined,
    nsfw: false,
  });
  return described as unknown as APIApplicationCommand;
}

/** Options and choices without the nulls that requests may contain and responses may not. */
function describeOption(option: Json): Json {
  const nested = ["options", "choices"].flatMap((field) =>
    Array.isArray(option[field]) ? [[field, asObjects(option[field]).map(describeOption)] as const] : [],
  );
  const stored = Object.entries(option).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(stored), ...Object.fromEntries(nested) };
}
