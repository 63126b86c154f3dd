import type { Context } from "./context.ts";
import type { Lists } from "./lists/lists.ts";
import type { Lookup } from "./lookup/lookup.ts";
import type { PressAnswer, Reply } from "./model/reply.ts";
import type { PressRequest } from "./model/request.ts";
import type { AccountReplies } from "./people/account-replies.ts";
import type { SettingsReplies } from "./people/settings-replies.ts";
import { describeProblem, isProblem } from "./replies/problem-reply.ts";
import { readTarget } from "./replies/targets.ts";
import type { Albums } from "./results/albums.ts";
import type { ResultPresses } from "./results/press-result.ts";

/** Does what buttons and menus are for. */
export function createPresses(
  context: Context,
  parts: {
    results: ResultPresses;
    lookup: Lookup;
    albums: Albums;
    lists: Lists;
    accounts: AccountReplies;
    settings: SettingsReplies;
  },
) {
  const { speak, tagOf, measure, notice, now } = context;
  const { results, lookup, albums, lists, accounts, settings } = parts;

  /** Every verb that a target can have. Those that end with a tag are for the tag's person only. */
  const verbs: { [verb: string]: (press: PressRequest, values: readonly string[]) => Promise<PressAnswer> } =
    {
      p: (press, [id = "", page]) => results.turn(press, id, Number(page)),
      m: (press, [id = ""]) => results.showMore(press, id),
      s: (press, [id = ""]) => results.showAlone(press, id),
      y: (press, [id = "", rank]) => results.judge(press, id, Number(rank)),
      a: (press, [id = "", index, tag]) => onlyFor(tag, press, () => choosePicture(press, id, Number(index))),
      d: async (press, [tag]) =>
        press.place.isManagedByAsker || press.place.isModeratedByAsker
          ? { kind: "delete" }
          : await onlyFor(tag, press, async () => ({ kind: "delete" })),
      r: (press, [period, tag]) => onlyFor(tag, press, () => asUpdate(lists.rankings({ ...press, period }))),
      link: async (press) => ({
        kind: "private",
        reply: await accounts.startLink({ ...press, context: press.context ?? {} }),
      }),
      forget: (press, [tag]) =>
        onlyFor(tag, press, () => asUpdate(accounts.forget({ ...press, isConfirmed: true }))),
      set: (press, [scope, name, value, tag]) =>
        onlyFor(tag, press, () => settings.change(press, { scope, name, value })),
    };

  return {
    /** Never throws. */
    async press(request: PressRequest): Promise<PressAnswer> {
      const startedMs = performance.now();
      const answer = await tryPress(request);
      measure({ name: "press", label: answer.kind, seconds: (performance.now() - startedMs) / 1000 });
      return answer;
    },
  };

  async function tryPress(request: PressRequest): Promise<PressAnswer> {
    const speaker = await speak(request);
    const target = readTarget(request.target);
    const verb = target && Object.hasOwn(verbs, target.verb) ? verbs[target.verb] : undefined;
    if (target === undefined || verb === undefined) return say(speaker.say("reply.gone"));
    try {
      return await verb(request, target.values);
    } catch (error) {
      notice("error", error instanceof Error ? (error.stack ?? error.message) : String(error));
      const { person } = request;
      const { title = "" } = describeProblem(error, { speaker, person, now: now() });
      return say(title);
    }
  }

  async function onlyFor(
    tag: string | undefined,
    press: PressRequest,
    work: () => Promise<PressAnswer>,
  ): Promise<PressAnswer> {
    if (tag === tagOf(press.person.id)) return await work();
    const { say: text } = await speak(press);
    return say(text("reply.onlyAsker"));
  }

  async function choosePicture(press: PressRequest, id: string, index: number): Promise<PressAnswer> {
    const album = await albums.find(id);
    if (album === undefined || album.pictures[index] === undefined) {
      const { say: text } = await speak(press);
      return say(text("reply.gone"));
    }
    return await asUpdate(lookup.choose({ ...press, isAlone: press.isPrivate }, album, index));
  }
}

/** The message becomes this, unless it is a problem: that is for whoever pressed, alone. */
async function asUpdate(asked: Promise<Reply>): Promise<PressAnswer> {
  const reply = await asked;
  return { kind: isProblem(reply) ? "private" : "update", reply };
}

function say(text: string): PressAnswer {
  return { kind: "notice", text, isAlert: true };
}
