import { sequentialize } from "@grammyjs/runner";
import type { Jobs, MessageReference, OpenRequest } from "@koma/bot-core";
import type { Update } from "grammy/types";
import { createAlbums } from "./albums.ts";
import { createHandlers } from "./handlers.ts";
import { isUnaddressedImage, nameMessage, nameRequest } from "./is-relevant.ts";
import { createMessages } from "./messages.ts";
import type { Attempt, HandlerParts } from "./parts.ts";
import { readText } from "./read-text.ts";
import { asMessage } from "./requester.ts";
import { UpdateContext } from "./update-context.ts";

/** Older requests are not served after a restart; their senders get a note. */
const ttlMs = 60 * 60_000;

/** An accepted update. */
export type AcceptedUpdate = {
  /** Resolves when the update is stored, so that Telegram can discard it. */
  noted: Promise<void>;
  done: Promise<void>;
};

/** Accepts updates: each is served once, those of one person in one chat in order. */
export function createUpdates(parts: HandlerParts & { jobs: Jobs }) {
  const { core, api, bot, jobs, onError } = parts;
  const albums = createAlbums();
  const messages = createMessages({ ...parts, albums });
  const handle = createHandlers({ ...parts, albums, messages }).middleware();
  const inOrder = sequentialize<Update>((update) => nameQueue(update, bot));

  return {
    take,

    /** Resumes unfinished requests of an earlier run or of another process; expired ones get a note. */
    async resume(open: readonly OpenRequest[]): Promise<void> {
      for (const { requestId, resume, startedAt } of open) {
        const update = readUpdate(resume);
        if (update === undefined) {
          await core.requests
            .handle({ requestId }, async () => undefined)
            .catch((error: unknown) => onError("resuming after a restart", error));
          continue;
        }
        if (update.message !== undefined) albums.add(update.message);
        const isExpired = Date.now() - startedAt.getTime() >= ttlMs;
        // The stored id is used: the id of an edit depends on what this process has answered.
        start("resumed update", (note) => serveOnce(update, { requestId, isExpired }, note));
      }
    },
  };

  /**
   * Accepts one update and returns at once. An update that contradicts the Bot API is logged and skipped: one
   * exception here would stop polling, and Telegram would deliver the same update again after a restart.
   */
  function take(update: Update): AcceptedUpdate {
    try {
      return accept(update);
    } catch (error) {
      onError(`unreadable update ${update?.update_id}`, error);
      return { noted: nothing, done: nothing };
    }
  }

  function accept(received: Update): AcceptedUpdate {
    const { channel_post: post, ...others } = received;
    const update: Update =
      post === undefined ? received : ({ ...others, message: asMessage(post) } as Update);
    assertReadable(update);
    const { inline_query: query, edited_message: edited } = update;
    // Telegram asks again for each letter, so inline queries are not stored.
    if (query !== undefined)
      return {
        noted: nothing,
        done: jobs.start("inline query", async () => void (await serve(update, unstored))),
      };
    const requestId = nameRequest(update, bot, core.hasLeakedKey) ?? (edited && messages.nameEdit(edited));
    if (requestId === undefined) return acceptImage(update);
    if (update.message !== undefined) albums.add(update.message);
    return start("update", (note) => serveOnce(update, { requestId }, note));
  }

  /**
   * Accepts an image that is not addressed to the bot where every image is searched. The settings are
   * read before the update is stored, so that the bot stores no other messages.
   */
  function acceptImage(update: Update): AcceptedUpdate {
    const { message } = update;
    if (message === undefined || !isUnaddressedImage(message, bot)) return { noted: nothing, done: nothing };
    // An edit can add a mention later, so the id differs from that of a request.
    const requestId = `a:${nameMessage(message)}`;
    return start("image in a group", async (note) => {
      if (await messages.isSearchedAutomatically(message)) await serveOnce(update, { requestId }, note);
    });
  }

  function start(name: string, work: (note: () => void) => Promise<void>): AcceptedUpdate {
    const { promise: noted, resolve: note } = Promise.withResolvers<void>();
    return { noted, done: jobs.start(name, () => work(note)).finally(note) };
  }

  /** The update joins its queue at once; it is served when it is stored and the earlier ones are done. */
  async function serveOnce(
    update: Update,
    { requestId, isExpired = false }: { requestId: string; isExpired?: boolean },
    note: () => void,
  ): Promise<void> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<Attempt | undefined>();
    const { promise: finished, resolve: finish } = Promise.withResolvers<MessageReference | undefined>();
    const handled = core.requests
      .handle({ requestId, resume: { update: JSON.stringify(update) } }, (attempt) => {
        note();
        begin({ ...attempt, isExpired });
        return finished;
      })
      .finally(() => begin(undefined));
    const served = inOrder(update, async () => {
      const attempt = await begun;
      if (attempt === undefined) return;
      const work = serve(update, attempt);
      finish(work);
      await work.catch(() => {});
    });
    await Promise.all([handled, served]);
  }

  async function serve(update: Update, attempt: Attempt): Promise<MessageReference | undefined> {
    // Only a message waits for its reply: a button can be used again, and a guest query accepts no late
    // answer.
    if (attempt.isExpired && update.message === undefined) return undefined;
    const ctx = new UpdateContext(update, { api, bot, attempt });
    await handle(ctx, async () => {});
    return ctx.sent;
  }
}

const unstored: Attempt = { isUncertain: false, isExpired: false, sending: async () => {} };
const nothing = Promise.resolve();
/** The command that searches an image. */
const searchCommand = "find";

/** Throws for an update without content or sender: the requested types have both. */
function assertReadable(update: Update): void {
  const { message, edited_message: edited, guest_message: guest } = update;
  const content = message ?? edited ?? guest ?? update.callback_query ?? update.inline_query;
  if (content?.from === undefined) throw new Error("The update has no sender.");
}

/**
 * The queue of one person in one chat, so that people do not wait for each other. Buttons and commands have
 * queues of their own: they take no longer for people whose images are being searched.
 */
function nameQueue(
  { message, edited_message: edited, callback_query: callbackQuery, guest_message: guest }: Update,
  bot: HandlerParts["bot"],
): string {
  const { chat, from } = message ??
    edited ??
    guest ?? { chat: callbackQuery?.message?.chat, from: callbackQuery?.from };
  const { command = searchCommand } = message === undefined ? {} : readText(message, bot);
  const kind = callbackQuery !== undefined ? "button" : command === searchCommand ? "image" : "command";
  return `${kind}:${chat?.id ?? ""}:${(callbackQuery?.from ?? from)?.id ?? ""}`;
}

function readUpdate({ update }: MessageReference): Update | undefined {
  return typeof update === "string" ? (JSON.parse(update) as Update) : undefined;
}
