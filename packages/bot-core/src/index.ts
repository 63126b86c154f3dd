/** All that the bots have in common, and no platform in it. */

export { type BotConfig, readBotConfig } from "./bot-config.ts";
export { type HealthServer, startHealthServer } from "./health/health-server.ts";
export { createMeasures, type Measures } from "./health/measures.ts";
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
