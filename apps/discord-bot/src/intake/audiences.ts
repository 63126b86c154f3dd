import type { BotCore } from "@koma/bot-core";
import type { Asker } from "./asker.ts";
import { within } from "./within.ts";

type Audience = "public" | "private";
type Known = { audience: Promise<Audience>; last: Audience | undefined; askedAtMs: number };

/** Longer than this nobody is kept from the acknowledgement, for which Discord gives three seconds. */
const patienceMs = 500;
/** Where a place's settings are changed, the answer here is forgotten at once; other processes may change them too. */
const freshMs = 30_000;
const placeLimit = 10_000;

/**
 * Who sees the answers at a place, at hand for the acknowledgement: what was known is used while it is asked anew. Where
 * nothing is known in time, the asker alone.
 */
export function createAudiences(core: Pick<BotCore, "findAudience">, now: () => number = Date.now) {
  const places = new Map<string, Known>();

  return {
    async of({ person, place }: Asker): Promise<Audience> {
      const known = places.get(place.id);
      const isFresh = known !== undefined && now() - known.askedAtMs < freshMs;
      const current = isFresh ? known : ask({ person, place }, known?.last);
      return current.last ?? (await within(patienceMs, current.audience, "private"));
    },
    /** The settings of that place may have changed. */
    forget(placeId: string): void {
      places.delete(placeId);
    },
  };

  function ask(asked: Pick<Asker, "person" | "place">, last: Audience | undefined): Known {
    const audience = core.findAudience(asked);
    const known: Known = { audience, last, askedAtMs: now() };
    audience.then(
      (found) => {
        known.last = found;
      },
      // Asked again the next time.
      () => places.delete(asked.place.id),
    );
    places.delete(asked.place.id);
    places.set(asked.place.id, known);
    const oldest = places.keys().next();
    if (places.size > placeLimit && oldest.done !== true) places.delete(oldest.value);
    return known;
  }
}
