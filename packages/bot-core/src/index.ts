/** The common part of the bots, independent of the platform. */

export type { Log } from "@koma/process/log";
export { type BotConfig, readBotConfig } from "./bot-config.ts";
export { createMeasures } from "./health/measures.ts";
export { readBounded } from "./image/read-bounded.ts";
export type {
  BotCoreOptions,
  LeakOutcome,
  LinkSettled,
  Measure,
  OpenRequest,
} from "./model/bot-core.ts";
export type {
  ActionResult,
  Button,
  ButtonAction,
  Line,
  LineStyle,
  MatchCard,
  Menu,
  MenuOption,
  Preview,
  PreviewFile,
  Reply,
  ReplyKind,
  Span,
} from "./model/reply.ts";
export {
  type ActionRequest,
  type Chat,
  type Image,
  ImageTooLargeError,
  type LookupOptions,
  type LookupRequest,
  type MessageReference,
  type Person,
  type Platform,
  type PreviewChoice,
  type Subject,
} from "./model/request.ts";
export { type BotCore, openBotCore } from "./open-bot-core.ts";
export { createJobs, type Jobs } from "./process/jobs.ts";
export {
  type BotParts,
  BotRefusedError,
  type ConnectedBot,
  explainBotError,
  type PlatformHooks,
  runBotProcess,
} from "./process/run-bot.ts";
export { linkButton } from "./replies/build-reply.ts";
export { expiredReply, failureReply, plainReply } from "./replies/plain-reply.ts";
export { withoutPrivacy } from "./replies/problem-reply.ts";
export { isPublicAddress } from "./replies/public-address.ts";
export { showTyping } from "./replies/show-typing.ts";
export { mayTakeLong, needsManager, readCorrectionTarget } from "./replies/targets.ts";
export { withoutNulls } from "./without-nulls.ts";
