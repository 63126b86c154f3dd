import { z } from "zod";
import { Anime, Episode } from "../anime/anime.ts";
import { AnimeList } from "../anime/find-anime.ts";
import { ApiKey, ApiKeyList, LeakedKeyReceipt, NewApiKey } from "../api-keys/api-keys.ts";
import { Checkout, ProductList, WebhookReceipt } from "../credits/checkout.ts";
import { Credits } from "../credits/credits.ts";
import { LinkedKey, LinkRequest, NewLink, PendingLink } from "../device-links/device-links.ts";
import { Problem } from "../endpoint/problem.ts";
import { LibraryAnime, LibraryAnimeList, LibraryEpisode, LibraryEpisodeList } from "../library/library.ts";
import { LibraryEventReceipt } from "../library/library-webhooks.ts";
import {
  CreditGrant,
  EpisodeLabel,
  OperatorEpisode,
  OperatorEpisodeList,
  OperatorOverview,
  OperatorUser,
  OperatorUserList,
} from "../operator/operator.ts";
import { Indexing, QueuedVideos } from "../operator/operator-indexing.ts";
import { NamedCount, OperatorAnime, OperatorAnimeList, RemovedCount } from "../operator/operator-library.ts";
import { MissingScene, MissingSceneList, MissingSceneState } from "../operator/operator-missing.ts";
import {
  SharedQueue,
  SharedQueueState,
  SharedQueueVideo,
  SharedQueueWorker,
} from "../operator/operator-queue.ts";
import {
  AuditRecord,
  AuditRecordList,
  BlockedChat,
  BlockedChatList,
  Correction,
  CorrectionList,
} from "../operator/operator-records.ts";
import { DailyTotals } from "../operator/operator-totals.ts";
import { Quota } from "../quota/quota.ts";
import { RankingEntry, Rankings, SceneRankingEntry, SceneRankings } from "../rankings/rankings.ts";
import { Match, MatchSource, Region, SceneLabel } from "../searches/match.ts";
import { RecentSearch, RecentSearchList } from "../searches/recent-searches.ts";
import { SearchResult } from "../searches/search-anime.ts";
import { Confirmation, StoredSearch } from "../searches/searches.ts";
import { Surroundings } from "../searches/surroundings.ts";
import { AddedSearches, UserSearch, UserSearchList, UserUsage } from "../searches/user-searches.ts";
import { Health, Readiness } from "../service/health.ts";
import { Site } from "../service/site.ts";
import { ServiceStatus } from "../service/status.ts";

const components = {
  AddedSearches,
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
  EpisodeLabel,
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
  MatchSource,
  MissingScene,
  MissingSceneList,
  MissingSceneState,
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
  NamedCount,
  RemovedCount,
  SceneRankingEntry,
  SceneLabel,
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
