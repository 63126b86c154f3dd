import { ApiProblem, type Call } from "../http/call.ts";
import type { FakeState } from "../state/fake-state.ts";
import { botApi } from "./bot-api.ts";
import { checkFields, checkValue } from "./check-value.ts";

/** Validates a call against the description; throws Telegram's error if it cannot run. */
export function checkCall(state: FakeState, call: Call) {
  const { reject, method, parameters } = call;
  const shown = method === "setWebhook" ? { ...parameters, url: "" } : parameters;
  if (JSON.stringify(shown).includes(state.settings.token.split(":")[1] ?? " "))
    reject.blame("secret", "the parameters contain the bot's token");
  const known = botApi.methods[method];
  if (known === undefined) return;
  const misfits = checkFields(known.fields ?? [], parameters, "");
  for (const { rule, at, problem } of misfits) reject.blame(rule, `${at} ${problem}`);
  const worst = misfits.find(({ rule }) => rule === "schema");
  if (worst) throw new ApiProblem(400, `Bad Request: ${worst.at} ${worst.problem}`);
}

/** Validates a response of the fake; a mismatch is a defect of the fake. */
export function checkResponse(
  state: FakeState,
  types: readonly string[] | undefined,
  value: unknown,
  where: string,
) {
  if (!types) return;
  for (const { at, problem } of checkValue(types, value, "result"))
    state.violations.push({ rule: "fake", where, problem: `${at} ${problem}` });
}
