import { chooseLanguage, isLanguage, type Language, languages } from "@koma/messages";
import type { Context } from "../context.ts";
import type { PressAnswer, Reply } from "../model/reply.ts";
import type { Person, Place, PressRequest } from "../model/request.ts";
import { buildReply, line } from "../replies/build-reply.ts";
import type { Guard } from "../replies/guard.ts";
import { createSettingsMenus } from "./settings-menus.ts";

/** Shows and changes settings. */
export type SettingsReplies = ReturnType<typeof createSettingsReplies>;

type Asked = { person: Person; place: Place };
type Change = { scope: string | undefined; name: string | undefined; value: string | undefined };

export function createSettingsReplies(context: Context, guard: Guard) {
  const { settings, speak, tagOf } = context;
  const menus = createSettingsMenus(tagOf);

  const show = (
    request: Asked & { scope?: "person" | "place" | undefined },
    isSaved = false,
  ): Promise<Reply> =>
    guard(request, async () => {
      const { person, place, scope = "person" } = request;
      const speaker = await speak({ person, place, isPrivate: true });
      const { say } = speaker;
      const saved = isSaved ? [line(say("settings.saved"), "quiet")] : [];
      if (scope === "person") {
        return buildReply(speaker, person, {
          ...{ kind: "settings", isPrivate: true, title: say("settings.title"), lines: saved },
          menus: menus.ofPerson(speaker, person, await settings.ofPerson(person)),
        });
      }
      const refusal = findRefusal(place);
      if (refusal !== undefined) {
        return buildReply(speaker, person, { kind: "not-allowed", isPrivate: true, title: say(refusal) });
      }
      return buildReply(speaker, person, {
        ...{ kind: "settings", isPrivate: true },
        title: say("settings.placeTitle", { place: place.name ?? "" }).trim(),
        lines: saved,
        menus: menus.ofPlace(speaker, person, place, await settings.ofPlace(place)),
      });
    });

  return {
    show: (request: Asked & { scope?: "person" | "place" | undefined }): Promise<Reply> => show(request),

    /** Does what an option of a settings menu is for. */
    async change(press: PressRequest, { scope, name, value }: Change): Promise<PressAnswer> {
      const { person, place, values = [] } = press;
      if (scope === "person") {
        await changePerson(person, name, value);
        return { kind: "update", reply: await show({ person, place }, true) };
      }
      const refusal = findRefusal(place);
      if (refusal !== undefined) {
        const { say } = await speak(press);
        return { kind: "notice", text: say(refusal), isAlert: true };
      }
      await changePlace(place, name, value, values);
      return { kind: "update", reply: await show({ person, place, scope: "place" }, true) };
    },

    /** Sets the person's language by a tag as people write it, or shows the choice. */
    async language(request: Asked & { tag?: string | undefined }): Promise<Reply> {
      const { person, tag } = request;
      if (tag === undefined || tag.trim() === "") {
        const reply = await show(request);
        return { ...reply, menus: reply.menus.slice(0, 1) };
      }
      return await guard(request, async () => {
        await settings.changePerson(person, { language: chooseLanguage([tag.trim()]) });
        const speaker = await speak({ ...request, isPrivate: true });
        const title = speaker.say("settings.language.changed");
        return buildReply(speaker, person, { kind: "settings", isPrivate: true, title });
      });
    },
  };

  async function changePerson(person: Person, name: string | undefined, value = ""): Promise<void> {
    if (name === "language") await settings.changePerson(person, { language: readLanguage(value) });
    if (name === "preview") await settings.changePerson(person, { preview: readPreview(value) ?? null });
    if (name === "sound")
      await settings.changePerson(person, { isMuted: value === "auto" ? null : value === "off" });
  }

  async function changePlace(
    place: Place,
    name: string | undefined,
    value: string | undefined,
    values: readonly string[],
  ): Promise<void> {
    if (name === "language") await settings.changePlace(place, { language: readLanguage(value ?? "") });
    if (name === "adult") await settings.changePlace(place, { allowsAdult: value === "on" });
    if (name === "preview")
      await settings.changePlace(place, { preview: readPreview(value ?? "") ?? "clip" });
    if (name === "sound") await settings.changePlace(place, { isMuted: value === "off" });
    if (name === "replies")
      await settings.changePlace(place, { audience: value === "private" ? "private" : "public" });
    if (name === "listed") await settings.changePlace(place, { isListed: value === "on" });
    if (name === "channels") await settings.changePlace(place, { channels: values.slice(0, 100) });
  }
}

/** Why the settings of this place cannot be changed by who asks. */
function findRefusal(place: Place): "settings.notInPrivate" | "settings.onlyManagers" | undefined {
  if (place.kind === "direct") return "settings.notInPrivate";
  return place.isManagedByAsker ? undefined : "settings.onlyManagers";
}

function readLanguage(value: string): Language | null {
  return isLanguage(value) && languages.includes(value) ? value : null;
}

function readPreview(value: string): "clip" | "still" | "none" | undefined {
  return (["clip", "still", "none"] as const).find((choice) => choice === value);
}
