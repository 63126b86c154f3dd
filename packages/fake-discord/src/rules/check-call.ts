import { asObjects } from "@koma/fake-chat";
import { type Call, describeCall } from "../http/call.ts";
import { invalidForm } from "../http/problems.ts";
import type { FakeState } from "../state/fake-state.ts";
import { checkBody, checkQuery } from "./check-by-description.ts";
import { checkCommands } from "./command-rules.ts";

/**
 * Validates a call against the description and the rules for commands. Violations are recorded. An error that
 * Discord reports is thrown as 50035; an unknown key alone is not.
 */
export function checkCall(state: FakeState, call: Call): void {
  const where = describeCall(call);
  const commands =
    call.method === "PUT" && call.route.endsWith("/commands") ? checkCommands(asObjects(call.body)) : [];
  const empty = call.files.filter(({ bytes }) => bytes.length === 0);
  const all = [
    ...checkQuery(call.route, call.method, call.query),
    ...checkBody(call.route, call.method, call.body),
    ...commands.map((problem) => ({ rule: "command", problem })),
    ...empty.map(({ name }) => ({ rule: "attachment", problem: `file ${name} is empty` })),
  ];
  state.violations.push(...all.map((misfit) => ({ ...misfit, where })));
  const refused = all.filter(({ rule }) => rule !== "unknown-key" && rule !== "query");
  if (refused.length > 0) throw invalidForm(refused.map(({ problem }) => problem));
}
