import type { Acknowledgement } from "../types.ts";
import type { FakeState, StoredInteraction } from "./fake-state.ts";

/** The fields of a new interaction besides the defaults. */
export type NewInteraction = Pick<StoredInteraction, "type" | "userId" | "channelId" | "owners"> &
  Partial<StoredInteraction>;

/** Interactions and their time limits: 3 s to acknowledge, 15 minutes to write. */
export function createInteractions(state: FakeState) {
  const timers = new Set<NodeJS.Timeout>();

  const after = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
      state.announce();
    }, ms);
    timers.add(timer);
  };

  return {
    create(fields: NewInteraction): StoredInteraction {
      const id = state.createId();
      const interaction: StoredInteraction = {
        id,
        token: Buffer.from(`interaction:${id}:${Math.random()}`).toString("base64url"),
        commandName: undefined,
        commandType: undefined,
        targetId: undefined,
        sourceId: undefined,
        causeId: undefined,
        createdAt: Date.now(),
        acknowledgement: undefined,
        acknowledgedAt: undefined,
        isFailed: false,
        isExpired: false,
        originalId: undefined,
        hasUpdated: false,
        followUpIds: [],
        modal: undefined,
        choices: undefined,
        isForcedPrivate: false,
        ...fields,
      };
      state.interactions.set(id, interaction);
      after(state.settings.acknowledgeWithinMs, () => {
        if (interaction.acknowledgement === undefined) interaction.isFailed = true;
      });
      after(state.settings.tokenTtlMs, () => {
        interaction.isExpired = true;
      });
      return interaction;
    },

    acknowledge(interaction: StoredInteraction, how: Acknowledgement) {
      interaction.acknowledgement = how;
      interaction.acknowledgedAt = Date.now();
      state.announce();
    },

    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** See `createInteractions`. */
export type Interactions = ReturnType<typeof createInteractions>;
