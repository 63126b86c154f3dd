import type { SlashCommand } from "./command.ts";
import { choose, describe, slashCommand } from "./localize.ts";
import { readOptions } from "./read-options.ts";

/** The periods of the rankings, with the API's names. */
const periods = ["daily", "weekly", "monthly", "yearly", "all"] as const;

/** `/rankings`: the most searched anime. */
export const rankings: SlashCommand = {
  type: "slash",
  data: slashCommand("rankings").addStringOption((option) =>
    describe(option, "rankings.period").addChoices(
      periods.map((value) => choose(value, ({ t }) => t(`reply.rankings.period.${value}`))),
    ),
  ),
  isVisible: true,
  async execute({ data }, { core, requester: { person, chat } }) {
    const written = readOptions(data).text("period");
    return await core.rankings({ person, chat, period: periods.find((one) => one === written) });
  },
};
