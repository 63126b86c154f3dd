import type { Query } from "../connection/query.ts";
import { createId } from "../create-id.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import type { JsonObject } from "../json-value.ts";
import { listPage, type Page } from "../page.ts";
import type { SearchAging } from "./searches-aging.ts";

/** What an operator says about a missing scene. */
export type MissingSceneState = "open" | "wanted" | "dismissed";

/** Searches whose images resemble each other and are not in the library. */
export type MissingScene = {
  id: string;
  searches: number;
  state: MissingSceneState;
  /** The scene that another service found last. */
  upstream: JsonObject | undefined;
  firstAt: Date;
  lastAt: Date;
};

/** The descriptor of the image of the last search of a missing scene. */
export type MissingSceneDescriptor = { id: string; descriptor: Uint8Array; lastAt: Date };

/** A search of a missing scene. */
type MissingSearch = {
  descriptor: Uint8Array<ArrayBuffer>;
  upstream: JsonObject | undefined;
  at: Date;
};

/** The searches that found nothing, grouped by the likeness of their images. */
export type MissingSceneStore = ReturnType<typeof createMissingScenes>;

/** The maximum number of missing scenes; those without a recent search are deleted. */
export const missingSceneLimit = 10_000;

export function createMissingScenes(prisma: PrismaClient, query: Query) {
  return {
    /**
     * At most 1,000 descriptors of a model, those that were searched last first: since a time, and before another
     * scene of an earlier call.
     */
    async listDescriptors(options: {
      modelId: string;
      since: Date;
      before?: Pick<MissingSceneDescriptor, "id" | "lastAt"> | undefined;
    }): Promise<MissingSceneDescriptor[]> {
      const { modelId, since, before } = options;
      return await query<MissingSceneDescriptor>(
        `SELECT "id", "descriptor", "lastAt" FROM "MissingScene"
         WHERE "modelId" = $1 AND "lastAt" >= $2
           AND ($3::timestamptz IS NULL OR ("lastAt", "id") < ($3::timestamptz, $4::text))
         ORDER BY "lastAt" DESC, "id" DESC LIMIT 1000`,
        [modelId, since, before?.lastAt ?? null, before?.id ?? null],
      );
    },

    /** Adds a missing scene with its first search, and returns its id. */
    async add({ at, upstream, ...search }: MissingSearch & { modelId: string }): Promise<string> {
      const id = createId();
      await prisma.missingScene.create({
        data: { ...search, id, searches: 1, upstream: upstream ?? Prisma.DbNull, firstAt: at, lastAt: at },
        select: { id: true },
      });
      return id;
    },

    /** Counts a further search, whose descriptor replaces that of the last one; false when the scene is deleted. */
    async count(id: string, { at, upstream, descriptor }: MissingSearch): Promise<boolean> {
      const { count } = await prisma.missingScene.updateMany({
        where: { id },
        data: {
          searches: { increment: 1 },
          lastAt: at,
          descriptor,
          ...(upstream !== undefined && { upstream }),
        },
      });
      return count > 0;
    },

    /** A page of missing scenes in this state, those with most searches first; pages count from 1. */
    async list(
      options: Page & { state: MissingSceneState },
    ): Promise<{ total: number; items: MissingScene[] }> {
      const { total, rows } = await listPage(prisma.missingScene, options, { state: options.state }, (part) =>
        prisma.missingScene.findMany({
          ...part,
          omit: { descriptor: true, modelId: true },
          orderBy: [{ searches: "desc" }, { lastAt: "desc" }, { id: "asc" }],
        }),
      );
      const items = rows.map(({ upstream, ...row }) => ({
        ...row,
        state: toState(row.state),
        upstream: isObject(upstream) ? upstream : undefined,
      }));
      return { total, items };
    },

    /** Marks a missing scene; false when there is none. */
    async mark(id: string, state: MissingSceneState): Promise<boolean> {
      return (await prisma.missingScene.updateMany({ where: { id }, data: { state } })).count > 0;
    },

    /** Deletes the missing scenes without a search in the last `missingDays`, if they are known, and those beyond the limit. */
    async collectGarbage({ at, missingDays }: SearchAging): Promise<void> {
      if (missingDays === undefined) return;
      const before = new Date(at.getTime() - missingDays * dayMs);
      await prisma.missingScene.deleteMany({ where: { lastAt: { lte: before } } });
      await prisma.$executeRaw`
        DELETE FROM "MissingScene" WHERE "id" IN (
          SELECT "id" FROM "MissingScene" ORDER BY "lastAt" DESC, "id" DESC OFFSET ${missingSceneLimit})`;
    },
  };
}

const dayMs = 24 * 60 * 60 * 1000;

function toState(stored: string): MissingSceneState {
  return stored === "wanted" || stored === "dismissed" ? stored : "open";
}

function isObject(value: Prisma.JsonValue): value is Prisma.JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
