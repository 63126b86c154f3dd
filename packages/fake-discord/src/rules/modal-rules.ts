import { asNumber, asObjects, asText, type Json } from "@koma/fake-chat";
import { isSelect, listComponents } from "../describe/components.ts";
import { checkSelect, checkUnique } from "./component-rules.ts";

/** The problems of a modal that Discord rejects, in addition to its description. */
export function checkModal(modal: Json): readonly string[] {
  const top = asObjects(modal.components);
  const all = listComponents(top);
  const inLabels = new Set(top.filter(({ type }) => type === 18).map(({ component }) => component));
  return [
    ...(top.length > 5 ? [`a modal has at most 5 components, not ${top.length}`] : []),
    ...checkUnique(all),
    ...all.flatMap((one) => {
      if (one.type === 4 && !inLabels.has(one) && !asText(one.label))
        return ["a text input in a row needs a label"];
      if (one.type === 4 && inLabels.has(one) && asText(one.label))
        return ["a text input in a label has no label of its own"];
      if (isSelect(one) && one.disabled) return ["a select of a modal is never disabled"];
      return [];
    }),
    ...all.filter(({ type }) => type === 3).flatMap(checkSelect),
    ...all.filter(({ type }) => type === 4).flatMap(checkTextInput),
  ];
}

function checkTextInput(input: Json): readonly string[] {
  const [least, most] = [asNumber(input.min_length) ?? 0, asNumber(input.max_length) ?? 4000];
  const length = asText(input.value)?.length;
  const isUnfit = length !== undefined && length > 0 && (length < least || length > most);
  return least > most || isUnfit
    ? [`text input ${String(input.custom_id)}: the lengths are inconsistent`]
    : [];
}
