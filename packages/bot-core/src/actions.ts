import { readStack } from "@koma/process";
import type { AccountReplies } from "./accounts/account-replies.ts";
import type { AnimeReplies } from "./info/anime-replies.ts";
import type { Info } from "./info/info.ts";
import type { Lookup } from "./lookup/lookup.ts";
import type { ActionResult, Reply } from "./model/reply.ts";
import type { ActionRequest } from "./model/request.ts";
import { describeProblem, isProblem } from "./replies/problem-reply.ts";
import { readTarget } from "./replies/targets.ts";
import type { Album, Albums } from "./results/albums.ts";
import type { Corrections } from "./results/corrections.ts";
import type { ResultActions } from "./results/result-actions.ts";
import type { SettingsReplies } from "./settings/settings-replies.ts";
import type { Shared } from "./shared.ts";

/** Runs the actions of buttons and menus. */
export function createActions(
  { settings: chatSettings, translatorFor, tagOf, measure, now, log }: Shared,
  parts: {
    results: ResultActions;
    corrections: Corrections;
    lookup: Lookup;
    albums: Albums;
    info: Info;
    anime: AnimeReplies;
    accounts: AccountReplies;
    settings: SettingsReplies;
  },
) {
  const { results, corrections, lookup, albums, info, anime, accounts, settings } = parts;

  /** Every verb of a target. A target that ends with a tag is restricted to that person. */
  const verbs: {
    [verb: string]: (action: ActionRequest, values: readonly string[]) => Promise<ActionResult>;
  } = {
    p: (action, [id = "", page]) => results.showPage(action, id, Number(page)),
    m: (action, [id = ""]) => results.showMore(action, id),
    s: (action, [id = ""]) => results.showAlone(action, id),
    o: (action, [id = "", rank]) => results.showOccurrences(action, id, Number(rank)),
    h: (action, [id = ""]) => results.share(action, id),
    y: (action, [id = "", rank]) => results.confirm(action, id, Number(rank)),
    n: (action, [id = "", rank]) => results.reject(action, id, Number(rank)),
    k: (action, [id = "", index = ""]) => corrections.choose(action, id, index),
    a: (action, [id = "", index, tag]) => onlyFor(tag, action, () => chooseImage(action, id, Number(index))),
    l: (action, [id = "", tag]) =>
      onlyFor(tag, action, () => withAlbum(action, id, 0, (album) => asUpdate(lookup.list(action, album)))),
    t: (action, [id = "", index, tag]) => onlyFor(tag, action, () => retry(action, id, Number(index))),
    d: async (action, [tag]) =>
      action.chat.isManagedByRequester || action.chat.isModeratedByRequester
        ? { kind: "delete" }
        : await onlyFor(tag, action, async () => ({ kind: "delete" })),
    w: (action, [id = "", tag]) => onlyFor(tag, action, () => anime.choose(action, id)),
    r: (action, [period, tag]) => onlyFor(tag, action, () => asUpdate(info.rankings({ ...action, period }))),
    link: async (action) => ({
      kind: "private",
      reply: await accounts.startLink({ ...action, context: action.context ?? {} }),
    }),
    revoke: (action, [tag]) => onlyFor(tag, action, () => asUpdate(accounts.revoke(action))),
    forget: (action, [tag]) =>
      onlyFor(tag, action, () => asUpdate(accounts.forget({ ...action, isConfirmed: true }))),
    settings: (action, [tag]) => onlyFor(tag, action, () => asUpdate(settings.show(action))),
    set: (action, [scope, name, value, tag]) =>
      onlyFor(tag, action, () => settings.change(action, { scope, name, value })),
  };

  return {
    /** Never throws. */
    async runAction(request: ActionRequest): Promise<ActionResult> {
      const startedMs = performance.now();
      const result = await tryAction(request);
      measure({ name: "action", label: result.kind, seconds: (performance.now() - startedMs) / 1000 });
      return result;
    },
  };

  async function tryAction(request: ActionRequest): Promise<ActionResult> {
    const translator = await translatorFor(request);
    const target = readTarget(request.target);
    const verb = target && Object.hasOwn(verbs, target.verb) ? verbs[target.verb] : undefined;
    if (target === undefined || verb === undefined) return notify(translator.t("reply.gone"));
    try {
      return await verb(request, target.values);
    } catch (error) {
      log("error", readStack(error));
      const { person } = request;
      const { title = "" } = describeProblem(error, { translator, person, now: now() });
      return notify(title);
    }
  }

  async function onlyFor(
    tag: string | undefined,
    action: ActionRequest,
    work: () => Promise<ActionResult>,
  ): Promise<ActionResult> {
    if (tag === tagOf(action.person.id)) return await work();
    const { t: text } = await translatorFor(action);
    return notify(text("reply.onlyAsker"));
  }

  async function chooseImage(action: ActionRequest, id: string, index: number): Promise<ActionResult> {
    return await withAlbum(action, id, index, (album) =>
      asUpdate(lookup.choose({ ...action, isAlone: action.isPrivate }, album, index)),
    );
  }

  /**
   * The message that reports the problem is replaced by the result, or by the next problem. A problem is always
   * private; the result of a public request is public again.
   */
  async function retry(action: ActionRequest, id: string, index: number): Promise<ActionResult> {
    return await withAlbum(action, id, index, async (album) => {
      const isPublic = await isIntendedForAll(action, album);
      const isAlone = action.isPrivate === true && !isPublic;
      const reply = await lookup.choose({ ...action, isAlone }, album, index);
      const isMoved = isPublic && action.isPrivate === true && !reply.isPrivate;
      return { kind: isMoved ? "publish" : "update", reply };
    });
  }

  async function isIntendedForAll({ chat }: ActionRequest, { options }: Album): Promise<boolean> {
    if (chat.kind === "direct" || options.isPrivate === true) return false;
    return !(await chatSettings.audienceAt(chat)).isPrivate;
  }

  async function withAlbum(
    action: ActionRequest,
    id: string,
    index: number,
    work: (album: Album) => Promise<ActionResult>,
  ): Promise<ActionResult> {
    const album = await albums.find(id);
    if (album?.pictures[index] !== undefined) return await work(album);
    const { t } = await translatorFor(action);
    return notify(t("reply.gone"));
  }
}

/** Updates the message with the reply, unless it reports a problem, which is private. */
async function asUpdate(work: Promise<Reply>): Promise<ActionResult> {
  const reply = await work;
  return { kind: isProblem(reply) ? "private" : "update", reply };
}

function notify(text: string): ActionResult {
  return { kind: "notice", text, isAlert: true };
}
