import type { BotCore, Person } from "@koma/bot-core";
import type { DiscordApi } from "../discord/discord-api.ts";
import type { Surroundings } from "../discord/gateway.ts";
import type { Download } from "../images/download.ts";
import type { PendingMessage, Sender } from "../responses/send-reply.ts";
import type { Sent } from "../responses/write-reply.ts";
import type { createAudiences } from "./audiences.ts";
import type { Requester } from "./requester.ts";
import type { Resume } from "./resume.ts";

/** The dependencies of the interaction handlers. */
export type InteractionParts = {
  core: BotCore;
  api: DiscordApi;
  sender: Sender;
  download: Download;
  audiences: ReturnType<typeof createAudiences>;
  onError: (what: string, error: unknown) => void;
  /** Called with every person who used the bot. */
  onSeen: (person: Person) => void;
};

/** Serves one interaction: acknowledges it, does the work, replies once. */
export type InteractionRun = {
  requester: Requester;
  around: Surroundings;
  /** Set when an earlier process acknowledged the interaction and stopped before its reply. */
  resumed: Resume | undefined;
  /**
   * Acknowledges the interaction and runs the work in parallel, unless another run has replied.
   * `isResumable`: the request is resumed after a restart.
   */
  once(
    options: { isPrivate: boolean; isResumable: boolean; acknowledge: () => Promise<unknown> },
    work: (stage: PendingMessage, sending: () => Promise<void>) => Promise<Sent>,
  ): Promise<void>;
};
