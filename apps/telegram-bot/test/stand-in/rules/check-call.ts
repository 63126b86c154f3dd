import type { Call } from "../http/call.ts";
import { ApiProblem } from "../http/problems.ts";
import type { World } from "../state/world.ts";
import { checkFields, checkValue } from "./check-value.ts";
import type { Description } from "./read-description.ts";

/** Checks a call against the description; throws what Telegram answers where it cannot be carried out. */
export function checkCall(world: World, description: Description | undefined, call: Call) {
  const { judge, method, parameters } = call;
  const told = method === "setWebhook" ? { ...parameters, url: "" } : parameters;
  if (JSON.stringify(told).includes(world.settings.token.split(":")[1] ?? " "))
    judge.blame("secret", "the bot's token stands in the parameters");
  if (!description) return;
  const known = description.methods[method];
  if (known === undefined) return;
  const misfits = checkFields(description, known.fields ?? [], parameters, "");
  for (const { rule, at, problem } of misfits) judge.blame(rule, `${at} ${problem}`);
  const worst = misfits.find(({ rule }) => rule === "schema");
  if (worst) throw new ApiProblem(400, `Bad Request: ${worst.at} ${worst.problem}`);
}

/** Checks what the stand-in itself says; a misfit is a fault of the stand-in. */
export function checkAnswer(
  world: World,
  description: Description | undefined,
  types: readonly string[] | undefined,
  value: unknown,
  where: string,
) {
  if (!description || !types) return;
  for (const { at, problem } of checkValue(description, types, value, "result"))
    world.violations.push({ rule: "stand-in", where, problem: `${at} ${problem}` });
}
