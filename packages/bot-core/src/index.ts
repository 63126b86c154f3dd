/** All that the bots have in common, and no platform in it. */

export { type BotConfig, readBotConfig } from "./bot-config.ts";
export { startHealthServer } from "./health/health-server.ts";
export { createMeasures } from "./health/measures.ts";
export type {
  BotCore,
  BotCoreOptions,
  LinkSettled,
  Measure,
  OpenRequest,
} from "./model/bot-core.ts";
export type {
  Button,
  ButtonAction,
  Line,
  LineStyle,
  MatchCard,
  Menu,
  MenuOption,
  PressAnswer,
  Preview,
  PreviewFile,
  Reply,
  ReplyKind,
  Span,
} from "./model/reply.ts";
export {
  type LookupOptions,
  type LookupRequest,
  type MessageReference,
  type Person,
  type Picture,
  PictureTooLargeError,
  type Place,
  type Platform,
  type PressRequest,
  type PreviewChoice,
  type Subject,
} from "./model/request.ts";
export { openBotCore } from "./open-bot-core.ts";
export { readBounded } from "./picture/read-bounded.ts";
export { createJobs, type Jobs } from "./process/jobs.ts";
export type { Log } from "./process/log.ts";
export {
  type BotParts,
  BotRefusedError,
  type ConnectedBot,
  endProcessAfter,
  type PlatformHooks,
  runBotProcess,
} from "./process/run-bot.ts";
export { plainReply } from "./replies/plain-reply.ts";
export { sayOpenly } from "./replies/problem-reply.ts";
export { needsManager } from "./replies/targets.ts";
