import { asObject, asObjects, type Json } from "@koma/fake-chat";
import { type Call, describeCall } from "../http/call.ts";
import { invalidForm } from "../http/problems.ts";
import type { FakeState } from "../state/fake-state.ts";
import { checkCommand, checkCommands } from "./command-rules.ts";
import type { Checker } from "./create-checker.ts";

/** Keys that discord.js adds to every message body with default values. */
const libraryKeys = ["tts", "enforce_nonce"] as const;

/**
 * Validates a call against the description and the rules for commands. Violations are recorded. An error that
 * Discord reports is thrown as 50035; an unknown key alone is not.
 */
export function checkCall(state: FakeState, checker: Checker, call: Call): void {
  const where = describeCall(call);
  const body = withoutLibraryKeys(call.body);
  const misfits = [
    ...checker.checkQuery(call.route, call.method, call.query),
    ...checker.checkBody(call.route, call.method, body),
  ];
  const commands = checkCommandBody(call).map((problem) => ({ rule: "command", problem }));
  const files = checkFiles(call).map((problem) => ({ rule: "attachment", problem }));
  const all = [...misfits, ...commands, ...files];
  state.violations.push(...all.map((misfit) => ({ ...misfit, where })));
  const refused = all.filter(({ rule }) => rule !== "unknown-key" && rule !== "query");
  if (refused.length > 0) throw invalidForm(refused.map(({ problem }) => problem));
}

function checkCommandBody(call: Call): readonly string[] {
  if (!call.route.startsWith("/applications/{application_id}/") || !call.route.includes("/commands"))
    return [];
  if (call.method === "PUT" && call.route.endsWith("/commands")) return checkCommands(asObjects(call.body));
  if (call.method === "POST") return checkCommand(asObject(call.body) ?? {});
  return [];
}

function checkFiles(call: Call): readonly string[] {
  const indices = call.files.map(({ index }) => index);
  const isTwice = new Set(indices).size < indices.length;
  return [
    ...(isTwice ? ["the same files[n] twice"] : []),
    ...(call.files.length > 10 ? ["more than 10 files"] : []),
    ...call.files.filter(({ bytes }) => bytes.length === 0).map(({ name }) => `file ${name} is empty`),
  ];
}

function withoutLibraryKeys(value: unknown): unknown {
  const body = asObject(value);
  if (body === undefined) return value;
  const data = asObject(body.data);
  return withoutFalse(data ? { ...body, data: withoutFalse(data) } : body);
}

function withoutFalse(body: Json): Json {
  const drop = new Set<string>(libraryKeys.filter((key) => body[key] === false));
  return drop.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([key]) => !drop.has(key)));
}
