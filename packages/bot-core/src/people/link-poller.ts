import { randomUUID } from "node:crypto";
import { ApiProblem } from "@koma/client";
import type { NewLink } from "@koma/contract";
import type { PendingLink } from "@koma/database/bots";
import { z } from "zod";
import type { Context } from "../context.ts";
import type { LinkSettled } from "../model/bot-core.ts";
import type { MessageReference, Person } from "../model/request.ts";
import { buildReply, line } from "../replies/build-reply.ts";

/** Follows links until somebody decided. */
export type LinkPoller = ReturnType<typeof createLinkPoller>;

const Content = z.object({
  deviceCode: z.string(),
  startedAt: z.coerce.date(),
  person: z.object({ id: z.string(), displayName: z.string(), locale: z.string().optional() }),
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
type Content = z.infer<typeof Content>;

export function createLinkPoller({
  platform,
  store,
  vault,
  identities,
  api,
  accounts,
  speak,
  ...context
}: Context) {
  const { now, notice } = context;
  const { pendingLinks } = store;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> = Promise.resolve();
  let isClosed = false;
  const placeOf = (id: string) => `PendingLink ${id}`;

  return {
    /** From now on asks for the key of this link, also after a restart. */
    async follow(person: Person, link: NewLink, told: MessageReference): Promise<void> {
      const id = randomUUID();
      const { id: personId, displayName, locale } = person;
      const content = {
        ...{ deviceCode: link.deviceCode, startedAt: now(), context: told },
        person: { id: personId, displayName, locale },
      };
      const { intervalSeconds } = link;
      await pendingLinks.put({
        ...{ id, intervalSeconds, ...identities.person(personId), ...vault.sealJson(placeOf(id), content) },
        nextPollAt: new Date(now().getTime() + intervalSeconds * 1000),
        expiresAt: new Date(link.expiresAt),
      });
      await schedule();
    },

    /** Takes up what an earlier run began. */
    start: (): Promise<void> => schedule(),

    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await polling;
    },
  };

  async function schedule(): Promise<void> {
    const next = await pendingLinks.findNextPoll(platform);
    if (next === undefined || isClosed) return;
    clearTimeout(timer);
    const waitMs = Math.min(Math.max(next.getTime() - now().getTime(), 100), 60_000);
    timer = setTimeout(() => {
      polling = poll().catch((error: unknown) => {
        notice(
          "warn",
          `Links could not be followed: ${error instanceof Error ? error.message : String(error)}`,
        );
        if (!isClosed) timer = setTimeout(() => void schedule().catch(() => undefined), 5000);
      });
    }, waitMs);
    timer.unref();
  }

  async function poll(): Promise<void> {
    for (const link of await pendingLinks.takeDue(platform, now())) await pollOne(link);
    await schedule();
  }

  async function pollOne(link: PendingLink): Promise<void> {
    const content = readContent(link);
    if (content === undefined) {
      await pendingLinks.remove(link.id);
      return;
    }
    const outcome = await claim(link, content);
    if (outcome === undefined || !(await pendingLinks.remove(link.id))) return;
    await tell(content, outcome);
  }

  /** What became of it; undefined: nothing yet. */
  async function claim(link: PendingLink, content: Content): Promise<LinkSettled["outcome"] | undefined> {
    const { deviceCode, person } = content;
    try {
      const answer = await api.measured("claimLink", () =>
        api.bot.claimLink({ deviceCode }, { deadlineMs: 8000 }),
      );
      if (!("key" in answer)) {
        if (answer.intervalSeconds !== link.intervalSeconds)
          await pendingLinks.setInterval(link.id, answer.intervalSeconds);
        return undefined;
      }
      await accounts.keep(person, { key: answer.key, title: answer.title }, now());
      return "linked";
    } catch (error) {
      const code = error instanceof ApiProblem ? error.code : undefined;
      if (code === "link_denied") return "denied";
      // The key is given once: where it was kept right before a crash, the code is of no more use.
      if (code === "link_expired") return (await wasLinked(content)) ? "linked" : "expired";
      if (code === undefined) notice("warn", "The API could not be asked about a link.");
      // Long after its end nobody waits for it any more, whether the API answers or not.
      return now().getTime() > link.expiresAt.getTime() + graceMs ? "expired" : undefined;
    }
  }

  async function wasLinked({ person, startedAt }: Content): Promise<boolean> {
    const own = await accounts.find(person);
    return own !== undefined && own.linkedAt >= startedAt;
  }

  async function tell({ person, context: told }: Content, outcome: LinkSettled["outcome"]): Promise<void> {
    const speaker = await speak({ person, isPrivate: true });
    const words = { linked: "done", denied: "denied", expired: "expired" } as const;
    const key = words[outcome];
    const reply = buildReply(speaker, person, {
      ...{ kind: "link", isPrivate: true, title: speaker.say(`link.${key}.title`) },
      lines: [line(speaker.say(`link.${key}.text`))],
    });
    try {
      await context.options.onLinkSettled?.({ outcome, person, context: told, reply });
    } catch (error) {
      notice(
        "warn",
        `Somebody could not be told of a link: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  function readContent(link: PendingLink): Content | undefined {
    try {
      return Content.parse(vault.openJson(placeOf(link.id), link));
    } catch {
      notice("warn", "A link that waits for its approval cannot be read.");
      return undefined;
    }
  }
}

const graceMs = 60_000;
