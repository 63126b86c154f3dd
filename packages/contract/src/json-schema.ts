import { z } from "zod";
import { Anime, Episode } from "./anime.ts";
import { ApiKey, ApiKeyList, LeakedKeyReceipt, NewApiKey } from "./api-keys.ts";
import { Checkout, ProductList, WebhookReceipt } from "./checkout.ts";
import { Credits } from "./credits.ts";
import { AnimeList } from "./find-anime.ts";
import { Health, Readiness } from "./health.ts";
import { LibraryAnime, LibraryAnimeList, LibraryEpisode, LibraryEpisodeList } from "./library.ts";
import { LibraryEventReceipt } from "./library-events.ts";
import { LinkedKey, LinkRequest, NewLink, PendingLink } from "./links.ts";
import { Match, Region } from "./match.ts";
import {
  CreditGrant,
  OperatorEpisode,
  OperatorEpisodeList,
  OperatorOverview,
  OperatorUser,
  OperatorUserList,
} from "./operator.ts";
import {
  Indexing,
  OperatorAnime,
  OperatorAnimeList,
  QueuedVideos,
  RemovedCount,
} from "./operator-library.ts";
import { SharedQueue, SharedQueueState, SharedQueueVideo, SharedQueueWorker } from "./operator-queue.ts";
import {
  AuditRecord,
  AuditRecordList,
  BlockedChat,
  BlockedChatList,
  Correction,
  CorrectionList,
} from "./operator-records.ts";
import { DailyTotals } from "./operator-totals.ts";
import { Problem } from "./problem.ts";
import { Quota } from "./quota.ts";
import { RankingEntry, Rankings, SceneRankingEntry, SceneRankings } from "./rankings.ts";
import { RecentSearch, RecentSearchList } from "./recent-searches.ts";
import { SearchResult } from "./search-anime.ts";
import { Confirmation, StoredSearch } from "./searches.ts";
import { Site } from "./site.ts";
import { ServiceStatus } from "./status.ts";
import { Surroundings } from "./surroundings.ts";
import { UserSearch, UserSearchList, UserUsage } from "./user-searches.ts";

const components = {
  Anime,
  AnimeList,
  ApiKey,
  ApiKeyList,
  AuditRecord,
  AuditRecordList,
  BlockedChat,
  BlockedChatList,
  Checkout,
  Confirmation,
  Correction,
  CorrectionList,
  CreditGrant,
  Credits,
  DailyTotals,
  Surroundings,
  Episode,
  Health,
  Indexing,
  LeakedKeyReceipt,
  LibraryAnime,
  LibraryAnimeList,
  LibraryEpisode,
  LibraryEpisodeList,
  LibraryEventReceipt,
  LinkedKey,
  LinkRequest,
  Match,
  NewApiKey,
  NewLink,
  OperatorAnime,
  OperatorAnimeList,
  OperatorEpisode,
  OperatorEpisodeList,
  OperatorOverview,
  OperatorUser,
  OperatorUserList,
  PendingLink,
  Problem,
  ProductList,
  QueuedVideos,
  Quota,
  RankingEntry,
  Rankings,
  Readiness,
  RecentSearch,
  RecentSearchList,
  Region,
  RemovedCount,
  SceneRankingEntry,
  SceneRankings,
  SearchResult,
  SharedQueue,
  SharedQueueState,
  SharedQueueVideo,
  SharedQueueWorker,
  ServiceStatus,
  Site,
  StoredSearch,
  UserSearch,
  UserSearchList,
  UserUsage,
  WebhookReceipt,
};
const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });

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
