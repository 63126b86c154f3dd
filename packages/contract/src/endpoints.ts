import type { Endpoint } from "./endpoint.ts";
import { findAnime } from "./find-anime.ts";
import { getQuota } from "./get-quota.ts";
import { getHealth, getReadiness } from "./health.ts";
import { getClip, getStill } from "./previews.ts";
import { searchAnime } from "./search-anime.ts";

/** Every operation of the API. */
export const endpoints = [
  searchAnime,
  findAnime,
  getQuota,
  getStill,
  getClip,
  getHealth,
  getReadiness,
] as const satisfies readonly Endpoint[];
