import { z } from "zod";
import * as schemas from "../schemas.ts";

/** The schemas with a name in the document, in its order. */
const components = [
  "AddedSearches",
  "Anime",
  "AnimeList",
  "ApiKey",
  "ApiKeyList",
  "AuditRecord",
  "AuditRecordList",
  "BlockedChat",
  "BlockedChatList",
  "Checkout",
  "Confirmation",
  "Correction",
  "CorrectionList",
  "CreditGrant",
  "Credits",
  "DailyTotals",
  "Surroundings",
  "Episode",
  "EpisodeLabel",
  "Health",
  "Indexing",
  "LeakedKeyReceipt",
  "LibraryAnime",
  "LibraryAnimeList",
  "LibraryEpisode",
  "LibraryEpisodeList",
  "LibraryEventReceipt",
  "LinkedKey",
  "LinkRequest",
  "Match",
  "MatchSource",
  "MissingScene",
  "MissingSceneList",
  "MissingSceneState",
  "NewApiKey",
  "NewLink",
  "OperatorAnime",
  "OperatorAnimeList",
  "OperatorEpisode",
  "OperatorEpisodeList",
  "OperatorOverview",
  "OperatorUser",
  "OperatorUserList",
  "PendingLink",
  "Problem",
  "ProductList",
  "QueuedVideos",
  "Quota",
  "RankingEntry",
  "Rankings",
  "Readiness",
  "RecentSearch",
  "RecentSearchList",
  "Region",
  "NamedCount",
  "RemovedCount",
  "SceneRankingEntry",
  "SceneLabel",
  "SceneRankings",
  "SearchResult",
  "SharedQueue",
  "SharedQueueState",
  "SharedQueueVideo",
  "SharedQueueWorker",
  "ServiceStatus",
  "Site",
  "StoredSearch",
  "UserSearch",
  "UserSearchList",
  "UserUsage",
  "WebhookReceipt",
] as const satisfies (keyof typeof schemas)[];
const registry = z.registry<{ id: string }>();
const exported = { ...schemas };
for (const id of components) registry.add(exported[id], { id });

/** A JSON object of an OpenAPI document. */
export type OpenApiObject = { [key: string]: unknown };

/** The JSON schemas of all named schemas. */
export function describeComponents(): OpenApiObject {
  const { schemas } = z.toJSONSchema(registry, { io: "output", uri: toReference, override: allowMoreFields });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutAddress(schema)]));
}

/** A JSON schema reference to a named schema. Throws if the schema is not named. */
export function refer(schema: z.ZodType): OpenApiObject {
  const id = registry.get(schema)?.id;
  if (id === undefined) throw new Error(`The schema has no name: ${schema.description}`);
  return { $ref: toReference(id) };
}

/** The JSON schema of a parameter or form field: of its parsed value, not of its text. */
export function describeField(field: z.core.$ZodType): OpenApiObject {
  return withoutAddress(z.toJSONSchema(field, { io: "output" }));
}

/** The JSON schema of a JSON body. */
export function describeBody(body: z.ZodType): OpenApiObject {
  return withoutAddress(z.toJSONSchema(body, { io: "input", override: allowMoreFields }));
}

function withoutAddress(schema: z.core.JSONSchema.BaseSchema): OpenApiObject {
  const { $schema: _schema, $id: _id, "~standard": _standard, ...rest } = schema;
  return rest;
}

/** Bodies may gain fields, so no schema rejects unknown ones. */
function allowMoreFields(context: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete context.jsonSchema.additionalProperties;
}

function toReference(id: string): string {
  return `#/components/schemas/${id}`;
}
