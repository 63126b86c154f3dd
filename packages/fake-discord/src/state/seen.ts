import { asObject, asObjects, asText, type Json } from "@koma/fake-chat";

/** A button as users see it. `customId` or `url` is undefined if the other is set. */
export function seeButton(button: Json) {
  return {
    label: asText(button.label) ?? asText(asObject(button.emoji)?.name) ?? "",
    customId: asText(button.custom_id),
    url: asText(button.url),
    isDisabled: button.disabled === true,
  };
}

/** A select menu as users see it. */
export function seeSelect(select: Json) {
  return {
    customId: asText(select.custom_id) ?? "",
    options: asObjects(select.options).map((option) => ({
      label: asText(option.label) ?? "",
      value: asText(option.value) ?? "",
    })),
  };
}

/** A modal as users see it. */
export function seeModal(modal: Json) {
  const fields = asObjects(modal.components).map(({ component, label }) => ({
    customId: asText(asObject(component)?.custom_id) ?? "",
    label: asText(label) ?? "",
  }));
  return { title: asText(modal.title) ?? "", fields };
}
