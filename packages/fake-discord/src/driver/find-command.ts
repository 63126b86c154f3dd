import { asNumber, asObjects, asText, type Json } from "@koma/fake-chat";
import type { APIApplicationCommand } from "discord.js";
import type { FakeState, StoredChannel, StoredUser } from "../state/fake-state.ts";
import { allows, permissionsIn } from "../state/permissions.ts";

/** Discord's number of an interaction context. */
export function contextOf(channel: StoredChannel): 0 | 1 | 2 {
  return channel.kind === "guild" ? 0 : channel.kind === "direct" ? 1 : 2;
}

/** The command that a user may use here, and its installation; throws with the reason if the user may not. */
export function findCommand(
  state: FakeState,
  expected: {
    name: string;
    type: 1 | 3;
    user: StoredUser;
    channel: StoredChannel;
    installedBy: "guild" | "user" | undefined;
  },
): { command: APIApplicationCommand; owners: Record<string, string> } {
  const { channel, user, name } = expected;
  const all = [...(state.commands.get(channel.guildId ?? "") ?? []), ...(state.commands.get("global") ?? [])];
  const command = all.find((one) => one.name === name && Number(one.type) === expected.type);
  if (!command)
    throw new Error(
      `No command ${name} is registered; there are: ${all.map((one) => one.name).join(", ") || "none"}`,
    );
  const contexts = command.contexts?.map(Number) ?? [0, 1, 2];
  if (!contexts.includes(contextOf(channel)))
    throw new Error(`${name} is not available in a ${channel.kind} channel.`);
  const types = command.integration_types?.map(Number) ?? [0];
  const owners = ownersOf(state, user, channel, expected.installedBy, types);
  if (Object.keys(owners).length === 0)
    throw new Error(`The app of ${name} is installed neither here nor by ${user.name}.`);
  refuseForbidden(state, command, user, channel, owners["0"] === undefined);
  return { command, owners };
}

/** The owners of the installation, as `authorizing_integration_owners`. */
export function ownersOf(
  state: FakeState,
  user: StoredUser,
  channel: StoredChannel,
  installedBy: "guild" | "user" | undefined,
  types: readonly number[] = [0, 1],
): Record<string, string> {
  const guild = channel.guildId === undefined ? undefined : state.guilds.get(channel.guildId);
  const byGuild = channel.kind === "direct" ? "0" : guild?.hasBot ? guild.id : undefined;
  const isGuilds = installedBy !== "user" && types.includes(0) && byGuild !== undefined;
  const isUsers = installedBy !== "guild" && types.includes(1) && user.hasInstalled;
  return { ...(isGuilds && { "0": byGuild }), ...(isUsers && { "1": user.id }) };
}

/** Throws if an option is not valid for the command. */
export function checkTyped(
  options: readonly Json[],
  typed: Readonly<Record<string, unknown>>,
  isWhole = true,
): void {
  for (const name of Object.keys(typed)) {
    if (!options.some((option) => option.name === name)) throw new Error(`There is no option ${name}.`);
  }
  for (const option of options) {
    const name = asText(option.name) ?? "";
    const value = typed[name];
    if (value === undefined) {
      if (option.required === true && isWhole) throw new Error(`Option ${name} is required.`);
      continue;
    }
    const choices = asObjects(option.choices);
    if (choices.length > 0 && !choices.some((choice) => choice.value === value))
      throw new Error(`${name}: ${String(value)} is not a valid choice.`);
    const [least, most] = [asNumber(option.min_value), asNumber(option.max_value)];
    const isOut =
      typeof value === "number" &&
      ((least !== undefined && value < least) || (most !== undefined && value > most));
    if (isOut) throw new Error(`${name}: ${value} is out of its range.`);
  }
}

function refuseForbidden(
  state: FakeState,
  command: APIApplicationCommand,
  user: StoredUser,
  channel: StoredChannel,
  isOwnApp: boolean,
): void {
  if (channel.kind !== "guild") return;
  const held = permissionsIn(state, channel, user.id);
  if (!allows(held, ["ViewChannel", "UseApplicationCommands"]))
    throw new Error(`${user.name} may not use commands here.`);
  const needed = command.default_member_permissions;
  if (!isOwnApp && needed != null && !allows(held, BigInt(needed)))
    throw new Error(`${user.name} cannot see ${command.name}.`);
}
