import { asNumber, asObject, asObjects, asText, getFrom, type Json } from "@koma/fake-chat";
import type { APIMessage } from "discord.js";
import { findAttached, listComponents, listMediaAddresses } from "../describe/describe-components.ts";
import { describeMessage, isComponentsV2, listEmbedAddresses } from "../describe/describe-message.ts";
import type { FakeState, StoredFile, StoredMessage } from "../state/fake-state.ts";
import { signAddress } from "../state/sign.ts";
import type { Channel, Message, SeenButton, SeenFile, SeenMedia, SeenSelect } from "../types.ts";

const selects = new Set([3, 5, 6, 7, 8]);

/** A message as users see it; each field is read from the state on access. */
export function createMessageView(state: FakeState, stored: StoredMessage, channel: Channel): Message {
  const listButtons = () =>
    listComponents(stored.components)
      .filter(({ type }) => type === 2)
      .map(seeButton);
  return {
    id: stored.id,
    channel,
    get author() {
      const { id, name, isBot } = getFrom(state.users, stored.authorId, "user");
      return { id, name, isBot };
    },
    get content() {
      return stored.content;
    },
    get text() {
      const texts = listComponents(stored.components).map(({ content }) => asText(content) ?? "");
      return [stored.content, ...stored.embeds.flatMap(readEmbed), ...texts]
        .filter((text) => text !== "")
        .join("\n");
    },
    get buttons() {
      return listButtons();
    },
    get selects() {
      return listComponents(stored.components)
        .filter(({ type }) => selects.has(Number(type)))
        .map(seeSelect);
    },
    get media() {
      return listMedia(state, stored);
    },
    get files() {
      return stored.files.map((file) => seeFile(state, file));
    },
    get isEphemeral() {
      return stored.visibleTo !== undefined;
    },
    get visibleTo() {
      return stored.visibleTo;
    },
    get isThinking() {
      return stored.isThinking;
    },
    get isDeleted() {
      return stored.isDeleted;
    },
    get isComponentsV2() {
      return isComponentsV2(stored.flags);
    },
    get editCount() {
      return stored.editCount;
    },
    get referenceId() {
      return stored.reference?.messageId;
    },
    get interactionId() {
      return stored.interactionId;
    },
    get allowedMentions() {
      return stored.allowedMentions;
    },
    get pings() {
      return stored.pings;
    },
    get raw() {
      return describeMessage(state, stored) as unknown as APIMessage;
    },
    button(label) {
      const buttons = listButtons();
      const isMeant = (button: SeenButton) =>
        typeof label === "string"
          ? button.label === label || button.customId === label
          : label.test(button.label);
      const found = buttons.find(isMeant);
      if (found) return found;
      throw new Error(
        `No button ${String(label)}; there are: ${buttons.map((one) => one.label || one.customId).join(", ")}`,
      );
    },
  };
}

function seeButton(button: Json): SeenButton {
  const emoji = asText(asObject(button.emoji)?.name) ?? "";
  return {
    label: asText(button.label) ?? emoji,
    customId: asText(button.custom_id),
    url: asText(button.url),
    style: asNumber(button.style) ?? 0,
    isDisabled: button.disabled === true,
  };
}

function seeSelect(select: Json): SeenSelect {
  return {
    customId: asText(select.custom_id) ?? "",
    placeholder: asText(select.placeholder),
    isDisabled: select.disabled === true,
    options: asObjects(select.options).map((option) => ({
      label: asText(option.label) ?? "",
      value: asText(option.value) ?? "",
      description: asText(option.description),
    })),
  };
}

function seeFile(state: FakeState, file: StoredFile): SeenFile {
  return {
    id: file.id,
    name: file.name,
    contentType: file.contentType,
    url: signAddress(state, file),
    bytes: file.bytes,
    isSpoiler: file.name.startsWith("SPOILER_"),
  };
}

function listMedia(state: FakeState, stored: StoredMessage): readonly SeenMedia[] {
  const see = (address: string, holder: Json, isHidden: boolean): SeenMedia => {
    const file = findAttached(address, stored.files);
    return {
      url: file ? signAddress(state, file) : address,
      isSpoiler: isHidden || holder.spoiler === true || (file?.name.startsWith("SPOILER_") ?? false),
      description: asText(holder.description) ?? file?.description,
      bytes: file?.bytes ?? state.web.find(address)?.bytes,
    };
  };
  const inside = (components: readonly Json[], isHidden: boolean): readonly SeenMedia[] =>
    components.flatMap((one) => {
      const isInHidden = isHidden || (one.type === 17 && one.spoiler === true);
      const own = [one, ...asObjects(one.items)].flatMap((holder) => {
        const [address] = listMediaAddresses([{ media: holder.media, file: holder.file }]);
        return address === undefined ? [] : [see(address, holder, isHidden)];
      });
      const accessory = one.accessory === undefined ? [] : asObjects([one.accessory]);
      return [...own, ...inside(asObjects(one.components), isInHidden), ...inside(accessory, isInHidden)];
    });
  return [
    ...inside(stored.components, false),
    ...listEmbedAddresses(stored.embeds).map((one) => see(one, {}, false)),
  ];
}

function readEmbed(embed: Json): readonly string[] {
  const fields = asObjects(embed.fields).flatMap((field) => [
    asText(field.name) ?? "",
    asText(field.value) ?? "",
  ]);
  return [
    asText(embed.title) ?? "",
    asText(embed.description) ?? "",
    ...fields,
    asText(asObject(embed.footer)?.text) ?? "",
  ];
}
