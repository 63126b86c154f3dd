import type { JsonObject } from "../json-value.ts";
import type { PersonId } from "./bot-accounts.ts";
import type { PrismaClient } from "./generated/client.ts";

/** The settings of chat users and chats. */
export type BotSettingsStore = ReturnType<typeof createBotSettings>;

/** A server or group, identified by a keyed HMAC of its id. */
export type ChatId = { platform: string; placeKey: string };

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
  };
}
