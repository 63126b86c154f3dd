import type { JsonObject } from "../json-value.ts";
import type { PersonId } from "./bot-accounts.ts";
import type { PrismaClient } from "./generated/client.ts";

/** A server or group, identified by a keyed HMAC of its id. */
export type ChatId = { platform: string; placeKey: string };

/** The settings of chat users and chats. */
export function createBotSettings(prisma: PrismaClient) {
  return {
    async findPerson({ platform, personKey }: PersonId): Promise<unknown> {
      const where = { platform_personKey: { platform, personKey } };
      return (await prisma.personSettings.findUnique({ where }))?.settings;
    },

    async putPerson({ platform, personKey }: PersonId, settings: JsonObject): Promise<void> {
      await prisma.$executeRaw`
        INSERT INTO "bots"."PersonSettings" ("platform", "personKey", "settings")
        VALUES (${platform}, ${personKey}, ${settings}::jsonb)
        ON CONFLICT ("platform", "personKey") DO UPDATE SET "settings" = excluded."settings"`;
    },

    async findChat({ platform, placeKey }: ChatId): Promise<unknown> {
      const where = { platform_placeKey: { platform, placeKey } };
      return (await prisma.placeSettings.findUnique({ where }))?.settings;
    },

    /** Changes some settings of a chat; concurrent changes of other settings are kept. */
    async changeChat({ platform, placeKey }: ChatId, changes: JsonObject): Promise<void> {
      await prisma.$executeRaw`
        INSERT INTO "bots"."PlaceSettings" ("platform", "placeKey", "settings")
        VALUES (${platform}, ${placeKey}, ${changes}::jsonb)
        ON CONFLICT ("platform", "placeKey") DO UPDATE SET "settings" = "PlaceSettings"."settings" || excluded."settings"`;
    },

    /**
     * Counts a search of a chat on this day; false if the chat has reached the limit. The chat has settings.
     * One statement, so that concurrent searches never exceed the limit.
     */
    async countSearch(
      { platform, placeKey }: ChatId,
      { day, limit }: { day: string; limit: number },
    ): Promise<boolean> {
      const changed = await prisma.$executeRaw`
        UPDATE "bots"."PlaceSettings" SET "settings" = "settings" || jsonb_build_object(
          'searchDay', ${day}::text,
          'searchCount', CASE WHEN "settings"->>'searchDay' = ${day}::text
            THEN ("settings"->>'searchCount')::int + 1 ELSE 1 END)
        WHERE "platform" = ${platform} AND "placeKey" = ${placeKey}
          AND ("settings"->>'searchDay' IS DISTINCT FROM ${day}::text
            OR ("settings"->>'searchCount')::int < ${limit}::int)`;
      return changed > 0;
    },

    /** Withdraws a counted search. */
    async withdrawSearch({ platform, placeKey }: ChatId, { day }: { day: string }): Promise<void> {
      await prisma.$executeRaw`
        UPDATE "bots"."PlaceSettings" SET "settings" = "settings" || jsonb_build_object(
          'searchCount', greatest(("settings"->>'searchCount')::int - 1, 0))
        WHERE "platform" = ${platform} AND "placeKey" = ${placeKey} AND "settings"->>'searchDay' = ${day}::text`;
    },
  };
}
