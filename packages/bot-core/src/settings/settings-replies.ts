import { isLanguage, type Language, parseLanguage } from "@koma/messages";
import type { ActionResult, Reply } from "../model/reply.ts";
import type { ActionRequest, Chat, Person, Requester } from "../model/request.ts";
import { actionButton, line } from "../replies/build-reply.ts";
import { writeTarget } from "../replies/targets.ts";
import type { Shared } from "../shared.ts";
import { wholeChat } from "./settings.ts";
import { createSettingsMenus, quotas } from "./settings-menus.ts";

/** Shows and changes settings. */
export type SettingsReplies = ReturnType<typeof createSettingsReplies>;

type Change = { scope: string | undefined; name: string | undefined; value: string | undefined };

export function createSettingsReplies({
  settings,
  translatorFor,
  replyPrivately,
  tagOf,
  seesAllMessages,
  guard,
}: Shared) {
  const menus = createSettingsMenus(tagOf);

  const show = (
    request: Requester & { scope?: "person" | "place" | undefined },
    isSaved = false,
  ): Promise<Reply> =>
    replyPrivately(request, async (translator, build) => {
      const { person, chat, scope = "person" } = request;
      const { t } = translator;
      const saved = isSaved ? [line(t("settings.saved"), "quiet")] : [];
      if (scope === "person") {
        return build({
          kind: "settings",
          title: t("settings.title"),
          lines: saved,
          menus: menus.ofPerson(translator, person, await settings.ofPerson(person)),
        });
      }
      const refusal = findRefusal(chat);
      if (refusal !== undefined) return build({ kind: "not-allowed", title: t(refusal) });
      const isHidden = chat.kind === "server" && seesAllMessages === false;
      const hiddenNote = [
        ...(isHidden ? [line(t("settings.imageChannels.hidden"), "quiet")] : []),
        ...(chat.hidesOtherMessages === true
          ? [line(t("settings.imageChannels.hiddenInGroup"), "quiet")]
          : []),
      ];
      return build({
        kind: "settings",
        title: t("settings.placeTitle", { chat: chat.name ?? "" }).trim(),
        lines: [...saved, ...hiddenNote],
        menus: menus.ofChat(translator, person, chat, await settings.ofChat(chat)),
      });
    });

  return {
    show: (request: Requester & { scope?: "person" | "place" | undefined }): Promise<Reply> => show(request),

    /** Applies an option of a settings menu. */
    async change(action: ActionRequest, { scope, name, value }: Change): Promise<ActionResult> {
      const { person, chat, values = [] } = action;
      if (scope === "person") {
        await changePerson(person, name, value);
        return { kind: "update", reply: await show({ person, chat }, true) };
      }
      const refusal = findRefusal(chat);
      if (refusal !== undefined) {
        const { t } = await translatorFor(action);
        return { kind: "notice", text: t(refusal), isAlert: true };
      }
      await changeChat(chat, name, value, values);
      return { kind: "update", reply: await show({ person, chat, scope: "place" }, true) };
    },

    /** Sets the person's language by a tag or name as people write it; shows the choice for other words. */
    async language(request: Requester & { tag?: string | undefined }): Promise<Reply> {
      const { person, tag = "" } = request;
      const language = parseLanguage(tag);
      if (language === undefined) {
        const reply = await show(request);
        if (reply.kind !== "settings") return reply;
        const { t } = await translatorFor({ ...request, isPrivate: true });
        const target = writeTarget("settings", tagOf(person.id));
        return {
          ...reply,
          title: t("settings.language.label"),
          menus: reply.menus.slice(0, 1),
          buttons: [[actionButton("page", `‹ ${t("button.back")}`, target)]],
        };
      }
      return await guard(request, async () => {
        // The reply is in the new language.
        await settings.changePerson(person, { language });
        return await replyPrivately(request, ({ t }, build) =>
          build({ kind: "settings", title: t("settings.language.changed") }),
        );
      });
    },
  };

  async function changePerson(person: Person, name: string | undefined, value = ""): Promise<void> {
    if (name === "language") await settings.changePerson(person, { language: readLanguage(value) });
    if (name === "preview") await settings.changePerson(person, { preview: readPreview(value) ?? null });
    if (name === "sound")
      await settings.changePerson(person, { isMuted: value === "auto" ? null : value === "off" });
  }

  async function changeChat(
    chat: Chat,
    name: string | undefined,
    value: string | undefined,
    values: readonly string[],
  ): Promise<void> {
    if (name === "language") await settings.changeChat(chat, { language: readLanguage(value ?? "") });
    if (name === "adult") await settings.changeChat(chat, { allowsAdult: value === "on" });
    if (name === "preview") await settings.changeChat(chat, { preview: readPreview(value ?? "") ?? "clip" });
    if (name === "sound") await settings.changeChat(chat, { isMuted: value === "off" });
    if (name === "replies")
      await settings.changeChat(chat, { audience: value === "private" ? "private" : "public" });
    if (name === "listed") await settings.changeChat(chat, { isListed: value === "on" });
    if (name === "top") await settings.changeChat(chat, { listsFinds: value === "on" });
    if (name === "channels") await settings.changeChat(chat, { channels: values.slice(0, 100) });
    if (name === "imageChannels") await settings.changeChat(chat, { imageChannels: values.slice(0, 100) });
    if (name === "roles") await settings.changeChat(chat, { roles: values.slice(0, 100) });
    if (name === "quota")
      await settings.changeChat(chat, {
        searchesPerDay: quotas.find((one) => String(one) === value) ?? null,
      });
    if (name === "images") await changeImageScope(chat, value);
  }

  /** Changes the whole group, or the topic in which the settings are open; "off" ends both. */
  async function changeImageScope(chat: Chat, value: string | undefined): Promise<void> {
    const { imageChannels } = await settings.ofChat(chat);
    const { channelId } = chat;
    const others = imageChannels.filter((one) => one !== wholeChat && one !== channelId);
    const added =
      value === "all" ? [wholeChat] : value === "here" && channelId !== undefined ? [channelId] : [];
    await settings.changeChat(chat, { imageChannels: [...others, ...added].slice(-100) });
  }
}

/** The reason why the requester cannot change the settings of this chat. */
function findRefusal(chat: Chat): "settings.notInPrivate" | "settings.onlyManagers" | undefined {
  if (chat.kind === "direct") return "settings.notInPrivate";
  return chat.isManagedByRequester ? undefined : "settings.onlyManagers";
}

function readLanguage(value: string): Language | null {
  return isLanguage(value) ? value : null;
}

function readPreview(value: string): "clip" | "still" | "none" | undefined {
  return (["clip", "still", "none"] as const).find((choice) => choice === value);
}
