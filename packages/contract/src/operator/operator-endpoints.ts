import type { Endpoint } from "../endpoint/endpoint.ts";
import { getOperatorOverview, grantCredits, listOperatorEpisodes, listOperatorUsers } from "./operator.ts";
import { getIndexing, startIndexing } from "./operator-indexing.ts";
import {
  editAnime,
  editEpisode,
  labelEpisode,
  listOperatorAnime,
  mergeAnime,
  nameFolder,
  removeAnime,
  removeEpisode,
  retryEpisode,
} from "./operator-library.ts";
import { listMissingScenes, markMissingScene } from "./operator-missing.ts";
import { getSharedQueue, retryQueuedVideos, setQueuePaused } from "./operator-queue.ts";
import {
  applyCorrection,
  blockChat,
  listAuditRecords,
  listBlockedChats,
  listCorrections,
  settleCorrection,
  unblockChat,
} from "./operator-records.ts";
import { getDailyTotals } from "./operator-totals.ts";
import { removeSecondFactor, removeUser, setUserDisabled } from "./operator-users.ts";

/** The operations for administrators. */
export const operatorEndpoints = [
  getOperatorOverview,
  getDailyTotals,
  listOperatorEpisodes,
  editEpisode,
  labelEpisode,
  nameFolder,
  retryEpisode,
  removeEpisode,
  listOperatorAnime,
  editAnime,
  mergeAnime,
  removeAnime,
  getIndexing,
  startIndexing,
  getSharedQueue,
  setQueuePaused,
  retryQueuedVideos,
  listOperatorUsers,
  grantCredits,
  setUserDisabled,
  removeSecondFactor,
  removeUser,
  listCorrections,
  settleCorrection,
  applyCorrection,
  listMissingScenes,
  markMissingScene,
  listBlockedChats,
  blockChat,
  unblockChat,
  listAuditRecords,
] as const satisfies readonly Endpoint[];
