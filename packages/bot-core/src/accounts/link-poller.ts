import { randomUUID } from "node:crypto";
import { ApiProblem } from "@koma/client";
import type { NewLink } from "@koma/contract";
import type { PendingLink } from "@koma/database/bots";
import type { MessageReference, Person } from "../model/request.ts";
import { withReason } from "../process/with-reason.ts";
import type { Shared } from "../shared.ts";
import { LinkContent } from "./link-content.ts";
import { describeOutcome, type LinkOutcome } from "./link-outcome.ts";
import { isRefusal } from "./refused-key.ts";

/** Polls links until they are approved, denied or expired. */
export type LinkPoller = ReturnType<typeof createLinkPoller>;

/** The code and the address that a person needs to approve a link. */
type Code = Pick<NewLink, "userCode" | "verificationUrl" | "expiresAt">;

export function createLinkPoller(shared: Shared) {
  const { platform, vault, identities, api, accounts, translatorFor, onLinkSettled, now, log } = shared;
  const { pendingLinks } = shared.store;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> = Promise.resolve();
  let isClosed = false;
  const associatedDataOf = (id: string) => `PendingLink ${id}`;

  return {
    /** Polls the API for the key of this link, also after a restart. */
    async follow(person: Person, link: NewLink, messageContext: MessageReference): Promise<void> {
      const id = randomUUID();
      const { id: personId, displayName, locale } = person;
      const content = {
        deviceCode: link.deviceCode,
        userCode: link.userCode,
        verificationUrl: link.verificationUrl,
        startedAt: now(),
        context: messageContext,
        person: { id: personId, displayName, locale },
      };
      const { intervalSeconds } = link;
      await pendingLinks.put({
        id,
        intervalSeconds,
        ...identities.person(personId),
        ...vault.sealJson(associatedDataOf(id), content),
        nextPollAt: new Date(now().getTime() + intervalSeconds * 1000),
        expiresAt: new Date(link.expiresAt),
      });
      await schedule();
    },

    /** The person's code if it remains valid for a while. Its outcome is reported to the latest message. */
    async findOpen(person: Person, messageContext: MessageReference): Promise<Code | undefined> {
      for (const link of await pendingLinks.list(identities.person(person.id))) {
        const content = readContent(link);
        const { userCode, verificationUrl, isCalledOff } = content ?? {};
        const leftMs = link.expiresAt.getTime() - now().getTime();
        if (content === undefined || isCalledOff || leftMs < minRemainingMs) continue;
        if (userCode === undefined || verificationUrl === undefined) continue;
        await reseal(link, { ...content, context: messageContext });
        return { userCode, verificationUrl, expiresAt: link.expiresAt.toISOString() };
      }
      return undefined;
    },

    /**
     * Cancels the person's pending links. The API has no way to deny them, so a key that arrives is revoked.
     */
    async cancel(person: Person): Promise<void> {
      for (const link of await pendingLinks.list(identities.person(person.id))) {
        const content = readContent(link);
        if (content === undefined) await pendingLinks.remove(link.id);
        else await reseal(link, { ...content, isCalledOff: true });
      }
    },

    /** Resumes the links of an earlier run. */
    start: (): Promise<void> => schedule(),

    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await polling;
    },
  };

  async function schedule(): Promise<void> {
    const next = await pendingLinks.findNextPoll(platform);
    if (isClosed) return;
    clearTimeout(timer);
    // Without links it looks again, because another process can end before its links are decided.
    const nextMs = next === undefined ? longestWaitMs : next.getTime() - now().getTime();
    const waitMs = Math.min(Math.max(nextMs, 100), longestWaitMs);
    timer = setTimeout(() => {
      polling = poll().catch((error: unknown) => {
        log("warn", withReason("Links could not be polled", error));
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
    // The outcome of a cancelled link is not reported.
    if (content.isCalledOff && (outcome === "expired" || outcome === "denied")) return;
    await notify(content, outcome);
  }

  /** The outcome of the link; undefined while it is pending. */
  async function claim(link: PendingLink, content: LinkContent): Promise<LinkOutcome | undefined> {
    const { deviceCode, person } = content;
    try {
      const response = await api.measured("claimLink", () =>
        api.bot.claimLink({ deviceCode }, { deadlineMs: 8000 }),
      );
      if (!("key" in response)) {
        if (response.intervalSeconds !== link.intervalSeconds)
          await pendingLinks.setInterval(link.id, response.intervalSeconds);
        return undefined;
      }
      return await take(link, person, response);
    } catch (error) {
      const code = error instanceof ApiProblem ? error.code : undefined;
      if (code === "link_denied") return "denied";
      // The API returns the key once. If it was stored right before a crash, the code is already used.
      if (code === "link_expired") return (await wasLinked(content)) ? "linked" : "expired";
      if (code === undefined) log("warn", "The API could not be polled for a link.");
      // Long after its expiry a link is dropped, whether or not the API responds.
      return now().getTime() > link.expiresAt.getTime() + gracePeriodMs ? "expired" : undefined;
    }
  }

  /** Stores a key, unless the person cancelled the link. */
  async function take(
    link: PendingLink,
    person: Person,
    { key, title }: { key: string; title: string },
  ): Promise<LinkOutcome> {
    if (!(await isCalledOff(link)) && (await accounts.find(person)) === undefined) {
      await accounts.save(person, { key, title }, now());
      if (!(await isCalledOff(link))) return "linked";
      // The person cancelled the link in the meantime.
      const own = await accounts.find(person);
      if (own?.key === key) await accounts.drop(person, own);
    }
    try {
      await api.measured("deleteCurrentApiKey", () => api.withKey(key).deleteCurrentApiKey());
    } catch (error) {
      if (isRefusal(error)) return "ended";
      log("warn", "The key of a cancelled link could not be revoked at the API.");
      return "keyRemains";
    }
    return "ended";
  }

  async function isCalledOff({ id }: PendingLink): Promise<boolean> {
    const link = await pendingLinks.find(id);
    return link === undefined || readContent(link)?.isCalledOff === true;
  }

  async function reseal({ id }: PendingLink, content: LinkContent): Promise<void> {
    await pendingLinks.reseal(id, vault.sealJson(associatedDataOf(id), content));
  }

  async function wasLinked({ person, startedAt }: LinkContent): Promise<boolean> {
    const own = await accounts.find(person);
    return own !== undefined && own.linkedAt >= startedAt;
  }

  async function notify(
    { person, context: messageContext }: LinkContent,
    outcome: LinkOutcome,
  ): Promise<void> {
    const translator = await translatorFor({ person, isPrivate: true });
    const settled = describeOutcome(outcome, translator, person);
    try {
      await onLinkSettled?.({ ...settled, person, context: messageContext });
    } catch (error) {
      log("warn", withReason("The outcome of a link could not be reported", error));
    }
  }

  function readContent(link: PendingLink): LinkContent | undefined {
    try {
      return LinkContent.parse(vault.openJson(associatedDataOf(link.id), link));
    } catch {
      log("warn", "A pending link cannot be decrypted.");
      return undefined;
    }
  }
}

const longestWaitMs = 60_000;
const gracePeriodMs = 60_000;
/** A code that expires sooner is not shown again. */
const minRemainingMs = 120_000;
