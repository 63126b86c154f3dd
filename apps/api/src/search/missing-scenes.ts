import type { Match, MissingScene } from "@koma/contract";
import { type Database, type JsonObject, missingSceneLimit } from "@koma/database";
import type { SearchOutcome } from "@koma/library";

/** A search whose image is not in the library. */
type MissingSearch = {
  descriptor: SearchOutcome["descriptor"];
  /** The best match of another service. */
  upstream: Match | undefined;
  at: Date;
};

export type MissingScenes = ReturnType<typeof createMissingScenes>;

/**
 * Groups the searches of images that are not in the library by the likeness of their descriptors. It writes one after the
 * other, after their responses.
 */
export function createMissingScenes(options: {
  missingScenes: Pick<Database["missingScenes"], "listDescriptors" | "add" | "count">;
  /** The days for which a missing scene is stored; 0: none is. */
  days: number;
  /** Receives the error of a search that could not be counted. */
  onLeftover: (error: unknown) => void;
}) {
  const { missingScenes, days, onLeftover } = options;
  const groups = createGroups(missingScenes);
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  return {
    /** Counts a search later. During a burst of such searches some are not counted. */
    add({ descriptor, upstream, at }: MissingSearch): void {
      if (days === 0 || descriptor === undefined || waiting >= waitingLimit) return;
      waiting += 1;
      const search = { at, upstream: upstream && toStoredUpstream(upstream) };
      last = last
        .then(() => groups.count(descriptor, search))
        .catch(onLeftover)
        .finally(() => {
          waiting -= 1;
        });
    },

    /** Resolves when the searches so far are counted. */
    settled: (): Promise<void> => last,
  };
}

/**
 * The calibration of the model gives a frame with this cosine to the image a probability of 0.96 to show the same scene,
 * and 0.8 at 0.82.
 */
const leastCosine = 0.9;

/** A write takes a few milliseconds, so that this many are behind the searches by less than a second. */
const waitingLimit = 100;

/** Times of instances differ, and a transaction ends after its time: changes of the last minute are read again. */
const overlapMs = 60_000;

type Group = { vector: Int8Array; length: number };

/** The missing scenes in memory, at most 3 MB, with the changes of other instances. */
function createGroups({
  listDescriptors,
  add,
  count,
}: Pick<Database["missingScenes"], "listDescriptors" | "add" | "count">) {
  let modelOfGroups: string | undefined;
  const groups = new Map<string, Group>();
  let newestMs = 0;

  return {
    /** Counts a search for the scene whose descriptor is most similar, or for a new one. */
    async count(
      { modelId, vector }: NonNullable<SearchOutcome["descriptor"]>,
      search: { upstream: JsonObject | undefined; at: Date },
    ): Promise<void> {
      const length = lengthOf(vector);
      if (length === 0) return;
      await refresh(modelId);
      const stored = { ...search, descriptor: new Uint8Array(vector) };
      for (let id = findSimilar(vector, length); id !== undefined; id = findSimilar(vector, length)) {
        if (await count(id, stored)) {
          replace(id, vector);
          return;
        }
        // Its last search is too old by now.
        groups.delete(id);
      }
      replace(await add({ ...stored, modelId }), vector);
    },
  };

  /** Reads the scenes that are new or were counted since the last call. */
  async function refresh(modelId: string): Promise<void> {
    if (modelId !== modelOfGroups) {
      groups.clear();
      newestMs = 0;
    }
    const since = new Date(Math.max(0, newestMs - overlapMs));
    let before: Awaited<ReturnType<typeof listDescriptors>>[number] | undefined;
    const changed: { id: string; vector: Int8Array }[] = [];
    do {
      const rows = await listDescriptors({ modelId, since, before });
      newestMs = Math.max(newestMs, rows[0]?.lastAt.getTime() ?? 0);
      changed.push(...rows.map(({ id, descriptor }) => ({ id, vector: new Int8Array(descriptor) })));
      before = rows.at(-1);
    } while (before !== undefined && changed.length < missingSceneLimit);
    for (const { id, vector } of changed.reverse()) replace(id, vector);
    modelOfGroups = modelId;
  }

  /** Sets the descriptor of a scene, which becomes the newest one. */
  function replace(id: string, vector: Int8Array): void {
    groups.delete(id);
    groups.set(id, { vector, length: lengthOf(vector) });
    const [oldest] = groups.keys();
    if (groups.size > missingSceneLimit && oldest !== undefined) groups.delete(oldest);
  }

  /** About 2 ms for all scenes. */
  function findSimilar(vector: Int8Array, length: number): string | undefined {
    let best: string | undefined;
    let bestCosine = leastCosine;
    for (const [id, group] of groups) {
      const cosine = dot(vector, group.vector) / (length * group.length);
      if (cosine < bestCosine) continue;
      best = id;
      bestCosine = cosine;
    }
    return best;
  }
}

function dot(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

function lengthOf(vector: Int8Array): number {
  return Math.sqrt(dot(vector, vector));
}

function toStoredUpstream({ anime, episode, source }: Match): JsonObject | undefined {
  if (source === null) return undefined;
  const { title, anilistId } = anime;
  return { title, anilistId, episode, source } satisfies NonNullable<MissingScene["upstream"]>;
}
